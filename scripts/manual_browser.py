"""Opens every page of the built manual in headless Chromium, light and dark, at three widths: nothing is wider than its window, the console is quiet,
and nothing is asked of a network. At the widest one the tables of the papers do not scroll. Three pages are photographed.

    python3 scripts/manual_browser.py FOLDER [PICTURES]

Where there is no Chromium it is installed: by apt-get if that is allowed, else by playwright into the environment. Where neither is possible the test is skipped,
which is said, and the exit code is 77."""
import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from browser import Browser, chromium

WIDTHS = (1280, 800, 390)
SCHEMES = ("light", "dark")
# Pages whose pictures are kept, for people to look at.
PHOTOGRAPHED = ("index.html", "tutorial.html", "papers/index.html", "papers/vivid.html", "papers/chattering.html", "papers/painleve.html")
# How many tables are wider than their place.
SCROLLING = "[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.clientWidth + 1).length"
SKIPPED = 77
# Browsers at once.
BROWSERS = 2


def run(*command, limit=180):
    """Whether a command succeeded."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(command, check=True, timeout=limit, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return False
    return True


def by_apt():
    """Chromium as a package of Debian or Ubuntu."""
    if os.geteuid() == 0 and shutil.which("apt-get"):
        run("apt-get", "update", "-q")
        run("apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium")
    return chromium()


def by_playwright():
    """Chromium as playwright downloads it, into the environment of this Python."""
    folder = Path(sys.prefix) / "browsers"
    os.environ["PLAYWRIGHT_BROWSERS_PATH"] = str(folder)
    found = lambda: next(iter(sorted([*folder.rglob("headless_shell"), *folder.rglob("chrome-headless-shell"), *folder.rglob("chrome")])), None)
    if found() is None and sys.prefix != sys.base_prefix:
        run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "playwright")
        run(sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
    if (path := found()) is not None:
        os.environ["CHROMIUM"] = str(path)
    return chromium()


def usable():
    """Whether there is a Chromium that starts."""
    for way in (chromium, by_apt, by_playwright):
        if way() is None:
            continue
        try:
            with Browser() as browser:
                browser.tab()
            return True
        except (OSError, RuntimeError):
            continue
    return False


def check(folder, pages, pictures):
    """Sentences of what is wrong with some pages."""
    wrong = []
    with Browser() as browser:
        tab = browser.tab()
        for page in pages:
            name = page.relative_to(folder).as_posix()
            for scheme in SCHEMES:
                tab.window(WIDTHS[0], scheme)
                tab.open(page)
                shown = tab.run("document.documentElement.dataset.theme")
                if shown != scheme:
                    wrong.append(f"{name}, {scheme}: the page is {shown}")
                for width in WIDTHS:
                    tab.window(width, scheme)
                    tab.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                    wrong += [f"{name} at {width} pixels, {scheme}: wider than the window: {what}" for what in tab.overflow()]
                    if width == max(WIDTHS) and name.startswith(("generated/reproduced/", "papers/")) and (count := tab.run(SCROLLING)):
                        wrong.append(f"{name} at {width} pixels, {scheme}: {count} tables scroll sideways")
                    if name in PHOTOGRAPHED:
                        tab.picture(pictures / f"{name.removesuffix('.html').replace('/', '-')}-{width}-{scheme}.png")
                wrong += [f"{name}, {scheme}: {what}" for what in dict.fromkeys(tab.errors())]
    return wrong


def main(folder, pictures):
    begin = time.monotonic()
    if not usable():
        print("SKIPPED: the browser test of the manual. There is no Chromium, and it could not be installed:\n"
              "install it (`apt-get install chromium`), or name one by the environment variable CHROMIUM.", file=sys.stderr)
        return SKIPPED
    pictures.mkdir(parents=True, exist_ok=True)
    pages = sorted(path for path in folder.rglob("*.html") if "_static" not in path.relative_to(folder).parts)
    with ProcessPoolExecutor(BROWSERS) as pool:
        parts = pool.map(check, *zip(*((folder, pages[k::BROWSERS], pictures) for k in range(BROWSERS))))
        wrong = sorted(sentence for part in parts for sentence in part)
    for sentence in wrong:
        print(sentence, file=sys.stderr)
    print(f"{len(pages)} pages at {len(WIDTHS)} widths, light and dark: {len(wrong)} findings in {time.monotonic() - begin:.0f} s; pictures are in {pictures}")
    return 1 if wrong else 0


if __name__ == "__main__":
    out = Path(sys.argv[1])
    sys.exit(main(out, Path(sys.argv[2]) if len(sys.argv) > 2 else out.parent / "pictures"))
