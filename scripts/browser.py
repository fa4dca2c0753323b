"""Opens pages in headless Chromium by the DevTools protocol, with the standard library only.

`look(pages)` opens every page at several widths, in light and in dark, and returns what is wrong with it: contents that are wider than the window, messages of
the console, exceptions, and requests to a network. `Browser` and `Tab` are there for tests that click and type.

    from browser import look
    for finding in look(["report.html"]):
        print(finding)
"""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

WIDTHS = (1280, 768, 390)
SCHEMES = ("light", "dark")
HEIGHT = 900
# The flags of a browser that reaches for nothing.
FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-extensions --disable-dev-shm-usage --hide-scrollbars --mute-audio""".split()

# What is wider than the window and lies in no box that scrolls or cuts. A pixel is rounding.
OVERFLOW = """(() => {
  const width = document.documentElement.clientWidth, wide = [];
  const boxed = (element) => {
    for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
      if (getComputedStyle(box).overflowX !== "visible") return true;
    }
    return false;
  };
  for (const element of document.body.querySelectorAll("*")) {
    const place = element.getBoundingClientRect();
    if (place.width > 0 && place.height > 0 && place.right > width + 1 && !boxed(element)) {
      const name = element.id ? "#" + element.id : element.className ? "." + String(element.className).split(" ")[0] : "";
      wide.push(element.tagName.toLowerCase() + name + " to " + Math.round(place.right));
    }
  }
  const scroll = document.documentElement.scrollWidth;
  if (scroll > width + 1) wide.unshift("the page to " + scroll);
  return wide.slice(0, 5);
})()"""


def chromium():
    """The path of the browser, or None."""
    names = [os.environ.get("CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


@dataclass(frozen=True)
class Finding:
    """What is wrong with a page at a width and in a colour scheme."""

    page: str
    width: int
    scheme: str
    what: str

    def __str__(self):
        return f"{self.page} at {self.width} pixels, {self.scheme}: {self.what}"


class Browser:
    """A headless Chromium with an empty profile; a context that ends it."""

    def __enter__(self):
        path = chromium()
        if path is None:
            raise FileNotFoundError("there is no Chromium")
        self.profile = tempfile.mkdtemp(prefix="saltation-browser-")
        child_reads, self.writes = os.pipe()
        self.reads, child_writes = os.pipe()

        def descriptors():
            # The browser reads commands from 3 and writes answers to 4.
            first, second = os.dup(child_reads), os.dup(child_writes)
            os.dup2(first, 3)
            os.dup2(second, 4)

        flags = FLAGS + ["--remote-debugging-pipe", f"--user-data-dir={self.profile}", "about:blank"]
        self.process = subprocess.Popen(
            [path, *flags], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            preexec_fn=descriptors, close_fds=False, start_new_session=True,
        )
        os.close(child_reads)
        os.close(child_writes)
        self.buffer, self.number, self.events = b"", 0, []
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self.writes)
        os.close(self.reads)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self, until):
        """The next message of the browser; None if there is none until this time."""
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.reads], [], [], left)[0]:
                return None
            part = os.read(self.reads, 1 << 20)
            if not part:
                raise OSError("the browser ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, session=None, timeout=60, **parameters):
        """The answer of the browser; what happens meanwhile is kept as events."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.writes, data):]
        until = time.monotonic() + timeout
        while (answer := self.message(until)) is not None:
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)
        raise RuntimeError(f"{method}: no answer in {timeout} s")

    def tab(self):
        """A new tab."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        return Tab(self, self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])


class Tab:
    """A tab of a browser."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        # The address of a server on this machine whose requests are no findings.
        self.own = None
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def window(self, width, scheme="light", media="screen", height=HEIGHT):
        """The size of the window, the colour scheme and the medium."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=media, features=features)

    def open(self, page, timeout=60):
        """Opens a file or an address, and waits until it is loaded."""
        address = page if "://" in str(page) else Path(page).resolve().as_uri()
        self.browser.events.clear()
        answer = self.call("Page.navigate", url=address)
        if answer.get("errorText"):
            raise RuntimeError(f"{page}: {answer['errorText']}")
        until = time.monotonic() + timeout
        while self.run("document.readyState") != "complete":
            if time.monotonic() > until:
                raise RuntimeError(f"{page} is not loaded after {timeout} s")
            time.sleep(0.05)
        # Images are decoded and scripts have run after two frames.
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def run(self, script):
        """The value of an expression; promises are awaited."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def press(self, key, code=None):
        """Presses a key, such as Tab or Enter."""
        text = {"Enter": "\r", "Space": " "}.get(key)
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": {"Enter": 13, "Tab": 9, "Space": 32}.get(key, 0)}
        down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
        self.call("Input.dispatchKeyEvent", **down, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def errors(self):
        """Errors and warnings of the console, exceptions and requests to a network since the page was opened."""
        self.run("0")
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, said = event.get("method"), event.get("params", {})
            if method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
                words = [str(one.get("value", one.get("description", ""))) for one in said["args"]]
                found.append(f"console: {' '.join(words)}")
            elif method == "Runtime.exceptionThrown":
                details = said["exceptionDetails"]
                found.append(f"exception: {details.get('exception', {}).get('description', details['text'])}")
            elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
                found.append(f"log: {said['entry']['text']}")
            elif method == "Network.requestWillBeSent":
                address = said["request"]["url"]
                if not address.startswith(("file:", "data:", "blob:", "about:")) and not (self.own and address.startswith(self.own)):
                    found.append(f"network: {address}")
        return found

    def overflow(self):
        """What is wider than the window."""
        return self.run(OVERFLOW)

    def picture(self, file, whole=True):
        """A screenshot of the whole page, or of the window."""
        size = self.run("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": size[0], "height": min(size[1], 12000) if whole else HEIGHT, "scale": 1}
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole, clip=clip)
        Path(file).write_bytes(base64.b64decode(answer["data"]))


def look(pages, widths=WIDTHS, schemes=SCHEMES, pictures=None, test=None):
    """Opens pages at these widths and in these colour schemes; returns a list of findings, empty if all is well.

    `pictures` names a folder for screenshots. `test(tab, page)` is called once for every page, at its largest width, and returns sentences of what is wrong.
    """
    findings = []
    with Browser() as browser:
        tab = browser.tab()
        for page in pages:
            for width in sorted(widths, reverse=True):
                for scheme in schemes:
                    tab.window(width, scheme)
                    tab.open(page)
                    wrong = [f"wider than the window: {what}" for what in tab.overflow()] + tab.errors()
                    if pictures:
                        Path(pictures).mkdir(parents=True, exist_ok=True)
                        path = Path(page)
                        tab.picture(Path(pictures) / f"{path.parent.name}-{path.stem}-{width}-{scheme}.png")
                    if test and width == max(widths) and scheme == schemes[0]:
                        wrong += test(tab, page) + tab.errors()
                    findings += [Finding(str(page), width, scheme, what) for what in dict.fromkeys(wrong)]
    return findings
