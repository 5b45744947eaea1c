//! Room in long lists.

/// Lists of fewer bytes grow as usual.
const LONG: usize = 256 * 1024;

/// The least length of a long list.
const fn long<T>() -> usize {
    LONG / size_of::<T>()
}

/// Makes room for one more item in a list that is filled while a text is read, `read` of `len` bytes so far.
///
/// Of a list that doubles again and again, as much memory stays behind as it has in the end. A long list gets room for
/// what the rest of the text adds to it if it is like the first part, and a little more: one item too many would move
/// all of it.
#[inline]
pub fn make_room<T>(list: &mut Vec<T>, read: usize, len: usize) {
    if list.len() == list.capacity() {
        grow(list, read, len);
    }
}

#[cold]
fn grow<T>(list: &mut Vec<T>, read: usize, len: usize) {
    let long = long::<T>();
    if list.len() >= long {
        // Few items are shorter than a byte.
        let most = len.saturating_sub(read).max(long);
        list.reserve_exact(more(list.len(), read, len).min(most));
    }
}

/// The number of items that may follow `count` ones.
fn more(count: usize, read: usize, len: usize) -> usize {
    let rest = count as u64 * len.saturating_sub(read) as u64 / read.max(1) as u64;
    let rest = usize::try_from(rest + rest / 32).unwrap_or_default();
    rest.max(count / 2)
}

/// The number of parts in which a long list gives its room back.
const PARTS: usize = 8;

/// Items that are taken out of a long list. Their room is given back in parts, so that where they go to takes its place.
pub struct Taken<T> {
    /// The last one is the next one.
    parts: Vec<std::vec::IntoIter<T>>,
    left: usize,
}

/// Takes the items of a list from `start` on; `None` if they are few, or fewer than those before them, which may have to
/// be copied.
pub fn take_long<T>(list: &mut Vec<T>, start: usize) -> Option<Taken<T>> {
    let left = list.len() - start;
    if left < long::<T>().max(start) {
        return None;
    }
    let mut parts = Vec::with_capacity(PARTS);
    for part in (0..PARTS).rev() {
        parts.push(list.split_off(start + left / PARTS * part).into_iter());
        list.shrink_to_fit();
    }
    Some(Taken { parts, left })
}

impl<T> Taken<T> {
    /// All items of a list. The room of a short one is given back in the end.
    pub fn all(mut list: Vec<T>) -> Self {
        take_long(&mut list, 0).unwrap_or_else(|| Self {
            left: list.len(),
            parts: vec![list.into_iter()],
        })
    }
}

impl<T> Iterator for Taken<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        loop {
            match self.parts.last_mut()?.next() {
                None => drop(self.parts.pop()),
                item => {
                    self.left -= 1;
                    return item;
                }
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T> ExactSizeIterator for Taken<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_items_of_a_long_list_are_taken_in_order() {
        let mut list: Vec<_> = (0..2 * LONG + 5).collect();
        let taken = take_long(&mut list, 3).expect("a long list");
        assert_eq!(taken.len(), 2 * LONG + 2);
        assert!(taken.eq(3..2 * LONG + 5));
        assert_eq!(list, [0, 1, 2]);
        assert!(list.capacity() < LONG);
        assert!(take_long(&mut list, 0).is_none());
    }

    #[test]
    fn taken_items_give_their_room_back() {
        let mut list = vec![0_u8; LONG];
        let mut taken = take_long(&mut list, 0).expect("a long list");
        taken.by_ref().take(LONG / 2 + 1).for_each(drop);
        let kept: usize = taken.parts.iter().map(ExactSizeIterator::len).sum();
        assert!(taken.parts.len() <= PARTS / 2, "{kept} items are left");
    }

    #[test]
    fn a_long_list_grows_once() {
        let mut list = vec![0_u8; LONG];
        list.shrink_to_fit();
        make_room(&mut list, LONG, 10 * LONG);
        assert_eq!(list.capacity(), 10 * LONG);
    }

    #[test]
    fn a_list_of_few_large_items_is_long() {
        let mut list = vec![[0_u8; 1024]; LONG / 1024];
        list.shrink_to_fit();
        make_room(&mut list, LONG, 3 * LONG);
        assert_eq!(list.capacity(), (3 * LONG + LONG / 16) / 1024);
    }

    #[test]
    fn a_long_list_gets_a_little_more_room_than_its_first_part_needed() {
        let mut list = vec![0_u8; LONG];
        list.shrink_to_fit();
        make_room(&mut list, 50 * LONG, 100 * LONG);
        assert_eq!(list.capacity(), LONG + LONG + LONG / 32);
    }

    #[test]
    fn a_list_that_becomes_denser_grows_by_half() {
        let mut list = vec![0_u8; LONG];
        list.shrink_to_fit();
        make_room(&mut list, 99 * LONG, 100 * LONG);
        assert_eq!(list.capacity(), LONG + LONG / 2);
    }

    #[test]
    fn a_list_gets_no_more_room_than_the_text_has_bytes() {
        let mut list = vec![0_u8; 100 * LONG];
        list.shrink_to_fit();
        make_room(&mut list, 98 * LONG, 100 * LONG);
        assert_eq!(list.capacity(), 102 * LONG);
        make_room(&mut list, 98 * LONG, 100 * LONG);
        assert_eq!(list.capacity(), 102 * LONG);
    }
}
