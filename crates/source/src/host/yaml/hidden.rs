//! Characters that are hidden from the parser while others stand for them.

/// The characters and their replacements. These have the same length, and a text that contains one is not changed.
pub(super) struct Masks<const N: usize>(pub [(char, char); N]);

impl<const N: usize> Masks<N> {
    /// The replacement of `c`; `c` itself if it is not hidden.
    pub fn hidden(&self, c: char) -> char {
        let mask = self.0.iter().find(|(written, _)| *written == c);
        mask.map_or(c, |(_, mask)| *mask)
    }

    /// Whether `text` has one of the replacements.
    pub fn are_in(&self, text: &str) -> bool {
        text.contains(self.0.map(|(_, mask)| mask))
    }

    /// `value` with its characters restored.
    pub fn shown(&self, mut value: String) -> String {
        for (written, mask) in self.0 {
            if value.contains(mask) {
                value = value.replace(mask, written.encode_utf8(&mut [0; 4]));
            }
        }
        value
    }
}
