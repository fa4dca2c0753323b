"""Pages that are made from other files of the checkout: messages, the gallery, validation.

They are written to `docs/generated/` before Sphinx looks for pages, and only when their text changes. Links of pages to files outside `docs/`
are turned to the pages that show these files.
"""

from __future__ import annotations

import pathlib
import re
import shutil
import tomllib

import reproduced
from sphinx.application import Sphinx

docs = pathlib.Path(__file__).resolve().parent.parent
root = docs.parent

# Where a link out of docs/ leads inside the manual.
ELSEWHERE = {
    "../validation/README.md": "generated/validation.md",
    "../models/README.md": "generated/gallery.md",
    "../crates/model/models/README.md": "generated/gallery.md",
    "../ARCHITECTURE.md": "generated/architecture.md",
}

# What the files of wrong models are about, by the first word of their names.
SUBJECTS = {
    "angle": "Angles", "belt": "Friction", "bodies": "Bodies", "body": "Bodies", "contact": "Contacts", "contacts": "Contacts",
    "corners": "Switches", "definitions": "Definitions", "discrete": "Discrete states", "event": "Events", "events": "Events",
    "flow": "Flows", "folder": "Files", "empty": "Files", "missing": "Files", "not": "Files", "only": "Files", "toml": "Files",
    "format": "Format and name", "name": "Names", "names": "Names", "formula": "Formulas", "friction": "Friction", "gap": "Gaps",
    "impacts": "Impacts", "invisible": "Formulas", "jump": "Jumps", "key": "Keys", "lagrangian": "Lagrangians", "mass": "Mechanics",
    "matrices": "Matrices", "parameter": "Parameters", "parameters": "Parameters", "phase": "Phases", "power": "Formulas",
    "restitution": "Restitution", "section": "Sections", "side": "Switches", "sketch": "Sketches", "start": "Starts", "switch": "Switches",
    "settings": "Numbers in flags", "numbers": "Numbers in flags", "structure": "Matrices", "toml": "Files", "type": "Keys", "value": "Keys",
    "table": "Keys", "several": "Files", "states": "Names", "time": "Names", "switches": "Switches", "symmetry": "Symmetries", "track": "Friction", "unit": "Units", "units": "Units", "velocity": "Mechanics",
}


def write(name: str, text: str) -> None:
    path = docs / "generated" / name
    path.parent.mkdir(exist_ok=True, parents=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def snapshot(path: pathlib.Path) -> tuple[str, str]:
    """The expression and the text of a snapshot of insta."""
    _, head, text = path.read_text().split("---\n", 2)
    expression = re.search(r"^expression: (.*)$", head, re.M)
    return (expression.group(1) if expression else ""), text.rstrip()


def fenced(text: str, language: str = "text") -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}\n"


def model_messages() -> str:
    groups: dict[str, list[tuple[str, str]]] = {}
    paths = sorted((root / "crates/model/tests/snapshots").glob("*.snap"))
    for path in paths:
        name = path.stem.split("__", 2)[2]
        groups.setdefault(SUBJECTS.get(name.split("-")[0], "Others"), []).append((name, snapshot(path)[1]))
    out = ["# Messages about models\n",
           f"What is said to {len(paths)} wrong files. The tests of the checkout compare every message with this page's source. "
           "All mistakes of a layer are reported in one pass: shape, then formulas, then names, then mathematics at the start and at random states.\n"]
    for subject in sorted(groups, key=lambda s: (s == "Others", s)):
        out.append(f"## {subject}\n")
        for name, text in groups[subject]:
            out.append(fenced(text))
    return "\n".join(out)


def command_messages() -> str:
    folder = root / "crates/saltation-cli/tests/snapshots"
    groups: dict[str, list[str]] = {}
    for path in sorted(folder.glob("*.snap")):
        _, test, _ = path.stem.split("__", 2)
        text = snapshot(path)[1]
        if text.strip():
            groups.setdefault(test, []).append(text)
    out = ["# Messages of the command\n",
           f"What is said to {sum(map(len, groups.values()))} wrong flags and files, as the tests of the checkout hold it. "
           "The command then ends with the code 2; Python raises `saltation.RequestError` or `saltation.ModelError` with the same words.\n"]
    for test in sorted(groups):
        out.append(f"## Tests of `{test}`\n")
        out.extend(fenced(text) for text in groups[test])
    return "\n".join(out)


def references() -> dict[str, tuple[str, ...]]:
    """The rows of models/README.md by model: body, what it shows, source, a reference result."""
    rows = {}
    for line in (root / "models/README.md").read_text().splitlines():
        found = re.match(r"\| \[([\w-]+)\]\([\w.-]+\) \|(.*)\|$", line)
        if found:
            rows[found.group(1)] = tuple(cell.strip() for cell in found.group(2).split("|"))
    return rows


def gallery() -> str:
    rows = references()
    out = ["# The gallery\n",
           f"The {len(rows)} models that come with the program. `saltation.gallery(\"NAME\")` and `saltation simulate NAME` take them by name; "
           "`saltation gallery NAME` prints the file. The last column of the table is a result that the tests compare.\n",
           "| model | body | what it shows | a reference result |", "|---|---|---|---|"]
    for name, (body, shows, _source, result) in rows.items():
        out.append(f"| [](#model-{name}) | {body} | {shows} | {result} |")
    out.append("")
    for name, (_, _, source, _) in rows.items():
        text = (root / "models" / f"{name}.toml").read_text().rstrip()
        data = tomllib.loads(text)
        out.append(f"(model-{name})=\n## {name}\n\n**{data.get('title', name)}.** {data.get('about', '')} *Source:* {source}.\n")
        out.append(":::{dropdown} The file\n" + fenced(text, "toml") + ":::\n")
    return "\n".join(out)


def first_sentence(path: pathlib.Path) -> str:
    lines = []
    for line in path.read_text().splitlines():
        if not line.startswith("//!") or line == "//!":
            break
        lines.append(line.removeprefix("//!").strip())
    return " ".join(lines)


def validation() -> str:
    folder = root / "validation"
    readme = (folder / "README.md").read_text()
    intro, *sections = re.split(r"^## ", readme, flags=re.M)
    intro = intro.split("\n", 1)[1].strip()
    tables = {}
    rows = 0
    for section in sections:
        title, body = section.split("\n", 1)
        rows += len([line for line in body.splitlines() if line.startswith("| ")]) - 1
        for file in re.findall(r"`(?:[\w/]*/)?([\w]+)\.rs`", title):
            tables[file] = title.split(" (`")[0]
    out = ["# Validation\n", intro + "\n"]
    out.append("## The tests\n\nEvery file of `validation/` begins with what it checks.\n\n| file | what it checks | tests | rows below |\n|---|---|---|---|")
    total = 0
    for path in sorted([*folder.glob("*.rs"), *folder.glob("piecewise/*.rs")]):
        tests = len(re.findall(r"^\s*#\[test\]", path.read_text(), re.M))
        total += tests
        about = first_sentence(path).replace("|", "\\|")
        if not about:
            raise SystemExit(f"{path} does not begin with a line that says what it checks")
        if tests:
            link = f"[{tables[path.stem]}](#{slug(full_title(sections, path.stem))})" if path.stem in tables else ""
            out.append(f"| `{path.relative_to(folder)}` | {about} | {tests} | {link} |")
    out.insert(2, f"{total} tests hold {rows} rows of references.\n")
    out.append("")
    out.extend("## " + section.rstrip() + "\n" for section in sections)
    return "\n".join(out)


def full_title(sections: list[str], stem: str) -> str:
    for section in sections:
        title = section.split("\n", 1)[0]
        if f"{stem}.rs`" in title:
            return title
    raise KeyError(stem)


def slug(title: str) -> str:
    """The anchor that MyST gives a heading, as on GitHub."""
    return re.sub(r"[^\w\- ]", "", title.lower().replace("`", "")).replace(" ", "-")


def architecture() -> str:
    text = (root / "ARCHITECTURE.md").read_text()
    return re.sub(r"\]\(docs/([\w-]+\.md)\)", r"](../\1)", text)


def front_matter(path: pathlib.Path) -> dict[str, str]:
    """The lines `key: "words"` at the beginning of a notebook."""
    head = path.read_text().split("---\n")[1]
    return {key: value for key, value in re.findall(r'^(\w+): "?(.*?)"?$', head, re.M)}


def card(title: str, link: str, picture: str | None, text: str) -> list[str]:
    image = [f'<img src="../_static/papers/{picture}" alt="{title}" class="paper">', ""] if picture else []
    return [":::{grid-item-card} " + title, f":link: {link}", ":link-type: doc", "", *image, text, ":::", ""]


def papers(found: list[reproduced.Paper]) -> str:
    """Counts, cards of all notebooks and of all data files, each with its first figure (`pictures` copies it when the pages are built), and their tables."""
    notebooks = [(path.stem, front_matter(path)) for path in sorted((docs / "papers").glob("*.md")) if path.stem != "index"]
    notebooks.sort(key=lambda item: int(item[1]["order"]))
    own = [paper for paper in found if not paper["notebook"]]
    figures = sum(int(head["count"]) for _, head in notebooks) + sum(paper["counted"] for paper in found)
    checked = sum(len(figure["numbers"]) for paper in found for figure in paper["figures"])
    out = [f"{len(notebooks) + len(own)} papers, {figures} figures and tables: {len(notebooks)} notebooks, and {len(found)} data files with {checked} numbers, of which "
           f"{len(own)} are papers without a notebook. A figure that a notebook and a data file both show counts once.\n",
           "## Notebooks\n", "::::{grid} 1 2 2 3", ":gutter: 3", ""]
    for stem, head in notebooks:
        text = f"{head['paper']}.\n\n**{head['count']}** of {head['of']}: {head['reproduces']}"
        out += card(head["short"], stem, f"{stem}.png", text)
    out += ["::::", "", "## One command each\n",
            "`saltation reproduce` lists these papers, and `saltation reproduce PAPER` makes its page again. [A paper as a data file](/reproduce.md) says how to add one.\n",
            "::::{grid} 1 2 2 3", ":gutter: 3", ""]
    for paper in found:
        picture = reproduced.first_picture(paper)
        picture = picture and paper["name"] + pathlib.Path(picture).suffix
        count = f"{paper['count']} figures and tables, {sum(len(figure['numbers']) for figure in paper['figures'])} numbers"
        beside = f", beside [the notebook](/papers/{paper['notebook']}.md)" if paper["notebook"] else ""
        text = f"{reproduced.citation(paper)}\n\n**{count}**{beside}"
        out += card(paper["short"], f"/generated/reproduced/{paper['name']}", picture, text)
    out += ["::::", "", "## From claims to digits\n", "Every line is a command. Beside a graph the grid limits the digits; all else agrees to what rounding leaves.\n",
            *reproduced.claims(found), "## Disagreements with the literature\n", "Where a printed number or formula errs, and the second route that shows it.\n",
            *reproduced.disagreements(found),
            "```{toctree}", ":hidden:", "", *(stem for stem, _ in notebooks), *(f"/generated/reproduced/{paper['name']}" for paper in found), "```", ""]
    return "\n".join(out)


def pictures(app: Sphinx, exception: Exception | None) -> None:
    """Copies the first picture of every notebook and of every data file to the place where the cards look for it."""
    if exception is not None or app.builder.name != "html":
        return
    out = pathlib.Path(app.outdir)
    cards = out / "_static" / "papers"
    cards.mkdir(exist_ok=True, parents=True)
    for path in sorted((docs / "papers").glob("*.md")):
        page = out / "papers" / f"{path.stem}.html"
        image = re.search(r'<img[^>]*src="\.\./(_images/[^"]+\.png)"', page.read_text()) if page.exists() else None
        if image and path.stem != "index":
            shutil.copyfile(out / image.group(1), cards / f"{path.stem}.png")
    for paper in reproduced.papers(docs / "generated" / "reproduced"):
        picture = reproduced.first_picture(paper)
        if picture:
            file = docs / "generated" / "reproduced" / paper["name"] / picture
            shutil.copyfile(file, cards / f"{paper['name']}{file.suffix}")


def elsewhere(app: Sphinx, name: str, source: list[str]) -> None:
    if "/" not in name:
        for link, page in ELSEWHERE.items():
            source[0] = source[0].replace(f"]({link})", f"]({page})")


def all_names() -> None:
    """Every public name of the package stands on the page of the Python reference."""
    import saltation

    page = (docs / "python.md").read_text()
    missing = [name for name in saltation.__all__ if not re.search(rf"(:: (?:saltation\.)?|saltation\.|st\.){re.escape(name)}\b", page)]
    if missing:
        raise SystemExit(f"docs/python.md leaves out {', '.join(missing)}")


def write_all(app: Sphinx, config: object) -> None:
    all_names()
    write("messages.md", model_messages())
    write("command-messages.md", command_messages())
    write("gallery.md", gallery())
    write("validation.md", validation())
    write("architecture.md", architecture())
    found = reproduced.papers(docs / "generated" / "reproduced")
    for paper in found:
        write(f"reproduced/{paper['name']}.md", reproduced.page(paper))
    write("papers.md", papers(found))


def without_constructor(_app: Sphinx, what: str, *_others: object) -> tuple[str, None] | None:
    """Systems and answers come from functions and methods: how they are constructed says nothing to a reader."""
    return ("", None) if what in ("class", "exception") else None


def setup(app: Sphinx) -> dict[str, object]:
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("config-inited", write_all)
    app.connect("source-read", elsewhere)
    app.connect("build-finished", pictures)
    app.connect("autodoc-process-signature", without_constructor)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
