"""Checks the built manual: every local link and anchor leads somewhere, and no page loads anything from the network.

    python3 scripts/manual_links.py FOLDER"""
import pathlib
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, its links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = {""}
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value for name, value in attributes if value is not None}
        self.anchors.update(values[name] for name in ("id", "name") if name in values)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") not in ("canonical",) and "href" in values:
            self.loads.append(values["href"])
        elif tag in ("script", "img", "iframe", "source", "video", "object") and "src" in values:
            self.loads.append(values["src"])


def main(folder: pathlib.Path) -> int:
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html") if "_static" not in path.parts}
    wrong, seen = [], 0
    for path, page in pages.items():
        for link, loaded in [(link, False) for link in page.links] + [(link, True) for link in page.loads]:
            parts = urlsplit(link)
            if parts.scheme == "data" or link.startswith("#") and path.name in ("search.html", "genindex.html"):
                continue
            if parts.scheme or parts.netloc:
                if loaded:
                    wrong.append(f"{path.relative_to(folder.resolve())} loads {link} from the network")
                continue
            seen += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.exists():
                wrong.append(f"{path.relative_to(folder.resolve())}: there is no {link}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                wrong.append(f"{path.relative_to(folder.resolve())}: {link} has no such anchor")
    for line in sorted(set(wrong)):
        print(line, file=sys.stderr)
    print(f"{seen} local links on {len(pages)} pages, {len(set(wrong))} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
