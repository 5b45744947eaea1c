"""Checks the links of built pages: each that leads to a file of the same site must lead to one that is there.

usage: links.py FOLDER
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """What a page links to, and the anchors that it has."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" and value:
                self.anchors.add(value)


def main() -> int:
    root = Path(sys.argv[1]).resolve()
    # These repeat the content of other pages, or are shown at any path.
    pages = {path: Page(path) for path in sorted(root.rglob("*.html")) if path.name not in ("print.html", "404.html")}
    broken = []
    count = 0
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                broken.append(f"{path.relative_to(root)}: {link}")
            # What the playground has after `#` is a text, not an anchor.
            elif parts.fragment and target in pages and "playground" not in target.parts:
                if unquote(parts.fragment) not in pages[target].anchors:
                    broken.append(f"{path.relative_to(root)}: {link} (no such anchor)")
    print("\n".join(broken) or f"ok   {count} links of {len(pages)} pages")
    return 1 if broken else 0


sys.exit(main())
