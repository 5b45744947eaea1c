//! What the server registers for after the client is ready.

use serde_json::{Value, json};
use tower_lsp::ls_types as lsp;

use super::{main_loop::MainLoop, settings};
use crate::{
    files::{IGNORE_FILES, REPOSITORY},
    workspace::SETTINGS_FILES,
};
use signature_ls_source::host::HostKind;

impl MainLoop {
    pub(super) fn register_for_settings(&mut self) {
        if self.client.registers_configuration {
            let registration = json!({"registrations": [{
                "id": settings::SECTION,
                "method": "workspace/didChangeConfiguration",
                "registerOptions": {"section": settings::SECTION},
            }]});
            self.request("client/registerCapability", registration);
        }
    }

    pub(super) fn register_formatting(&mut self) {
        if self.client.registers_formatting {
            let formatted = HostKind::ALL.iter().map(|it| it.facts());
            let formatted = formatted.filter(|it| it.is_formatted);
            let ours = formatted.flat_map(|facts| {
                let languages = facts.language_ids.iter().map(|it| json!({"language": it}));
                let patterns = facts.extensions.iter();
                languages.chain(patterns.map(|it| json!({"pattern": format!("**/*.{it}")})))
            });
            let ours: Value = ours.collect();
            let methods = ["formatting", "rangeFormatting"].map(|it| {
                json!({
                    "id": it,
                    "method": format!("textDocument/{it}"),
                    "registerOptions": {"documentSelector": ours},
                })
            });
            let registration = json!({ "registrations": methods });
            self.request("client/registerCapability", registration);
        }
    }

    pub(super) fn register_for_files(&mut self) {
        if self.client.registers_watched_files {
            let kinds = HostKind::ALL.iter().flat_map(|it| it.facts().extensions);
            let extensions: Vec<_> = kinds.copied().collect();
            let ours = format!("*.{{{}}}", extensions.join(","));
            let files = SETTINGS_FILES.into_iter().chain(IGNORE_FILES);
            let files = files.chain([ours.as_str()]);
            let watchers = files.map(|file| json!({"globPattern": format!("**/{file}")}));
            // What is in it changes all the time.
            let repository = format!("**/{REPOSITORY}");
            let repositories = json!({"globPattern": repository, "kind": lsp::WatchKind::Create});
            // For a folder that is deleted or renamed, a client may tell of nothing else.
            let folders = json!({"globPattern": "**/*", "kind": lsp::WatchKind::Delete});
            let watchers: Value = watchers.chain([repositories, folders]).collect();
            let registration = json!({"registrations": [{
                "id": "files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watchers},
            }]});
            self.request("client/registerCapability", registration);
        }
    }
}
