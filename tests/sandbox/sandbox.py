"""Runs the program under strace and looks at what it asks the system for.

The arguments are the program and an empty folder. Each session has the files that it may open and those that it may
change; every other file that exists, every connection and every other program is an error.
"""

import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

PROGRAM, SCRATCH = sys.argv[1], Path(sys.argv[2]).resolve()
TRACE = SCRATCH / "trace"
HOME, PROJECT, OUTSIDE = SCRATCH / "home", SCRATCH / "around" / "project", SCRATCH / "outside"

# Files that the loader, the C library, the standard library and the allocator read. None of them belongs to the user.
SYSTEM = re.compile(
    r"/etc/ld\.so\.(cache|preload)|/(usr/)?lib(64)?/.*\.so(\.\d+)*|/proc/self/(maps|cgroup|mountinfo|exe)"
    r"|/proc/sys/vm/overcommit_memory|/sys/fs/cgroup/.*|/sys/devices/system/cpu/.*|/dev/(null|tty)|/usr/lib/locale/.*"
    r"|/sys/kernel/mm/transparent_hugepage/enabled|/usr/share/locale/.*|/etc/localtime"
)
# A file that the process has open and gives a name.
OWN_FILE = re.compile(r"/proc/self/fd/\d+")
READS = re.compile(r'\b(?:open|openat|openat2|creat)\((?:AT_FDCWD, |\d+, )?"((?:[^"\\]|\\.)*)", ([A-Z_|]+).*\)\s+= (\d+)')
CHANGES = re.compile(
    r'\b(?:rename|renameat|renameat2|unlink|unlinkat|mkdir|mkdirat|link|linkat|symlink|symlinkat|truncate|chmod|chown'
    r'|fchmodat|fchownat|mknod|mknodat|setxattr|utimensat)\((.*)\)\s+= 0'
)
PROCESSES = re.compile(r"\b(?:execve|execveat|fork|vfork)\(")
CONNECTIONS = re.compile(r"\b(?:socket|socketpair|connect|bind|listen|accept|sendto|sendmsg)\(")
CLONES = re.compile(r"\bclone3?\((.*)\)\s+= \d+")

# The number of requests in a session.
LAST = 14

SIGNATURE = '[signature: "(a :strng) -> :int"]\n'
AGENT = 'SubAgent.new(prompt: "Go.", tools: %{"get" => &Tools.get/1})\n'
TOOLS = "defmodule Tools do\n  @spec get(pid()) :: integer()\n  def get(id), do: id\nend\n"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_files() -> None:
    write(PROJECT / ".git" / "HEAD", "ref: refs/heads/main\n")
    write(PROJECT / ".git" / "info" / "exclude", "*.none\n")
    write(PROJECT / ".gitignore", "/ignored\n")
    write(PROJECT / "mix.exs", "")
    write(PROJECT / "signature-ls.toml", "[rules]\nunused-parameter = \"off\"\n")
    write(PROJECT / "lib" / "agent.ex", AGENT)
    write(PROJECT / "lib" / "tools.ex", TOOLS)
    write(PROJECT / "lib" / "broken.ex", SIGNATURE)
    write(PROJECT / "lib" / "tools.sig", "get ( id:int )->:map\n")
    write(PROJECT / "notes.md", "# Notes\n")
    # None of these belongs to the project.
    for name in ["mix.exs", "mix.lock", "signature-ls.toml", ".gitignore", "lib/outer.ex"]:
        write(PROJECT.parent / name, "")
    for name in [".gitconfig", ".config/git/ignore", ".config/signature-ls.toml", ".gitignore", ".bashrc"]:
        write(HOME / name, "")
    write(OUTSIDE / "secret.ex", SIGNATURE)
    write(OUTSIDE / "repository" / "info" / "exclude", "")
    (PROJECT / "lib" / "secret.ex").symlink_to(OUTSIDE / "secret.ex")
    (PROJECT / "lib" / "folder").symlink_to(OUTSIDE)
    (PROJECT / "lib" / "zero.ex").symlink_to("/dev/zero")
    (PROJECT / "lib" / "memory.ex").symlink_to("/proc/self/mem")
    os.mkfifo(PROJECT / "lib" / "pipe.ex")
    with socket.socket(socket.AF_UNIX) as server:
        os.chdir(PROJECT / "lib")
        server.bind("socket.ex")


def start(arguments: list[str]) -> subprocess.Popen[bytes]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(HOME), "LANG": "C.UTF-8"}
    command = ["strace", "-f", "-s", "4096", "-e", "trace=%file,%network,%process", "-o", str(TRACE), PROGRAM]
    pipe = subprocess.PIPE
    return subprocess.Popen(command + arguments, stdin=pipe, stdout=pipe, stderr=pipe, cwd=PROJECT, env=environment)


def traced(arguments: list[str], messages: bytes = b"") -> tuple[str, str]:
    """What the program prints, and what it asks the system for."""
    process = start(arguments)
    output, errors = process.communicate(messages, timeout=120)
    if process.returncode not in (0, 1, 2):
        raise SystemExit(f"{arguments}: exit code {process.returncode}\n{errors.decode()}")
    return output.decode() + errors.decode(), read_trace()


def traced_session(settings: object) -> str:
    """What the server asks the system for in a session that ends as it should."""
    process = start(["lsp"])
    assert process.stdin and process.stdout
    process.stdin.write(session(settings))
    process.stdin.flush()
    answered = 0
    while answered < LAST:
        length = int(process.stdout.readline().split(b":")[1])
        process.stdout.readline()
        answered += b'"id":' in (body := process.stdout.read(length)) and b'"method":' not in body
    process.communicate(message("shutdown", None, LAST + 1) + message("exit", None), timeout=60)
    if process.returncode != 0:
        raise SystemExit(f"the session ends with code {process.returncode}")
    return read_trace()


def read_trace() -> str:
    return joined(TRACE.read_text(encoding="utf-8", errors="replace"))


def joined(trace: str) -> str:
    """The trace with each call that was interrupted by another thread on one line."""
    begun: dict[str, str] = {}
    lines = []
    for line in trace.splitlines():
        thread, _, call = line.partition(" ")
        if call.rstrip().endswith("<unfinished ...>"):
            begun[thread] = call.rstrip().removesuffix("<unfinished ...>")
        elif resumed := re.match(r"\s*<\.\.\. \w+ resumed>(.*)", call):
            lines.append(f"{thread} {begun.pop(thread, '')}{resumed[1]}")
        else:
            lines.append(line)
    return "\n".join(lines)


def check(name: str, trace: str, may_open: list[Path], may_change: list[Path]) -> None:
    problems = []
    opened = set()
    for line in trace.splitlines():
        if found := READS.search(line):
            path = Path(os.path.normpath(PROJECT / found[1]))
            opened.add(path)
            is_writing = re.search("O_WRONLY|O_RDWR|O_CREAT", found[2])
            is_unnamed = "O_TMPFILE" in found[2] and path in {it.parent for it in may_change}
            if is_writing and not is_unnamed and not is_temporary(path, may_change):
                problems.append(f"writes {path}")
            elif not is_writing and not SYSTEM.fullmatch(str(path)) and not is_allowed(path, may_open, may_change):
                problems.append(f"opens {path}")
        elif found := CHANGES.search(line):
            paths = [Path(os.path.normpath(PROJECT / it)) for it in re.findall(r'"((?:[^"\\]|\\.)*)"', found[1])]
            paths = [path for path in paths if not OWN_FILE.fullmatch(str(path))]
            if not all(path in may_change or is_temporary(path, may_change) for path in paths):
                problems.append(f"changes {found[0]}")
        elif CONNECTIONS.search(line):
            problems.append(f"connects: {line}")
        elif (found := CLONES.search(line)) and "CLONE_THREAD" not in found[1]:
            problems.append(f"starts a process: {line}")
    if len(PROCESSES.findall(trace)) != 1:
        problems.append("runs another program")
    missing = [path for path in may_open if path.is_file() and path not in opened]
    problems += [f"does not open {path}, so that this shows nothing" for path in missing]
    if problems:
        raise SystemExit(f"{name}:\n  " + "\n  ".join(problems))
    print(f"ok   {name}")


def is_allowed(path: Path, may_open: list[Path], may_change: list[Path]) -> bool:
    return path in may_open or path in may_change or is_temporary(path, may_change)


def is_temporary(path: Path, may_change: list[Path]) -> bool:
    return path.name.startswith(".signature-ls-") and any(path.parent == it.parent for it in may_change)


def message(method: str, params: object, number: int | None = None) -> bytes:
    fields = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        fields["id"] = number
    body = json.dumps(fields).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def session(settings: object) -> bytes:
    """A session that asks for all that may lead to other files."""
    uri = (PROJECT / "lib" / "agent.ex").as_uri()
    document, position = {"uri": uri}, {"line": 0, "character": AGENT.index("Tools.get") + 7}
    folders = [{"uri": PROJECT.as_uri(), "name": "project"}]
    parts = [
        message("initialize", {"capabilities": {}, "workspaceFolders": folders, "initializationOptions": settings}, 1),
        message("initialized", {}),
        message("textDocument/didOpen", {"textDocument": {**document, "languageId": "elixir", "version": 1, "text": AGENT}}),
    ]
    at = {"textDocument": document, "position": position}
    requests = [
        ("textDocument/hover", at),
        ("textDocument/definition", at),
        ("textDocument/completion", at),
        ("textDocument/references", {**at, "context": {"includeDeclaration": True}}),
        ("textDocument/rename", {**at, "newName": "other"}),
        ("textDocument/codeAction", {"textDocument": document, "range": {"start": position, "end": position}, "context": {"diagnostics": []}}),
        ("workspace/symbol", {"query": "get"}),
        ("workspace/diagnostic", {"previousResultIds": []}),
        ("textDocument/diagnostic", {"textDocument": {"uri": (PROJECT / "lib" / "secret.ex").as_uri()}}),
        ("textDocument/diagnostic", {"textDocument": {"uri": (PROJECT / "lib" / "pipe.ex").as_uri()}}),
        ("textDocument/diagnostic", {"textDocument": {"uri": (PROJECT / "lib" / "zero.ex").as_uri()}}),
        ("textDocument/diagnostic", {"textDocument": {"uri": f"file://server{PROJECT}/lib/tools.ex"}}),
    ]
    assert len(requests) + 2 == LAST
    parts += [message(method, params, number) for number, (method, params) in enumerate(requests, 2)]
    parts.append(message("textDocument/didSave", {"textDocument": document}))
    parts.append(message("textDocument/diagnostic", {"textDocument": document}, LAST))
    return b"".join(parts)


def main() -> None:
    make_files()
    around = [PROJECT / name for name in ["signature-ls.toml", "mix.exs", ".gitignore"]]
    folders = [PROJECT, PROJECT / "lib"]
    own = [PROJECT / "lib" / name for name in ["agent.ex", "tools.ex", "broken.ex", "tools.sig"]]
    notes = PROJECT / "notes.md"

    output, trace = traced(["check", "."])
    assert "unknown-type" in output and "unmapped-spec" in output, output
    check("check", trace, around + folders + own + [notes], [])
    for command in [["list", "."], ["schema", "."], ["check", "--fix", "--diff", "."], ["format", "--check", "."]]:
        _, trace = traced(command)
        check(" ".join(command), trace, around[:1] + folders + own[2:], [*around, *own, notes])
    for command in [["explain", "unknown-type"], ["--version"], ["man"], ["completions", "bash"]]:
        _, trace = traced(command)
        check(" ".join(command), trace, [], [])
    _, trace = traced(["batch"], b'{"op": "parse", "signature": "(a :int) -> :int"}\n')
    check("batch", trace, [], [])

    trace = traced_session(None)
    # Symbols and diagnostics of the workspace include all files that can have some.
    check("lsp", trace, [*around, *folders, own[1], notes], [*own])
    log = HOME / "server.log"
    trace = traced_session({"log": {"level": "debug", "file": str(log)}})
    problems = [line for line in trace.splitlines() if "O_CREAT" in line and f'"{log}"' not in line]
    assert not problems, problems
    text = log.read_text(encoding="utf-8")
    assert "textDocument/definition" in text and "SubAgent" not in text, text
    print("ok   log")

    _, trace = traced(["check", "--fix", "lib/broken.ex"])
    check("check --fix", trace, [*around[:1], PROJECT / "lib" / "broken.ex"], [PROJECT / "lib" / "broken.ex", *around])
    _, trace = traced(["format", "lib/tools.sig"])
    check("format", trace, [PROJECT / "lib" / "tools.sig"], [PROJECT / "lib" / "tools.sig", *around])
    assert ":string" in (PROJECT / "lib" / "broken.ex").read_text(encoding="utf-8")
    assert (PROJECT / "lib" / "tools.sig").read_text(encoding="utf-8") == "get(id :int) -> :map\n"
    print("sandbox: all passed")


main()
