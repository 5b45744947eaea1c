//! Prompt files of any length: one long template under a signature.

pub const URI: &str = "file:///project/long.prompt";

const HEAD: &str =
    "---\nsignature: '(items [{name :string, price :float, note :string}]) -> :string'\n---\n";

/// The column, in the second line, of a field that no section names.
pub const UNUSED_COLUMN: usize = "signature: '(items [{name :string, price :float, ".len();
const SECTION: &str =
    "{{#items}}\nOffer {{name}} for {{price}}.\n{{/items}}\nThat was all of this part.\n";

/// A file of about `lines` lines.
pub fn source(lines: usize) -> String {
    HEAD.to_owned() + &SECTION.repeat(lines / SECTION.lines().count())
}

/// The line of a section's opening tag in the middle of such a file.
pub fn middle(lines: usize) -> usize {
    let section = SECTION.lines().count();
    HEAD.lines().count() + lines / section / 2 * section
}
