//! Tests of the names of modules: which calls are the library's.

use crate::{ide::testing::found_in, model::Edition};
use signature_ls_source::host::HostKind;

fn found(code: &str) -> Vec<String> {
    found_in(HostKind::Elixir, code, Edition::V0_11)
}

const WRONG: &str = "SubAgent.new(prompt: \"{{x}}\", signature: \"foo\")";

#[test]
fn names_of_the_library_are_followed() {
    for alias in [
        "alias PtcRunner.SubAgent",
        "alias Elixir.PtcRunner.SubAgent",
        "alias PtcRunner, as: P\nalias P.SubAgent",
        "alias P.{SubAgent, Lisp}\nalias PtcRunner, as: P",
        "alias Elixir.PtcRunner, as: P\nalias P.SubAgent",
    ] {
        let code = format!("defmodule A do\n{alias}\n{WRONG}\nend\n");
        assert_eq!(found(&code), ["bare-type-word: foo"], "{alias}");
    }
    for alias in [
        "alias MyApp.SubAgent",
        "alias MyApp, as: P\nalias P.SubAgent",
    ] {
        let code = format!("defmodule A do\n{alias}\n{WRONG}\nend\n");
        assert_eq!(found(&code), [""; 0], "{alias}");
    }
}

#[test]
fn only_what_is_imported_is_the_librarys() {
    let call = "new(prompt: \"hi\", signature: \"J. Doe\")";
    let found = |import: &str| !found(&format!("{import}\n{call}\n")).is_empty();
    assert!(found("import PtcRunner.SubAgent"));
    assert!(found("import PtcRunner.SubAgent, only: [run: 2, new: 1]"));
    assert!(found("import PtcRunner.SubAgent, except: [run: 2]"));
    assert!(found("import PtcRunner.SubAgent, only: :functions"));
    assert!(!found("import PtcRunner.SubAgent, only: [run: 2]"));
    assert!(!found("import PtcRunner.SubAgent, except: [new: 1]"));
}
