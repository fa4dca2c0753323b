"""Settings of the manual. It is built by scripts/manual, without network and with warnings as errors."""

from __future__ import annotations

import os
import pathlib
import re
import sys

here = pathlib.Path(__file__).resolve().parent
root = here.parent
sys.path.insert(0, str(here / "_ext"))

project = "Saltation"
author = "The Saltation developers"
copyright = "The Saltation developers; MIT or Apache-2.0"
release = re.search(r'^version = "(.+)"', (root / "Cargo.toml").read_text(), re.M).group(1)
version = release

extensions = ["mathml", "generated", "sphinx.ext.autodoc", "myst_nb", "sphinx_design", "sphinx_copybutton"]
exclude_patterns = ["_build", "_ext", "requirements.txt", "generated/papers.md"]
source_suffix = {".md": "myst-nb"}
nitpicky = True

# The Python reference (python.md). Types of signatures stand as text: most are those of NumPy and of pictures, which have no pages here.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 100

# Markdown
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath", "attrs_inline", "attrs_block"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

# Notebooks: executed once for every version of the package (scripts/manual names the folder of the cache).
nb_execution_mode = os.environ.get("SALTATION_MANUAL_EXECUTION", "cache")
nb_execution_cache_path = os.environ.get("SALTATION_MANUAL_CACHE", str(root / "target" / "manual" / "cache"))
nb_execution_timeout = 180
nb_execution_raise_on_error = True
nb_execution_show_tb = True
nb_merge_streams = True
nb_output_stderr = "remove"  # lines of progress
nb_ipywidgets_js = {}
nb_kernel_rgx_aliases = {".*": "python3"}

# Formulas without scripts
html_math_renderer = "mathml"

# Pages
html_theme = "pydata_sphinx_theme"
html_title = f"Saltation {release}"
html_static_path = ["_static"]
html_css_files = ["manual.css"]
html_favicon = "_static/mark.svg"
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "Saltation", "image_light": "_static/mark.svg", "image_dark": "_static/mark.svg"},
    "navbar_align": "left",
    "navbar_end": ["theme-switcher"],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "tango",
    "pygments_dark_style": "monokai",
}
html_context = {"default_mode": "auto"}
html_sidebars = {"index": [], "tutorial": []}
copybutton_exclude = ".linenos, .gp, .go"
