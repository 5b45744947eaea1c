use proptest::{prelude::*, sample::Index};

use super::*;
use crate::{host::units::moved, text::size};

type Plain = Vec<([TextSize; 2], usize)>;

impl Keyed for usize {
    fn keys(&self) -> impl Iterator<Item = u64> {
        [*self as u64 % 3, 3 + *self as u64 % 5].into_iter()
    }
}

fn shown(list: &Moving<usize, 2>) -> Plain {
    list.iter().map(|(place, item)| (place, *item)).collect()
}

/// Items that begin a byte after another from `start` on; some end much later.
fn items(start: usize, len: usize, round: usize) -> Plain {
    let items = (start..start + len).enumerate();
    let place = |(number, at): (usize, usize)| [size(at), size(at + number % 7 * 100)];
    items.map(|it| (place(it), round * 1_000 + it.0)).collect()
}

#[test]
fn what_follows_an_edit_moves_and_ends_around_it_too() {
    let place = |start: u32, end: u32| [TextSize::from(start), TextSize::from(end)];
    let mut list: Moving<char, 2> = Moving::default();
    for (start, end, item) in [(20, 30, 'b'), (0, 90, 'a'), (40, 50, 'c')] {
        list.push(place(start, end), item);
    }
    list.sort();
    assert!(list.items(0..3).eq(&['a', 'b', 'c']));
    let around = |start: u32, end: u32| {
        let range = TextRange::new(start.into(), end.into());
        let around = list.around(range, (0, 1));
        around.map(|(_, (_, item))| *item).collect::<String>()
    };
    assert_eq!((around(30, 40), around(29, 41)), ("a".into(), "abc".into()));

    let edit = TextEdit::insert(25.into(), "xyz");
    let new = [(place(20, 33), 'd'), (place(21, 22), 'e')];
    let removed = list.beginning_in(TextRange::new(20.into(), 30.into()));
    list.replace(removed, &new.into_iter().collect(), &edit);
    let shown: Vec<_> = list.iter().map(|(place, item)| (place, *item)).collect();
    assert_eq!(
        shown,
        [
            (place(0, 93), 'a'),
            (place(20, 33), 'd'),
            (place(21, 22), 'e'),
            (place(43, 53), 'c'),
        ]
    );
    assert_eq!((list.before(21.into()), list.up_to(21.into())), (2, 3));
}

#[test]
fn items_that_are_alike_share_their_room() {
    let mut list: Moving<String, 1> = Moving::default();
    for (at, item) in ["a", "b", "a", "b", "c"].into_iter().enumerate() {
        list.push_alike([size(at)], item.to_owned(), 2);
    }
    let of: Vec<_> = list.items(0..5).map(String::as_str).collect();
    assert_eq!(of, ["a", "b", "a", "b", "c"]);
    assert!(std::ptr::eq(list.item(0), list.item(2)));
    assert!(std::ptr::eq(list.item(1), list.item(3)));
    list.update(2, |_, item| item.push('x'));
    assert_eq!((list.item(0).as_str(), list.item(2).as_str()), ("a", "ax"));
}

proptest! {
    #[test]
    fn edits_are_those_of_a_plain_list(
        pushed in 0..400_usize,
        edits in proptest::collection::vec((any::<Index>(), 0..200_usize, 0..300_usize), 0..8),
    ) {
        let mut plain = items(0, pushed, 0);
        let mut list = Moving::default();
        plain.iter().for_each(|(place, item)| list.push(*place, *item));
        for (round, (at, len, inserted)) in edits.into_iter().enumerate() {
            let first = at.index(plain.len() + 1);
            let removed = first..(first + len).min(plain.len());
            // As many bytes as items: each has one.
            let start = plain.get(first).map_or(plain.len(), |(place, _)| place[0].into());
            let edit = TextEdit::replace(
                TextRange::at(size(start), size(removed.len())),
                "x".repeat(inserted),
            );
            let new = items(start, inserted, round + 1);

            let before = (list.clone(), plain.clone());
            prop_assert_eq!(list.before(size(start)), first);
            list.replace(removed.clone(), &new.iter().copied().collect(), &edit);
            for (place, _) in &mut plain {
                *place = place.map(|it| moved(it, &edit));
            }
            plain.splice(removed, new);
            prop_assert_eq!(&shown(&list), &plain);
            prop_assert_eq!(shown(&before.0), before.1);
            let range = TextRange::new(size(start / 2), size(start / 2 + 10));
            let around: Vec<_> = list.around(range, (0, 1)).map(|(index, _)| index).collect();
            let is_around = |place: &[TextSize; 2]| {
                place[0] < range.end() && range.start() < place[1]
            };
            let expected = plain.iter().enumerate().filter(|(_, (place, _))| is_around(place));
            prop_assert_eq!(around, expected.map(|(index, _)| index).collect::<Vec<_>>());

            let keyed: Vec<_> = list.keyed(4, first..list.len()).collect();
            let expected = (first..plain.len()).filter(|at| plain[*at].1 % 5 == 1);
            prop_assert_eq!(keyed, expected.collect::<Vec<_>>());

            if let Some(last) = plain.last_mut() {
                last.0[1] += size(50);
                last.1 += 1;
                list.update(list.len() - 1, |place, item| {
                    place[1] += size(50);
                    *item += 1;
                });
            }
            prop_assert!(list.slice(first..plain.len()).rev().map(|(place, item)| (place, *item))
                .eq(plain[first..].iter().rev().copied()));
            prop_assert!(list.chunks.iter().all(|it| (1..=MOST).contains(&it.len())));
        }
        prop_assert_eq!(list.len(), plain.len());
    }
}
