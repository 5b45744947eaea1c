//! Room in long lists.

/// Shorter lists grow as usual.
const LONG: usize = 16 * 1024;

/// Makes room for one more item in a list that is filled while a text is read, `read` of `len` bytes so far.
///
/// Of a list that doubles again and again, as much memory stays behind as it has in the end. A long list gets room for
/// what the rest of the text adds to it if it is like the first part.
#[inline]
pub fn make_room<T>(list: &mut Vec<T>, read: usize, len: usize) {
    if list.len() == list.capacity() {
        grow(list, read, len);
    }
}

#[cold]
fn grow<T>(list: &mut Vec<T>, read: usize, len: usize) {
    if list.len() >= LONG {
        let rest = list.len() as u64 * len.saturating_sub(read) as u64 / read.max(1) as u64;
        let rest = usize::try_from(rest).unwrap_or_default();
        list.reserve_exact(rest.max(list.len() / 2));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_grows_once() {
        let mut list = vec![0_u8; LONG];
        list.shrink_to_fit();
        make_room(&mut list, LONG, 10 * LONG);
        assert_eq!(list.capacity(), 10 * LONG);
    }

    #[test]
    fn a_list_that_becomes_denser_grows_by_half() {
        let mut list = vec![0_u8; LONG];
        list.shrink_to_fit();
        make_room(&mut list, 100 * LONG, 100 * LONG);
        assert_eq!(list.capacity(), LONG + LONG / 2);
    }
}
