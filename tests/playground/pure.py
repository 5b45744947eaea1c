"""Fails if the layers up to `ide` use a module of the standard library that a page does not have.

Follows the modules from `src/lib.rs` of each crate. Code for tests may use everything: it is what stands behind
`#[cfg(test)]` or `#[cfg(any(test, …))]`, however its file is called.

usage: pure.py CRATE…
"""

import pathlib
import re
import sys

FORBIDDEN = {"fs", "net", "process", "thread", "time"}

# What is not code: comments, strings, raw strings and characters. A lifetime is none of them.
NOT_CODE = re.compile(
    r"""//[^\n]*|/\*.*?\*/|b?r(?P<hashes>\#*)".*?"(?P=hashes)|b?"(?:\\.|[^"\\])*"|b?'(?:\\[^\n]*?|[^'\\\n])'""",
    re.DOTALL,
)
FOR_TESTS = re.compile(r"#\[cfg\((?:test|any\(test,[^\]]*)\)\]")
MODULE = re.compile(r"\bmod\s+(\w+)\s*;")
USE = re.compile(r"\buse\s+([^;]*);")
PATH = re.compile(r"\bstd\s*::\s*(\w+)")
TOKEN = re.compile(r"\w+|[{},*]|::")


def code_of(text):
    """The text without what is not code and without what is for tests."""
    text = NOT_CODE.sub(" ", text)
    while found := FOR_TESTS.search(text):
        text = text[: found.start()] + text[end_of_item(text, found.end()) :]
    return text


def end_of_item(text, at):
    """Where the item ends that begins at `at`: at a semicolon, or with its braces."""
    depth = 0
    while at < len(text):
        char = text[at]
        at += 1
        depth += (char in "({[") - (char in ")}]")
        if depth == 0 and char in ";}":
            break
    return at


def paths_of(tree):
    """The paths that a `use` names, such as `std::{fmt, io::Read}`, each as a list of names."""
    tokens = TOKEN.findall(tree)

    def read(at, prefix):
        names, found = list(prefix), []
        while at < len(tokens):
            token = tokens[at]
            at += 1
            if token == "{":
                inner = tokens[at]
                while inner != "}":
                    more, at = read(at, names)
                    found += more
                    inner = tokens[at]
                    at += inner == ","
                    inner = tokens[at] if inner == "," else inner
                at += 1
                return found, at
            if token in (",", "}"):
                at -= 1
                break
            if token == "as":
                at += 1
            elif token != "::":
                names.append(token)
        return found + [names], at

    return read(0, [])[0]


def uses(text):
    """What a file uses that a page does not have, in its order."""
    text = code_of(text)
    named = [path[:2] for tree in USE.findall(text) for path in paths_of(tree)]
    named += [["std", name] for name in PATH.findall(USE.sub("", text))]
    # All of `std`, or another name for it, hides what is used.
    return ["::".join(it) for it in named if it[0] == "std" and (len(it) == 1 or it[1] in FORBIDDEN | {"*", "self"})]


def files_of(file, folder):
    """A file and those of its modules; theirs are in `folder`."""
    yield file
    for name in MODULE.findall(code_of(file.read_text(encoding="utf-8"))):
        candidates = [(folder / f"{name}.rs", folder / name), (folder / name / "mod.rs", folder / name)]
        found = [it for it in candidates if it[0].is_file()]
        if not found:
            sys.exit(f"{file}: there is no file of the module {name}")
        yield from files_of(*found[0])


EXAMPLES = [
    ("use std::fs;", ["std::fs"]),
    ("use std::{fmt, fs};", ["std::fs"]),
    ("use std::{\n    fmt::{self, Write},\n    thread,\n    time::{Duration, Instant},\n};", ["std::thread", "std::time", "std::time"]),
    ("use std::{io as i, process as p};", ["std::process"]),
    ("use std::*; use std as s; use std::{self};", ["std::*", "std", "std::self"]),
    ("use std::{collections::{BTreeMap, HashMap}, rc::Rc}; use text::{fs, time};", []),
    ("let now = std::time::Instant::now();", ["std::time"]),
    ("// std::fs\nlet a = \"std::fs\"; let b = r#\"use std::fs;\"#; /* std::fs */", []),
    ("let c = '\"'; fn f<'a>(a: &'a str) { std::fs::read(a) } // \"", ["std::fs"]),
    ("#[cfg(test)]\nmod tests {\n    use std::fs;\n}\n#[cfg(not(test))]\nuse std::net;", ["std::net"]),
    ("#[cfg(any(test, feature = \"testing\"))]\nuse std::{fmt, fs};\nuse std::thread;", ["std::thread"]),
    ("#[cfg(test)]\n#[path = \"a.rs\"]\nmod tests;\nuse std::process;", ["std::process"]),
]


def main():
    for text, expected in EXAMPLES:
        if uses(text) != expected:
            sys.exit(f"{text!r} uses {expected}, not {uses(text)}")
    count, faults = 0, []
    for crate in map(pathlib.Path, sys.argv[1:]):
        for file in files_of(crate / "src/lib.rs", crate / "src"):
            count += 1
            faults += [f"{file}: {it}" for it in uses(file.read_text(encoding="utf-8"))]
    if faults:
        sys.exit("the layers up to ide use what a page does not have:\n" + "\n".join(faults))
    print(f"ok   no files, threads or clock in {count} files")


main()
