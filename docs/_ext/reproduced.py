"""The pages of papers that are data files: `saltation reproduce all` runs their commands, and each gets a page with figures, commands and digits.

What it computes is kept in `docs/generated/reproduced/` and computed again when the package is another one.
"""

from __future__ import annotations

import hashlib
import json
import math
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterable
from typing import Any

Paper = dict[str, Any]


def papers(folder: pathlib.Path) -> list[Paper]:
    """All papers with what was found for them; their pictures are in a folder for each."""
    import saltation._saltation as compiled

    digest = hashlib.sha256(pathlib.Path(compiled.__file__).read_bytes()).hexdigest()
    stamp, kept = folder / "stamp.txt", folder / "papers.json"
    if not (stamp.exists() and kept.exists() and stamp.read_text() == digest):
        folder.mkdir(exist_ok=True, parents=True)
        command = [sys.executable, "-m", "saltation", "reproduce", "all", "--json", "--out", str(folder)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise SystemExit(f"saltation reproduce all: {ran.stderr}")
        kept.write_text(ran.stdout)
        stamp.write_text(digest)
    return json.loads(kept.read_text())["papers"]


def plain(text: str) -> str:
    """A text as Markdown that shows it as it is.

    >>> plain("a * b < c_1 $x$ | [y]")
    'a \\\\* b \\\\< c\\\\_1 \\\\$x\\\\$ \\\\| \\\\[y\\\\]'
    """
    return re.sub(r"([\\`*_<>$|\[\]#~])", r"\\\1", " ".join(text.split()))


def code(text: str) -> str:
    """A text as code in a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def number(value: float | None, digits: int = 13) -> str:
    return "" if value is None else f"`{value:.{digits}g}`"


def agreed(digits: float | None) -> str:
    """The digits in which two numbers agree.

    >>> agreed(15.3), agreed(11.9), agreed(None)
    ('all', '11', '')
    """
    if digits is None:
        return ""
    return "all" if digits >= 15 else str(math.floor(digits))


def citation(paper: Paper) -> str:
    year = f" ({paper['year']})" if paper["year"] else ""
    doi = f" [doi:{paper['doi']}](https://doi.org/{paper['doi']})" if paper["doi"] else ""
    return f"*{plain(paper['authors'])}, {plain(paper['title'])}, {plain(paper['where'])}{year}.*{doi}"


def numbers(rows: Iterable[dict[str, Any]]) -> list[str]:
    out = ["| number | found | published | second route | by | digits | |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        route = row["route"]
        route = f"closed form {code(route.removeprefix('closed form '))}" if route.startswith("closed form ") else plain(route)
        route = re.sub(r"^root of .*", lambda found: f"root of {code(row['route'].removeprefix('root of '))}", route)
        published = f"`{row['published']}`" if row["published"] else ""
        verdict = row["verdict"] if not row["errs"] else f"**the paper errs:** {plain(row['errs'])}"
        cells = (plain(row["what"]), number(row["found"]), published, number(row["second"]), route, agreed(row["digits"]), verdict)
        out.append("| " + " | ".join(cells) + " |")
    return out


def page(paper: Paper) -> str:
    """A paper: what it claims, its figures with commands and digits, and its models. Its tables are wide and need the place of the table of contents."""
    name = paper["name"]
    year = f" ({paper['year']})" if paper["year"] else ""
    out = ["---\nhtml_theme.sidebar_secondary.remove: true\n---\n", f"# {plain(paper['short'])}{year}\n", citation(paper) + "\n", f"**It claims:** {plain(paper['claims'])}\n",
           f"**At hand:** {plain(paper['from'])}\n"]
    if paper["notebook"]:
        out.append(f"[The notebook](/papers/{paper['notebook']}.md) has more of it.\n")
    out.append("The whole page is made by one command, which writes models, pictures and answers to a folder in which every other command can be typed again:\n")
    out.append(f"```sh\nsaltation reproduce {name}\n```\n")
    for figure in paper["figures"]:
        of = f" ({plain(figure['of'])})" if figure["of"] else ""
        out.append(f"## {figure['name']}{of}\n\n{plain(figure['shows'])}\n")
        out.append("```sh\n" + "\n".join(figure["commands"]) + "\n```\n")
        out.extend(f"![{plain(figure['shows'])}]({name}/{picture})\n" for picture in figure["pictures"])
        out.extend([":::{div} numbers", *numbers(figure["numbers"]), ":::", ""])
        if figure["values"]:
            out.append("with " + ", ".join(code(f"{one} = {formula}") for one, formula in figure["values"].items()) + "\n")
    if paper["errata"]:
        out.extend(["## Where it errs\n", "| where | what stands there | the second route |", "|---|---|---|"])
        out.extend(f"| {plain(one['at'])} | {plain(one['says'])} | {plain(one['route'])} |" for one in paper["errata"])
        out.append("")
    if paper["values"]:
        formulas = "\n".join(f"{one} = {formula}" for one, formula in paper["values"].items())
        out.append(f":::{{dropdown}} Names in the closed forms\n```text\n{formulas}\n```\n:::\n")
    for file, text in paper["models"].items():
        out.append(f":::{{dropdown}} {file}\n```toml\n{text.strip()}\n```\n:::\n")
    return "\n".join(out)


def least(figure: dict[str, Any]) -> str:
    """The fewest digits in which a number of a figure agrees with its second route."""
    digits = [row["digits"] for row in figure["numbers"] if row["digits"] is not None]
    return agreed(min(digits)) if digits else "as printed"


def claims(found: list[Paper]) -> list[str]:
    """The table from claims to commands to digits."""
    out = ["| paper | figure | command | numbers | digits, at least |", "|---|---|---|---|---|"]
    for paper in found:
        for figure in paper["figures"]:
            title = f"[{plain(paper['short'])}](/generated/reproduced/{paper['name']}.md)"
            command = f"saltation reproduce {paper['name']} {figure['name']}"
            out.append(f"| {title} | {plain(figure['shows'])} | {code(command)} | {len(figure['numbers'])} | {least(figure)} |")
    return [*out, ""]


def disagreements(found: list[Paper]) -> list[str]:
    """All disagreements with the literature, with the second route that shows each."""
    out = ["| paper | where | published | the second route |", "|---|---|---|---|"]
    for paper in found:
        title = f"[{plain(paper['short'])}](/generated/reproduced/{paper['name']}.md)"
        for figure in paper["figures"]:
            for row in figure["numbers"]:
                if row["errs"]:
                    route = f"{number(row['second'])}, {plain(row['route'])}: {plain(row['errs'])}"
                    out.append(f"| {title} | {plain(row['what'])} | `{row['published']}` | {route} |")
        out.extend(f"| {title} | {plain(one['at'])} | {plain(one['says'])} | {plain(one['route'])} |" for one in paper["errata"])
    return [*out, ""]


def first_picture(paper: Paper) -> str | None:
    """The picture of its card."""
    pictures = [picture for figure in paper["figures"] for picture in figure["pictures"]]
    # Diagrams and basins have many points and are pixels; they show more than a line.
    return min(pictures, key=lambda picture: not picture.endswith(".png"), default=None)
