"""Drives the page of `saltation explore` in a browser: starts the server, types, clicks, waits, and reads what the page shows.

    with Server("impact-oscillator") as server, Browser() as browser:
        page = Page(browser, server.address)
        page.click("tab-orbits")
"""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

# All tests, in their order.
TESTS = []
SALTATION = os.environ.get("SALTATION", "target/debug/saltation")


def test(function):
    TESTS.append(function)
    return function


def expect(truth, sentence):
    if not truth:
        raise AssertionError(sentence)


def same(found, wanted, what):
    expect(found == wanted, f"{what}: the page has {str(found)[:300]}, the command {str(wanted)[:300]}")


def command(*words):
    """The answer of the command as JSON."""
    ran = subprocess.run([SALTATION, *words, "--json"], check=True, capture_output=True, text=True)
    return json.loads(ran.stdout)


class Server:
    """`saltation explore` with these arguments; a context that ends it."""

    def __init__(self, *words):
        self.words = words

    def __enter__(self):
        self.process = subprocess.Popen(
            [SALTATION, "explore", *self.words, "--no-browser", "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise RuntimeError(f"explore {' '.join(self.words)} prints no address")
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(20)
        self.process.stdout.close()


class Page:
    """The page in a tab."""

    def __init__(self, browser, address, width=1280, scheme="light"):
        self.tab = browser.tab()
        self.tab.own = address
        self.tab.window(width, scheme)
        self.tab.open(address)
        self.until("document.querySelector('.values .value, [data-test=mistakes]')")

    def run(self, script):
        return self.tab.run(script)

    def until(self, script, seconds=60, what=None):
        """Waits until an expression is true; its value, if that is plain data."""
        end = time.monotonic() + seconds
        while not (value := self.run(f"(value => value instanceof Element ? true : value)({script})")):
            if time.monotonic() > end:
                raise RuntimeError(f"after {seconds} s this is still not true: {what or script}")
            time.sleep(0.02)
        return value

    def settle(self):
        """Waits until the page is drawn; a tab behind another one draws nothing."""
        self.run("new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); setTimeout(done, 100); })")

    def click(self, test):
        self.until(f"document.querySelector('[data-test=\"{test}\"]')")
        self.run(f"document.querySelector('[data-test=\"{test}\"]').click()")
        self.settle()

    def put(self, test, text, event="input"):
        """Types into a field, chooses, or moves a slider."""
        self.until(f"document.querySelector('[data-test=\"{test}\"]')")
        self.run(
            f"""((field) => {{
                Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, {json.dumps(str(text))});
                field.dispatchEvent(new Event({json.dumps(event)}, {{ bubbles: true }}));
            }})(document.querySelector('[data-test="{test}"]'))"""
        )
        self.settle()

    def choose(self, test, value):
        self.put(test, value, "change")

    def text(self, test):
        return self.until(f"document.querySelector('[data-test=\"{test}\"]')?.textContent")

    def has(self, test):
        return self.run(f"document.querySelector('[data-test=\"{test}\"]') !== null")

    def number(self, test):
        """The number of a place with all its digits."""
        return float(self.until(f"document.querySelector('[data-test=\"{test}\"]')?.title"))

    def read(self, name):
        """What the page exposes to tests."""
        return self.run(f"saltationPage.read({json.dumps(name)})")

    def idle(self, test, seconds=120):
        """Waits until the question of a panel is answered."""
        self.until(f"!document.querySelector('[data-test=\"stop-{test}\"]')", seconds)
        self.settle()

    def motion(self, **parameters):
        """The answer of Motion with these values, once no other is to replace it; it is read at the same moment, lest the beginning of a next one is taken."""
        wanted = " && ".join(f"answer.parameters[{json.dumps(name)}] === {value!r}" for name, value in parameters.items()) or "true"
        settled = f"(({{ answer, coarse, underway }}) => answer && coarse === null && !underway && {wanted} ? answer : null)(saltationPage.read('motion'))"
        return self.until(settled, what="the whole motion is shown")

    def centre(self, test):
        """The middle of a place on the window."""
        return self.run(
            f"""((element) => {{ element.scrollIntoView({{ block: "center" }}); const box = element.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2]; }})(document.querySelector('[data-test="{test}"]'))"""
        )

    def mouse(self, kind, x, y, **other):
        self.tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **other)

    def press_at(self, x, y):
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def upload(self, test, file):
        """Gives a file to a field of files."""
        root = self.tab.call("DOM.getDocument")["root"]["nodeId"]
        node = self.tab.call("DOM.querySelector", nodeId=root, selector=f'[data-test="{test}"]')["nodeId"]
        self.tab.call("DOM.setFileInputFiles", nodeId=node, files=[str(Path(file).resolve())])

    def errors(self):
        return self.tab.errors()
