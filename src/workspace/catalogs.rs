//! Which files with the extension of catalogs are catalogs: OpenPGP and Standard ML use the same.

use std::path::Path;

use signature_ls_source::host::{HostKind, is_catalog};

/// The number of bytes that decide.
pub const BEGINNING: u32 = 0x1000;

/// Whether the file at `path` is not what its extension says. `bytes` are its first [`BEGINNING`] ones, or more.
pub fn is_misnamed(path: &Path, bytes: &[u8]) -> bool {
    HostKind::from_path(path) == Some(HostKind::Catalog) && !begins_as_catalog(bytes)
}

fn begins_as_catalog(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(BEGINNING as usize)];
    match str::from_utf8(beginning) {
        Ok(text) => is_catalog(text),
        // The last character may be cut.
        Err(error) if error.error_len().is_none() => {
            let whole = str::from_utf8(&beginning[..error.valid_up_to()]);
            whole.is_ok_and(is_catalog)
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_as_a_catalog_is_one() {
        let entry = "search(query :string) -> [:string]\n";
        let comment = "# ä\n";
        let most = BEGINNING as usize;
        // The limit is inside of a character, at each of its bytes.
        let cut = |text: &str, by: usize| {
            let fill = "#".repeat(most - by - text.len() - 1);
            format!("{text}{fill} 😀\n").into_bytes()
        };
        for (bytes, is_ours) in [
            (entry.as_bytes().to_vec(), true),
            (comment.as_bytes().to_vec(), true),
            (Vec::new(), true),
            (b"-----BEGIN PGP SIGNATURE-----\n\niQ\n".to_vec(), false),
            (b"signature ORDER = sig\n  type t\nend\n".to_vec(), false),
            (vec![0x89, 0x02, 0xff, 0x00], false),
            (cut(comment, 1), true),
            (cut(comment, 2), true),
            (cut(entry, 3), true),
            ([entry.as_bytes(), &[b'#'; 0x1000], &[0xff]].concat(), true),
            ([entry.as_bytes(), &[0xff]].concat(), false),
        ] {
            let text = String::from_utf8_lossy(&bytes);
            let path = |name| Path::new(name);
            assert_eq!(is_misnamed(path("a.sig"), &bytes), !is_ours, "{text:.60}");
            assert!(!is_misnamed(path("a.ex"), &bytes), "{text:.60}");
        }
    }
}
