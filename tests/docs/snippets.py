"""Checks the configurations that the documents show: every block of JSON, TOML and YAML parses, and the workflows of
`docs/ci.md` use inputs, outputs and hooks that exist.

    snippets.py REPOSITORY
"""

import json
import re
import sys
import tomllib
from pathlib import Path

import yaml

root = Path(sys.argv[1])
documents = [*root.glob("*.md"), *root.glob("docs/*.md"), *root.glob("editors/*/README.md")]
BLOCK = re.compile(r"^( *)```(\w+)[^\n]*\n(.*?)^ *```$", re.M | re.S)


def settings(text):
    """The value of a JSON block: a document, or an excerpt of the keys of one. `…` stands for a value."""
    text = text.strip().replace("…", "null")
    return json.loads(text if text[0] in "{[" else "{" + text + "}")


PARSERS = {"json": settings, "toml": tomllib.loads, "yaml": yaml.safe_load}

faults = []
counts = dict.fromkeys(PARSERS, 0)
workflows = []
for document in documents:
    name = document.relative_to(root)
    for indent, language, text in BLOCK.findall(document.read_text(encoding="utf-8")):
        if language not in PARSERS:
            continue
        counts[language] += 1
        try:
            value = PARSERS[language]("".join(line.removeprefix(indent) for line in text.splitlines(True)))
        except (ValueError, yaml.YAMLError) as error:
            faults.append(f"{name}: a block of {language} does not parse: {error}\n{text}")
            continue
        if str(name) == "docs/ci.md":
            workflows.append(value)

action = yaml.safe_load((root / "action.yml").read_text(encoding="utf-8"))
hooks = {it["id"] for it in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
repository = "OWNER/signature-ls"
steps = used = 0
for value in workflows:
    if isinstance(value, dict) and "repos" in value:
        for hook in value["repos"][0]["hooks"]:
            used += 1
            if hook["id"] not in hooks:
                faults.append(f"docs/ci.md: there is no hook {hook['id']}")
        continue
    listed = value["steps"] if isinstance(value, dict) else value
    for step in listed:
        if step["uses"].startswith(repository + "@"):
            steps += 1
            for key in set(step.get("with", {})) - set(action["inputs"]):
                faults.append(f"docs/ci.md: the action has no input {key}")
    ids = {it["id"] for it in listed if "id" in it}
    for step_id, output in re.findall(r"steps\.([\w-]+)\.outputs\.([\w-]+)", json.dumps(value)):
        if step_id not in ids or output not in action["outputs"]:
            faults.append(f"docs/ci.md: there is no output {step_id}.{output}")

ci = (root / "docs/ci.md").read_text(encoding="utf-8")
described = set(re.findall(r"^\| `([\w-]+)` \|", ci, re.M))
if described != set(action["inputs"]):
    faults.append(f"docs/ci.md describes {sorted(described)}, action.yml has {sorted(action['inputs'])}")
for hook in re.findall(r"`(signature-ls[\w-]*)` (?:builds|uses)", ci):
    used += 1
    if hook not in hooks:
        faults.append(f"docs/ci.md: there is no hook {hook}")

if faults:
    sys.exit("\n".join(faults))
if not (all(counts.values()) and steps and used):
    sys.exit(f"{counts}, {steps} steps and {used} hooks found")
print("ok   " + ", ".join(f"{count} blocks of {language}" for language, count in counts.items()))
