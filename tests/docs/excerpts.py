"""Checks what the documents say about the sources: every path that they name exists, and every excerpt of code in the walks of
`docs/contributing.md` is in the sources as it is written there.

    excerpts.py REPOSITORY
"""

import re
import sys
from pathlib import Path

root = Path(sys.argv[1])
documents = [
    *root.glob("*.md"),
    *root.glob("docs/*.md"),
    *root.glob("editors/*/README.md"),
    *root.glob("tests/**/README.md"),
]
SOURCES = ("src", "crates/source/src", "crates/analysis/src")
# Folders of the repository. What is built (`target`, `playground/dist`) is not in it.
PATH = re.compile(r"`((?:src|crates|tests|docs|editors|examples|syntaxes|fuzz|benches|playground|proptest-regressions|\.github|\.ci)/[^`\s]*)")
BUILT = ("playground/dist", "playground/module/target")
MODULE = re.compile(r"`((?:syntax|host|value|model|contract|ide|workspace|server|cli)(?:(?:::|/)[a-z_]+)+)(?:::[A-Z]\w*|\.rs|/)?`")
CODE = re.compile(r"^ *```(rust|lua)\n(.*?)^ *```$", re.M | re.S)

faults = []
paths = excerpts = 0


def words(text):
    """The text without the white space that an excerpt may change."""
    return " ".join(text.split())


for document in documents:
    if "node_modules" in document.parts:
        continue
    name = document.relative_to(root)
    for path in PATH.findall(document.read_text()):
        path = path.split("#")[0].rstrip("/")
        if path.startswith(BUILT) or re.search(r"[A-Z]{4}|[*…]", path.removesuffix("SUMMARY.md").removesuffix("README.md")):
            continue
        paths += 1
        modules = [root / path, root / f"{path}.rs", document.parent / path]
        if not any(it.exists() for it in modules):
            faults.append(f"{name}: {path} does not exist")

for path in MODULE.findall((root / "ARCHITECTURE.md").read_text()):
    paths += 1
    modules = [root / folder / path.replace("::", "/") for folder in SOURCES]
    if not any(it.exists() or it.with_suffix(".rs").exists() for it in modules):
        faults.append(f"ARCHITECTURE.md: {path} does not exist")

sources = [*(it for folder in SOURCES for it in (root / folder).glob("**/*.rs")), root / "tests/editors/neovim.lua"]
code = [words(it.read_text()) for it in sources]
contributing = (root / "docs/contributing.md").read_text()
for _, excerpt in CODE.findall(contributing):
    excerpts += 1
    if not any(words(excerpt) in it for it in code):
        faults.append(f"docs/contributing.md: no source has\n{excerpt}")

if faults:
    sys.exit("\n".join(faults))
if not paths or not excerpts:
    sys.exit(f"{paths} paths and {excerpts} excerpts found")
print(f"ok   {paths} paths, {excerpts} excerpts")
