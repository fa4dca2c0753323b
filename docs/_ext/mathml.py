"""Formulas as MathML, by the converter of docutils: pages need no script and no network."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as tree

from docutils.utils.math import latex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

SPACE = "http://www.w3.org/1998/Math/MathML"
ACCENTS = set("˙¨^¯~→ˆ‾˜")

logger = logging.getLogger(__name__)


def convert(tex: str, node, block: bool) -> str:
    """The MathML of one formula; what the converter does not know is a warning with its place."""
    # The converter reads the digits of \frac45 as one number.
    tex = re.sub(r"\\([td]?frac)\s*(\d)\s*(\d)", r"\\\1{\2}{\3}", tex)
    try:
        found = latex2mathml.tex2mathml(tex.strip(), as_block=block)
        # As in TeX, a thin space between a function and an argument without brackets.
        return accents(re.sub(r"(<mo>&ApplyFunction;</mo>\s*)(?=<m(i|n|frac|sub|sup|subsup|sqrt)>)", r'\1<mspace width="0.17em"/>', found))
    except Exception as error:  # the converter raises plain exceptions of several kinds
        logger.warning("formula %r: %s", tex, error, location=node)
        return f"<code>{escape(tex)}</code>"


def accents(text: str) -> str:
    """The converter sets the subscript of an accented letter below it, as of a sum; it belongs to its right."""
    if "munderover" not in text:
        return text
    tree.register_namespace("", SPACE)
    # HTML knows more names of characters than XML.
    root = tree.fromstring(re.sub(r"&(?!amp;|lt;|gt;)\w+;", lambda name: html.unescape(name[0]), text))
    for one in root.iter(f"{{{SPACE}}}munderover"):
        base, below, above = one
        if (above.text or "").strip() in ACCENTS:
            accented = tree.Element(f"{{{SPACE}}}mover", {"accent": "true"})
            accented.extend([base, above])
            one.tag = f"{{{SPACE}}}msub"
            one[:] = [accented, below]
    return tree.tostring(root, encoding="unicode")


def escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def inline(self, node) -> None:
    from docutils import nodes

    self.body.append(convert(node.astext(), node, False))
    raise nodes.SkipNode


def display(self, node) -> None:
    from docutils import nodes

    anchor = f' id="{node["ids"][0]}"' if node.get("ids") else ""
    self.body.append(f'<div class="math-block"{anchor}>')
    if node.get("number"):
        self.body.append(f'<span class="eqno">({node["number"]})</span>')
    self.body.append(convert(node.astext(), node, True))
    self.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, object]:
    app.add_html_math_renderer("mathml", inline_renderers=(inline, None), block_renderers=(display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
