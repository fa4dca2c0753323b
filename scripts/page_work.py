"""Whether the page of `saltation explore` forgets nothing: reloads, tabs, answers out of date, clicks, Stop, and what is drawn in the phase plane."""

import json
import re
import tempfile
import time
from pathlib import Path

from page_driver import Page, Server, command, expect, same, test

IDLE = "!document.querySelector('[data-test=opening]')"


def reload(page):
    """Loads the page again, and waits until its work is there."""
    # The browser asks before edits are left; the page is left all the same.
    page.tab.call("Page.reload")
    end = time.monotonic() + 30
    while time.monotonic() < end:
        time.sleep(0.1)
        try:
            if page.run("document.readyState === 'complete' && document.querySelector('.values .value, [data-test=mistakes]') !== null"):
                break
        except RuntimeError:
            pass
    page.until(IDLE)
    page.settle()


def quiet(page):
    """Waits until the browser has kept the work."""
    time.sleep(0.5)
    page.settle()


def branch(page, low=0.34, high=0.36):
    page.click("tab-orbits")
    page.put("orbit-settle", 400)
    page.put("orbit-period", 2)
    page.click("find")
    page.until("document.querySelector('[data-test=orbit-T]')")
    page.choose("branch-along", "A")
    page.put("branch-low", low)
    page.put("branch-high", high)
    page.click("continue")
    page.until("document.querySelector('[data-test=special]') && !document.querySelector('[data-test=stop-branch]')")


@test
def reloads(browser, _pictures):
    """A reload keeps values, forms, the panel in front, requests and answers, and the text that is typed, also with a mistake; answers come from the server."""
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        page.motion()
        page.put("parameter-r", "pi/4 + 0.1")
        branch(page)
        answers = {name: page.read(name) for name in ("branch-orbits",)}
        page.click("tab-sweep")
        page.put("sweep-low", 0.33)
        page.put("sweep-points", 50)
        page.click("sweep")
        page.until("saltationPage.read('sweep').points > 0 && !document.querySelector('[data-test=stop-sweep]')")
        answers["sweep"] = page.read("sweep")
        ids = [one["id"] for one in page.read("session")["requests"]]
        quiet(page)
        reload(page)
        same(page.run("document.querySelector('[data-test=parameter-r]').value"), "pi/4 + 0.1", "a parameter after a reload")
        expect(page.run("document.querySelector('[data-test=tab-sweep]').getAttribute('aria-selected')") == "true", "another panel is in front after a reload")
        same(page.run("document.querySelector('[data-test=sweep-low]').value"), "0.33", "a field after a reload")
        page.until("saltationPage.read('sweep').points > 0")
        same(page.read("sweep"), answers["sweep"], "sweep after a reload")
        kept = [one["id"] for one in page.read("session")["requests"]]
        expect(set(ids) - set(kept) <= {ids[0]}, f"other requests after a reload: {ids}, {kept}")
        page.click("tab-orbits")
        page.until("document.querySelector('[data-test=branch-orbits-count]')")
        same(page.read("branch-orbits"), answers["branch-orbits"], "branch after a reload")
        # What is computed while the page is loaded again is asked for again.
        page.click("tab-sweep")
        page.put("sweep-points", 4000)
        page.put("sweep-record", 50)
        page.put("sweep-settle", 30000)
        page.click("sweep")
        page.until("saltationPage.read('sweep') && document.querySelector('[data-test=stop-sweep]')")
        time.sleep(0.6)
        page.tab.call("Page.reload")
        time.sleep(1)
        page.until("document.querySelector('[data-test=stop-sweep]')", what="the sweep is asked for again")
        same(page.run("document.querySelector('[data-test=sweep-record]').value"), "50", "a field of a running sweep")
        page.put("parameter-A", 0.351)
        quiet(page)
        # Again, before all of it is there.
        page.tab.call("Page.reload")
        time.sleep(1)
        page.until("document.querySelector('[data-test=stop-sweep]')", what="the sweep is asked for a second time")
        same(page.run("document.querySelector('[data-test=parameter-A]').value"), "0.351", "a value that was typed meanwhile")
        expect(len(page.read("session")["requests"]) >= 3, "requests are lost when a page is loaded again before all of it is there")
        page.click("leave-out")
        page.until(IDLE)
        page.until("document.querySelector('[data-test=ending-sweep]')")
        page.put("parameter-A", 0.35)
        # Edits, one of them a mistake.
        page.click("tab-model")
        text = page.run("document.querySelector('[data-test=editor]').value")
        page.put("editor", text.replace("cos(phi)", "coos(phi)", 1))
        page.text("mistakes")
        quiet(page)
        reload(page)
        expect("coos" in page.run("document.querySelector('[data-test=editor]').value"), "a reload loses edits")
        expect("coos" in page.text("mistakes"), "a reload loses the mistake")
        # Line numbers stay where they are while the text scrolls to the right.
        moved = page.run("""(({ editor, number }) => { const before = number.getBoundingClientRect().left; editor.scrollLeft = 200;
            return [editor.scrollLeft, number.getBoundingClientRect().left - before]; })({ editor: document.querySelector('.editor'), number: document.querySelector('.line-number') })""")
        expect(moved[0] > 50 and abs(moved[1]) < 1, f"the line numbers scroll away: {moved}")
        page.click("undo-edits")
        page.until("!document.querySelector('[data-test=mistakes]')")
        same(page.run("document.querySelector('[data-test=editor]').value"), text, "the text after its edits were undone")
        # A mistaken text is refused by the server, and a page that nobody touched is left without a question: both are noted in the log.
        errors = [one for one in page.errors() if "400 (Bad Request)" not in one and "beforeunload" not in one]
        expect(not errors, f"{errors}")


@test
def tabs(browser, _pictures):
    """Two tabs keep their own work; that of a closed tab is offered, and another version's is read; other models of a tab are put aside."""
    with Server("impact-oscillator") as server:
        one, two = Page(browser, server.address), Page(browser, server.address)
        one.put("parameter-A", 0.341)
        two.put("parameter-A", 0.359)
        quiet(one)
        quiet(two)
        for page, value in ((one, "0.341"), (two, "0.359")):
            reload(page)
            same(page.run("document.querySelector('[data-test=parameter-A]').value"), value, "a value of one of two tabs")
            expect(not page.has("left"), "the work of a living tab is offered")
        # Chosen again, a model is as it was left.
        one.choose("gallery", "bouncing-ball")
        one.until("document.querySelector('[data-test=parameter-g]')")
        one.choose("gallery", "impact-oscillator")
        one.until("document.querySelector('[data-test=parameter-A]')?.value === '0.341'")
        # A text with a name of its own is another model of the list, which leads back to it.
        one.click("tab-model")
        text = one.run("document.querySelector('[data-test=editor]').value")
        own = text.replace('"impact-oscillator"', '"my-oscillator"', 1)
        one.put("editor", own)
        one.until("document.querySelector('[data-test=gallery]').value === 'my-oscillator'")
        one.choose("gallery", "bouncing-ball")
        one.until("document.querySelector('[data-test=parameter-g]')")
        one.choose("gallery", "my-oscillator")
        one.until("document.querySelector('[data-test=parameter-A]')")
        same(one.run("document.querySelector('[data-test=editor]')?.value ?? ''"), own, "the text of an own model that is chosen again")
        one.choose("gallery", "impact-oscillator")
        one.until("document.querySelector('[data-test=gallery]').value === 'impact-oscillator'")
        # A tab is closed; another version wrote what it left.
        quiet(two)
        two.run("for (const [key, text] of Object.entries(localStorage)) localStorage.setItem(key, text.replace(/\"version\":\"[^\"]*\"/, '\"version\":\"0.0.1\",\"unknown\":[1]'))")
        target = two.tab.browser.call("Target.getTargets")["targetInfos"]
        own = two.tab.call("Target.getTargetInfo")["targetInfo"]["targetId"]
        expect(any(info["targetId"] == own for info in target), "the tab is not there")
        two.tab.browser.call("Target.closeTarget", targetId=own)
        time.sleep(0.5)
        three = Page(browser, server.address)
        three.until("document.querySelector('[data-test=left]')")
        same(three.run("document.querySelector('[data-test=parameter-A]').value"), "0.35", "a new tab begins with the model")
        three.click("left-open")
        three.until("document.querySelector('[data-test=parameter-A]').value === '0.359'")
        expect(not three.has("left"), "what was opened is offered again")
        # What cannot be read is said, and the page works.
        quiet(three)
        three.run("addEventListener('pagehide', () => { for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, '{\"session\": {\"format\": 9}}'); })")
        reload(three)
        three.until("document.querySelector('[data-test=session-said]').textContent.includes('Not restored')")
        three.motion()
        expect(not three.errors(), f"{three.errors()}")


@test
def strange(browser, _pictures):
    """A session with a question and a field that this program does not have: it is opened as far as it goes, and the rest is named."""
    requests = [
        {"id": "a", "question": "orbit", "fields": {"settle": 400, "period": 2}},
        {"id": "b", "question": "of_another_version", "fields": {}},
        {"id": "c", "question": "orbit", "fields": {"settle": 400, "gone": 1}},
        {"id": "d", "question": "sweep", "fields": {"along": [{"name": "A", "range": ["pi/10", "pi/9"], "points": 12}], "settle": 100, "record": 30}},
    ]
    with tempfile.TemporaryDirectory() as folder, Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        text = page.run("fetch('begin').then((reply) => reply.json()).then((begin) => begin.model.text)")
        file = Path(folder) / "strange.json"
        file.write_text(json.dumps({"format": 1, "model": {"name": "impact-oscillator", "text": text}, "requests": requests}))
        page.upload("session-file", file)
        page.until("document.querySelector('[data-test=session-said]').textContent.includes('answered')")
        said = page.text("session-said")
        expect("2 of 4" in said and "of another version" in said, said)
        page.click("tab-session")
        expect("no answer" in page.run("document.querySelector('[data-test=requests]').textContent"), "the list does not say what has no answer")
        # Ends that are formulas are drawn at their values.
        page.click("tab-sweep")
        page.until("saltationPage.read('sweep').points === 360")
        page.settle()
        place = page.read("places-sweep")
        expect(place["x0"] < 0.32 and place["x1"] > 0.345, f"{place}")
        # Chaos only: the map says that no period was found.
        page.put("parameter-A", 0.346)
        page.choose("sweep-second", "omega")
        for field, value in {"low": 0.3455, "high": 0.346, "points": 4, "low2": 0.81, "high2": 0.8101, "points2": 3, "settle": 200, "record": 30}.items():
            page.put(f"sweep-{field}", value)
        page.click("sweep")
        page.until("document.querySelector('[data-test=map-legend]')")
        expect("no period" in page.text("map-legend"), page.text("map-legend"))
        expect(not [one for one in page.errors() if "400 (Bad Request)" not in one], f"{page.errors()}")


@test
def stale(browser, _pictures):
    """An answer names its parameters, and is marked as out of date when they change; a branch is not that of a former orbit."""
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        branch(page)
        expect("A = 0.35" in page.text("belongs-orbit") and "A varies" in page.text("belongs-branch"), f"{page.text('belongs-branch')}")
        page.put("parameter-A", 0.3501)
        page.until("document.querySelector('[data-test=stale-orbit]')")
        expect(not page.has("stale-branch"), "a branch is out of date as its own parameter moves")
        page.put("parameter-r", 0.89)
        expect("r was 0.9 and is 0.89" in page.text("stale-branch"), page.text("stale-branch"))
        page.put("branch-low", 0.3500)
        page.put("branch-high", 0.3503)
        page.click("again-branch")
        page.until("!document.querySelector('[data-test=stale-branch]') && !document.querySelector('[data-test=stop-branch]')")
        parameters = page.read("branch-orbits")["answer"]["parameters"]
        expect(parameters["r"] == 0.89, f"the branch is that of r = {parameters['r']}")
        # Another text of the model: the answers stay, and are out of date.
        page.click("tab-model")
        text = page.run("document.querySelector('[data-test=editor]').value")
        page.put("editor", text.replace("damping ratio", "damping", 1))
        page.until("document.querySelector('[data-test=model-state]').textContent === 'the model is right'")
        page.click("tab-orbits")
        expect("text of the model has changed" in page.text("stale-orbit"), page.text("stale-orbit"))
        expect(page.has("branch-orbits-count"), "an edit of the text loses the branch")
        quiet(page)
        reload(page)
        expect("text of the model has changed" in page.text("stale-orbit"), "a reload shows an answer for another text of the model as one of the present text")
        # No message has a flag of the command.
        page.put("orbit-period", 1)
        page.put("orbit-settle", 5)
        page.put("parameter-A", 0.37)
        page.click("find")
        page.until("document.querySelector('[data-test=ending-orbit]')")
        said = page.run("[...document.querySelectorAll('.notice')].map((one) => one.textContent).join(' ')")
        expect(not re.search(r"--[a-z]", said), f"the page says {said!r}")
        errors = [one for one in page.errors() if "beforeunload" not in one]
        expect(not errors, f"{errors}")


@test
def clicks(browser, pictures):
    """A click within 12 pixels of the line of a branch picks a point of it, special points first; the answer stands beside the plot, and a ring marks the point."""
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address, 1500)
        branch(page)
        answer = page.read("branch-orbits")["answer"]
        place = """(A, speed) => { const canvas = document.querySelector('[data-test=plane-branch-orbits] canvas'); canvas.scrollIntoView({ block: 'center' });
            const box = canvas.getBoundingClientRect(); const at = saltationPage.read('places-branch-orbits'); return [box.left + at.left + (A - at.x0) / (at.x1 - at.x0) * at.width, box.top + at.top + (at.y1 - speed) / (at.y1 - at.y0) * at.height]; }"""

        def where(a, speed):
            """A place of the plot on the window, once the plot stands still."""
            before = None
            while (now := page.run(f"({place})({a!r}, {speed!r})")) != before:
                before = now
                time.sleep(0.1)
                page.settle()
            return now

        special = answer["special"][0]
        x, y = where(special["parameters"]["A"], -special["impact_speeds"][0])
        page.press_at(x + 8, y + 6)
        same(page.number("picked-parameter"), special["parameters"]["A"], "the special point that was clicked")
        beside = page.run("(([a, b]) => a.bottom > b.top && a.left >= b.right - 1)(['picked', 'plane-branch-orbits'].map((name) => document.querySelector(`[data-test=${name}]`).getBoundingClientRect()))")
        expect(beside, "the answer does not stand beside the plot")
        page.tab.picture(pictures / "picked-1500-light.png", whole=False)
        # Between two computed points that are far apart on the window.
        points = answer["points"]
        gaps = []
        for a, b in zip(points, points[1:]):
            if len(a["impact_speeds"]) == len(b["impact_speeds"]):
                gaps.append((abs(a["parameters"]["A"] - b["parameters"]["A"]), a, b))
        _, a, b = max(gaps, key=lambda gap: gap[0])
        p, q = (where(one["parameters"]["A"], -one["impact_speeds"][0]) for one in (a, b))
        distance = ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2) ** 0.5
        expect(distance > 24, f"neighbours are {distance} pixels apart only, so the test tests nothing")
        page.press_at(0.55 * p[0] + 0.45 * q[0], 0.55 * p[1] + 0.45 * q[1] + 5)
        expect(page.number("picked-parameter") in (a["parameters"]["A"], b["parameters"]["A"]), "a click on the line between two points picks neither")
        # The curve of the special point, in two parameters.
        page.press_at(*where(special["parameters"]["A"], -special["impact_speeds"][0]))
        page.choose("curve-second", "omega")
        page.put("curve-low", 0.805)
        page.put("curve-high", "0.8 + 0.015")
        page.click("curve")
        page.until("document.querySelector('[data-test=curve-count]')")
        # Branches of one special point.
        index = next(k for k, one in enumerate(answer["special"]) if one["kind"] == "period_doubling")
        page.click(f"pick-{index}")
        page.click("picked-switch")
        page.until("(saltationPage.read('branch-orbits').answer?.branches ?? []).length > 0 && !document.querySelector('[data-test=stop-branch]')")
        parents = {json.dumps(one["parent"]) for one in page.read("branch-orbits")["answer"]["branches"]}
        same(parents, {json.dumps({"branch": 0, "special": index})}, "where the branches begin")
        # Those of a typed one, on another branch, and its curve.
        page.put("special-typed", "1:99")
        expect("none of this number" in page.text("special-typed-wrong"), "a special point that is not there is not said")
        page.put("special-typed", "1:0")
        page.click("picked-switch")
        page.until("(saltationPage.read('branch-orbits').answer?.branches ?? []).some((one) => one.parent.branch === 1) && !document.querySelector('[data-test=stop-branch]')")
        same(page.read("branch-orbits")["answer"]["branches"][0]["parent"], {"branch": 0, "special": index}, "the branch that was there")
        expect("branch 2" in page.text("special"), "the table does not say which branch begins there")
        page.put("special-typed", "1:1")
        page.put("special-typed", "1:0")
        expect(not page.has("picked-switch"), "what has been followed is offered again")
        page.choose("curve-second", "omega")
        page.click("curve")
        page.until("document.querySelector('[data-test=curve-count]')")
        page.tab.picture(pictures / "typed-1500-light.png", whole=False)
        # The branch over the sweep of the same parameter.
        page.click("tab-sweep")
        page.put("sweep-low", 0.34)
        page.put("sweep-high", 0.36)
        page.put("sweep-points", 200)
        page.click("sweep")
        page.until("saltationPage.read('sweep').points > 0 && !document.querySelector('[data-test=stop-sweep]')")
        expect("branch, stable" in page.run("document.querySelector('.panel .legend').textContent"), "the branch is not over the sweep")
        page.choose("sweep-quantity", "impact_speed")
        page.tab.picture(pictures / "over-1500-light.png", whole=False)
        expect(not page.errors(), f"{page.errors()}")


@test
def stops(browser, _pictures):
    """A long trajectory has Stop, and takes a bounded part of memory; what is left out of it is said."""
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        page.motion()
        page.put("motion-until", "1e9")
        page.until("document.querySelector('[data-test=stop-motion]')")
        largest = 0
        for _ in range(40):
            with open(f"/proc/{server.process.pid}/status", encoding="utf-8") as status:
                largest = max(largest, int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]))
            time.sleep(0.25)
        page.click("stop-motion")
        page.idle("motion", 20)
        page.until("document.querySelector('[data-test=ending-motion]')")
        expect("Not complete" in page.text("ending-motion"), "the page does not say that the trajectory was stopped")
        page.until("document.querySelector('[data-test=motion-thinned]')", what="the page says that events are left out")
        print(f"      until = 1e9, stopped after 10 s: {largest / 1024:.0f} MB at most")
        expect(largest < 1_500_000, f"the program took {largest} kB")
        page.put("motion-until", "2*pi/omega")
        answer = page.motion()
        expect(abs(answer["end"]["time"] - 2 * 3.141592653589793 / 0.81) < 1e-9, f"the end is {answer['end']['time']}")
        page.put("motion-until", "-3")
        expect("least value is 0" in page.text("motion-until-wrong"), "a negative end is not said")
        page.click("tab-sweep")
        page.put("sweep-points", "1000*1000")
        expect("4 000 000 at most" in page.text("sweep-record-wrong").replace("\u202f", " ").replace("\u00a0", " "), page.text("sweep-record-wrong"))
        expect(not page.errors(), f"{page.errors()}")


@test
def planes(browser, pictures):
    """A click in the phase plane begins a trajectory there, beside those before; field, nullclines and sliding stretches are drawn."""
    with Server("belt-oscillator") as server:
        page = Page(browser, server.address)
        page.motion()
        page.choose("motion-view", "plane")
        page.click("plane-field")
        expect("persistent contact" in page.text("plane-trouble"), "the field of free flight is drawn in persistent contact")
    with Server("dry-friction-oscillator") as server:
        page = Page(browser, server.address)
        page.motion()
        page.choose("motion-view", "plane")
        for name in ("plane-field", "plane-nullclines", "plane-several"):
            page.click(name)
        page.until("saltationPage.read('plane').field !== null")
        field = page.read("plane")["field"]
        expect(field["held"] == {"phi": 0} and {"sliding", "crossing"} <= {one["kind"] for one in field["surfaces"]}, f"{[one['kind'] for one in field['surfaces']]}")
        x, y = page.centre("plane-motion-plane")
        for k, (dx, dy) in enumerate(((90, 40), (-120, -60), (30, 110))):
            page.press_at(x + dx, y + dy)
            page.until(f"saltationPage.read('plane').others.length === {k + 1}", what=f"{k + 1} further trajectories")
            quiet(page)
        time.sleep(0.5)
        start = {name: page.run(f"document.querySelector('[data-test=start-{name}]').value") for name in field["states"]}
        wanted = command("simulate", "dry-friction-oscillator", *(word for name, value in start.items() for word in ("--start", f"{name}={value}")))
        same(page.motion()["end"], wanted["end"], "the trajectory that was clicked")
        other = page.read("plane")["others"][1]
        words = [word for name, value in other["start"].items() for word in ("--start", f"{name}={value!r}")]
        same(other["end"], command("simulate", "dry-friction-oscillator", *words)["end"], "a further trajectory")
        page.tab.picture(pictures / "plane-1280-light.png", whole=False)
        quiet(page)
        reload(page)
        page.until("saltationPage.read('plane').others.length === 3", what="further trajectories after a reload")
        # A parameter changes all of them.
        page.put("parameter-F", 0.3)
        page.until(f"JSON.stringify(saltationPage.read('plane').others[1]?.end) !== {json.dumps(json.dumps(other['end'], separators=(',', ':')))}")
        page.click("plane-clear")
        page.until("saltationPage.read('plane').others.length === 0")
        expect(not page.errors(), f"{page.errors()}")
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        page.motion()
        page.choose("motion-view", "plane")
        page.click("plane-field")
        page.until("document.querySelector('[data-test=plane-said]').textContent.includes('phi = 0')")
        page.click("tab-basin")
        high = float(page.run("document.querySelector('[data-test=basin-x1]').value"))
        expect(high <= 0, f"the proposed range ends at {high}, behind the wall")
        page.click("tab-sweep")
        same(page.run("document.querySelector('[data-test=sweep-along]').value"), "A", "the first parameter")
        expect(not page.errors(), f"{page.errors()}")


@test
def leaving(browser, _pictures):
    """Leaving with edits of the model asks first, and leaving without does not."""
    with Server("bouncing-ball") as server:
        page = Page(browser, server.address)

        def asked():
            """Whether the browser asks before the page is left."""
            # A page that nobody has touched may not ask.
            page.press_at(5, 5)
            page.tab.browser.events.clear()
            page.run("setTimeout(() => location.reload(), 50)")
            end = time.monotonic() + 3
            while time.monotonic() < end:
                try:
                    page.tab.browser.call("Browser.getVersion")
                except RuntimeError:
                    pass
                if any(one.get("method") == "Page.javascriptDialogOpening" for one in page.tab.browser.events):
                    page.tab.call("Page.handleJavaScriptDialog", accept=False)
                    return True
                time.sleep(0.1)
            return False

        expect(not asked(), "the page asks though nothing was edited")
        page.until("document.querySelector('.values .value')")
        page.click("tab-model")
        text = page.run("document.querySelector('[data-test=editor]').value")
        page.put("editor", text + "\n# an edit\n")
        page.until("document.querySelector('[data-test=edited]')")
        expect(asked(), "the page is left with edits and does not ask")
        expect("# an edit" in page.run("document.querySelector('[data-test=editor]').value"), "the edit is lost")
        page.click("save-model")
        page.until("!document.querySelector('[data-test=edited]')")
        expect(not asked(), "the page asks though the text was saved")
