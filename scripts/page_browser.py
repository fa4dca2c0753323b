"""Opens the page of `saltation explore` in headless Chromium and uses it: every panel shows the numbers of the command, and says what is wrong.

    python3 scripts/page_browser.py [PICTURES]

The program is target/debug/saltation, or the one that SALTATION names. Times are printed and are no tests, but for a cloud of a million points below 10 frames
a second. Where there is no Chromium the test is skipped, which is said, and the exit code is 77."""

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from browser import Browser
from manual_browser import SKIPPED, usable
import page_looks  # noqa: F401 (its tests are those at the end)
import page_work  # noqa: F401 (its tests are run, too)
from page_driver import SALTATION, TESTS, Page, Server, command, expect, same, test

MODELS = {"impact-oscillator": "A", "double-pendulum": "T", "bouncing-ball": None, "belt-oscillator": "v", "chain": "d"}


def orbit_of(page):
    """The orbit of period two of the impact oscillator."""
    page.click("tab-orbits")
    page.put("orbit-settle", 400)
    page.put("orbit-period", 2)
    page.click("find")
    page.until("document.querySelector('[data-test=orbit-T]')")


def branch_of(page, low, high, switch=False):
    page.choose("branch-along", "A")
    page.put("branch-low", low)
    page.put("branch-high", high)
    if switch:
        page.click("branch-switch")


@test
def motions(browser, _pictures):
    """The motion of five models has the numbers of the command, and follows a slider."""
    for model, parameter in MODELS.items():
        with Server(model) as server:
            page = Page(browser, server.address)
            wanted = command("simulate", model)
            same(page.motion(), wanted, f"{model}, motion")
            for name, value in wanted["end"]["state"].items():
                same(page.number(f"motion-end-{name}"), value, f"{model}, end of {name}")
            if parameter:
                before = wanted["parameters"][parameter]
                times = []
                for share in (1.01, 1.02, 1.03, 1.04, 1.05):
                    begin = time.monotonic()
                    page.put(f"slider-{parameter}", before * share)
                    value = float(page.run(f"document.querySelector('[data-test=\"parameter-{parameter}\"]').value"))
                    answer = page.motion(**{parameter: value})
                    times.append(time.monotonic() - begin)
                same(answer, command("simulate", model, "--set", f"{parameter}={value!r}"), f"{model}, motion after the slider")
                print(f"      {model}: from slider to picture {1000 * statistics.median(times):.0f} ms (median of 5, the test's own waiting included)")
            expect(not page.errors(), f"{model}: {page.errors()}")


@test
def orbits(browser, _pictures):
    """An orbit and its branches: period, multipliers, special points; a branch that is stopped keeps what it has."""
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        orbit_of(page)
        wanted = command("orbit", "impact-oscillator", "--settle", "400", "--period", "2")
        same(page.number("orbit-T"), wanted["period"], "period")
        same(page.number("orbit-residual"), wanted["residual"], "periodicity residual")
        shown = page.run("[...document.querySelectorAll('[data-test^=multiplier-]')].map((one) => one.title.split(', ').map(Number))")
        same(shown, wanted["multipliers"], "multipliers")
        branch_of(page, 0.34, 0.36, switch=True)
        page.click("continue")
        page.until("document.querySelector('[data-test=special]')")
        wanted = command("continue", "impact-oscillator", "--settle", "400", "--period", "2", "--along", "A", "--range", "0.34:0.36", "--switch")
        found = page.read("branch-orbits")["answer"]
        for key in ("points", "special", "branches"):
            same(found[key], wanted[key], f"branch, {key}")
        special = [one["parameters"]["A"] for branch in [wanted, *wanted["branches"]] for one in branch["special"]]
        same([page.number(f"special-{i}") for i in range(len(special))], special, "special points")
        # A special point leads to its curve in two parameters, and to its orbit.
        page.click("pick-0")
        page.choose("curve-second", "omega")
        page.put("curve-low", 0.8)
        page.put("curve-high", 0.82)
        page.click("curve")
        page.until("document.querySelector('[data-test=curve-count]')")
        page.click("pick-1")
        page.click("picked-see")
        page.until(f"Number(document.querySelector('[data-test=parameter-A]').value) === {special[1]!r}")
        page.until("document.querySelector('[data-test=orbit-T]')")
        expect(not page.errors(), f"{page.errors()}")


@test
def stopped(browser, _pictures):
    """A branch that is stopped half way keeps its points and says that it is not complete."""
    with Server("double-pendulum") as server:
        page = Page(browser, server.address)
        page.click("tab-orbits")
        page.put("orbit-settle", 0)
        page.click("find")
        page.until("document.querySelector('[data-test=orbit-T]')")
        page.choose("branch-along", "e")
        page.put("branch-low", 0.5)
        page.put("branch-high", 0.95)
        page.click("branch-switch")
        page.click("continue")
        page.until("saltationPage.read('branch-orbits').live && saltationPage.read('branch-orbits').points > 0", what="points arrive while the branch is computed")
        page.click("stop-branch")
        page.idle("branch", 60)
        kept = page.read("branch-orbits")
        expect(kept["answer"] is not None and kept["points"] > 0, "the stopped branch has no points")
        expect("Not complete" in page.text("ending-branch"), "the page does not say that the branch is not complete")


@test
def sweeps(browser, _pictures):
    """A sweep: all records; refined where it is magnified; a click loads parameter and state."""
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        page.click("tab-sweep")
        page.choose("sweep-along", "A")
        page.put("sweep-low", 0.3)
        page.put("sweep-high", 0.4)
        page.put("sweep-points", 100)
        page.click("sweep")
        page.until("saltationPage.read('sweep').points > 0 && !document.querySelector('[data-test=stop-sweep]')")
        wanted = command("sweep", "impact-oscillator", "--along", "A=0.3:0.4:100", "--settle", "300", "--record", "60")
        found = page.read("sweep")
        same(found["points"], len(wanted["records"]), "records")
        same(found["answer"]["attractors"], wanted["attractors"], "attractors")
        x, y = page.centre("plane-sweep")
        page.mouse("mouseWheel", x, y, deltaX=0, deltaY=-600)
        page.until("!document.querySelector('[data-test=refine]').disabled")
        page.click("refine")
        page.until("saltationPage.read('sweep').pieces === 2")
        page.press_at(x, y)
        page.until("document.querySelector('[data-test=sweep-loaded]')")
        loaded = float(page.run("document.querySelector('[data-test=parameter-A]').value"))
        expect(0.3 <= loaded <= 0.4 and loaded != 0.35, f"a click loaded A = {loaded}")
        expect(not page.errors(), f"{page.errors()}")


@test
def basins_modes_contact(browser, _pictures):
    """Fractions of basins, periods of modes, solutions of a contact problem, exponents and equilibria: those of the command."""
    with Server("two-wall-oscillator") as server:
        page = Page(browser, server.address)
        page.put("parameter-nu", 0.9)
        page.click("tab-basin")
        for field, value in {"x0": -0.95, "x1": 0.95, "y0": -3, "y1": 3, "points": 12}.items():
            page.put(f"basin-{field}", value)
        page.click("basin")
        page.until("document.querySelector('[data-test=basin-legend]')")
        grid = ("--grid", "y=-0.95:0.95:12", "--grid", "w=-3:3:12")
        same(page.read("basin")["fractions"], command("basin", "two-wall-oscillator", "--set", "nu=0.9", *grid)["fractions"], "fractions")
        page.click("tab-steady")
        page.put("lyapunov-returns", 200)
        page.click("lyapunov")
        page.until("document.querySelector('[data-test=exponents]')")
        wanted = command("lyapunov", "two-wall-oscillator", "--set", "nu=0.9", "--returns", "200")["exponents"]
        same([page.number(f"exponent-{i}") for i in range(len(wanted))], wanted, "exponents")
    with Server("chain") as server:
        page = Page(browser, server.address)
        page.click("tab-modes")
        page.put("modes-low", 0)
        page.put("modes-high", 10)
        page.click("modes")
        page.until("document.querySelector('[data-test=modes-table]')")
        wanted = [mode["period"] for mode in command("modes", "chain", "--periods", "0:10", "--family")["modes"]]
        same([page.number(f"mode-period-{i}") for i in range(len(wanted))], wanted, "periods of modes")
    with Server("painleve-rod") as server:
        page = Page(browser, server.address)
        page.put("parameter-slip", 1)
        page.click("tab-contact")
        page.click("contact-map")
        page.choose("contact-x", "angle")
        page.choose("contact-y", "spin")
        for field, value in {"x0": 0.1, "x1": 1.5, "y0": 0, "y1": 5, "points": 30}.items():
            page.put(f"contact-{field}", value)
        page.click("contact")
        page.until("document.querySelector('[data-test=contact-legend]')")
        wanted = command("contact", "painleve-rod", "--set", "slip=1", "--map", "angle=0.1:1.5:30", "--map", "spin=0:5:30")
        same(page.number("normal-0-tip"), wanted["solutions"][0]["normal_force"]["tip"], "normal force")
        same(page.read("contact")["shares"], wanted["shares"], "shares of regions")
        expect(not page.errors(), f"{page.errors()}")


@test
def fits(browser, _pictures):
    """A fit to a file of impacts and to one of samples: the estimates of the command, with residuals and, of samples, the model; its estimates are loaded."""
    impacts = "impact:ground\n0.4520\n1.1744\n1.40\n1.7534\n2.2153\n2.5861\n2.8823\n"
    with Server("bouncing-ball") as server, tempfile.TemporaryDirectory() as folder:
        page = Page(browser, server.address)
        page.click("tab-fit")
        expect(page.run("document.querySelector('[data-test=fit]').disabled"), "there is nothing to be fitted yet")
        file = Path(folder, "impacts.csv")
        file.write_text(impacts)
        page.upload("fit-file", file)
        page.until("document.querySelector('[data-test=fit-columns]').textContent.includes('impact:ground')")
        page.click("fit-free-e")
        page.put("fit-low-e", 0.5)
        page.put("fit-high-e", 0.9)
        page.click("fit-free-g")
        page.put("fit-low-g", "")
        page.put("fit-high-g", "")
        page.put("fit-sigma", "impact:ground=4e-4")
        page.click("fit")
        page.until("document.querySelector('[data-test=estimates]')")
        wanted = command("fit", "bouncing-ball", "--data", str(file), "--free", "g", "--free", "e=0.5:0.9", "--sigma", "impact:ground=4e-4")
        same(page.read("fit")["estimates"], wanted["estimates"], "estimates")
        same(page.number("estimate-e"), wanted["estimates"][1]["value"], "the estimate of e")
        expect(page.has("plane-fit-residuals-impact:ground") and not page.has("plane-fit-impact:ground"), "impacts have residuals alone")
        page.click("take-fit-command")
        expect("--free g --free e=0.5:0.9" in page.text("text-fit"), page.text("text-fit"))
        page.click("fit-load")
        same(float(page.run("document.querySelector('[data-test=parameter-e]').value")), wanted["estimates"][1]["value"], "the loaded estimate")
        file.write_text("impact:wall\n1\n")
        page.upload("fit-file", file)
        page.until("document.querySelector('[data-test=fit-columns]').textContent.includes('impact:wall')")
        page.click("fit")
        page.until("document.querySelector('[data-test=mistake-fit]')")
        expect("no contact `wall`" in page.text("status-fit"), page.text("status-fit"))
        expect(not page.errors(), f"{page.errors()}")
    with Server("impact-oscillator") as server, tempfile.TemporaryDirectory() as folder:
        page = Page(browser, server.address)
        page.click("tab-fit")
        rows = json.loads(subprocess.run([SALTATION, "simulate", "impact-oscillator", "--until", "30", "--every", "0.1", "--json"], check=True, capture_output=True, text=True).stdout)["samples"]
        file = Path(folder, "samples.csv")
        file.write_text("time,x\n" + "".join(f"{t},{x}\n" for t, x in zip(rows["time"], rows["x"])))
        page.upload("fit-file", file)
        page.until("document.querySelector('[data-test=fit-columns]').textContent.includes('time, x')")
        page.put("parameter-A", 0.345)
        page.click("fit-free-A")
        page.click("fit")
        page.until("document.querySelector('[data-test=\"plane-fit-x\"]')")
        expect(abs(page.number("estimate-A") - 0.35) < 1e-6, f"A is {page.number('estimate-A')}")
        expect(not page.errors(), f"{page.errors()}")


@test
def mechanisms(browser, pictures):
    """The mechanism plays, and steps from event to event, at the times of the command; a model without a sketch says so."""
    with Server("double-pendulum") as server:
        page = Page(browser, server.address)
        page.motion()
        page.click("tab-mechanism")
        page.until("saltationPage.frames('mechanism').length > 0")
        events = [event for event in command("simulate", "double-pendulum")["events"] if event["kind"] == "impact"]
        for event in events[:2]:
            page.click("event-next")
            same(page.number("mechanism-time"), event["time"], "time of the event")
            expect("impact at wall" in page.text("mechanism-event"), f"the page says {page.text('mechanism-event')!r}")
        for i, share in enumerate((0, 0.25, 0.5, 0.75, 1)):
            page.put("scrubber", 40 * share)
            page.tab.picture(pictures / f"mechanism-{i}.png", whole=False)
        page.put("scrubber", 1)
        page.click("play")
        page.until("saltationPage.read('mechanism').time > 1.2")
        page.click("play")
        paused = page.read("mechanism")["time"]
        time.sleep(0.2)
        same(page.read("mechanism")["time"], paused, "time while paused")
        expect(not page.errors(), f"{page.errors()}")
    with Server("relay-feedback") as server:
        page = Page(browser, server.address)
        page.click("tab-mechanism")
        expect("no table [sketch]" in page.run("document.querySelector('.panel').textContent"), "a model without a sketch does not say so")


@test
def mistakes(browser, _pictures):
    """Mistakes stand at their places, and nothing is asked about them."""
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        before = page.motion()
        for text, words in {"NaN": "not a finite number", "": "Enter a number", "2": "greatest value is 1", "1e999": "not a finite number"}.items():
            page.put("parameter-r", text)
            expect(words in page.text("parameter-r-wrong"), f"r = {text!r}: the page says {page.text('parameter-r-wrong')!r}")
            time.sleep(0.1)
            same(page.read("motion")["answer"], before, f"r = {text!r} was asked")
        page.put("parameter-r", "q*2")
        page.until("document.querySelector('[data-test=parameter-r-wrong]')", what="an unknown name in a formula is said at its field")
        page.click("reset")
        page.click("tab-model")
        text = page.run("document.querySelector('[data-test=editor]').value")
        page.put("editor", text.replace("cos(phi)", "coos(phi)", 1))
        expect("coos" in page.text("mistakes") and "line 21" in page.text("mistakes"), f"the page says {page.text('mistakes')!r}")
        same(page.run("[...document.querySelectorAll('.under u')].map((one) => one.textContent)"), ["coos"], "underlined")
        page.click("tab-sweep")
        expect(page.has("model-wrong"), "other panels do not say that the model has a mistake")
        page.click("tab-model")
        page.put("editor", text)
        page.until("!document.querySelector('[data-test=mistakes]')")
        page.click("tab-motion")
        same(page.motion(), before, "the model mended")
        page.click("tab-modes")
        page.put("modes-low", 3)
        page.put("modes-high", 1)
        expect("above the beginning" in page.text("modes-high-wrong"), "a range backwards is not said")


@test
def sessions(browser, _pictures):
    """A session that is saved and opened again, in the page and without it, has the same answers; a command taken home, too."""
    with tempfile.TemporaryDirectory() as folder:
        with Server("impact-oscillator", "--out", folder) as server:
            page = Page(browser, server.address)
            page.motion()
            orbit_of(page)
            branch_of(page, 0.345, 0.355)
            page.click("continue")
            page.until("document.querySelector('[data-test=branch-orbits-count]') && !document.querySelector('[data-test=stop-branch]')")
            page.click("tab-steady")
            page.put("lyapunov-returns", 100)
            page.click("lyapunov")
            page.until("document.querySelector('[data-test=exponents]')")
            answers = {name: page.read(name) for name in ("motion", "branch-orbits", "lyapunov")}
            page.click("take-lyapunov-command")
            lines = page.text("text-lyapunov")
            ran = subprocess.run(["bash", "-c", f"saltation() {{ {str(Path(SALTATION).resolve())!r} \"$@\"; }}\n{lines} --json"], capture_output=True, text=True, check=True)
            same(json.loads(ran.stdout)["exponents"], answers["lyapunov"]["exponents"], "the command taken home")
            page.click("session-save")
            page.until("document.querySelector('[data-test=session-said]').textContent.startsWith('saved')")
            file = next(Path(folder).glob("*.json"))
            # Opened again in the same page.
            page.upload("session-file", file)
            page.until("document.querySelector('[data-test=session-said]').textContent.endsWith('questions answered')")
            said = page.text("session-said")
            expect("4 of 4" in said, f"the page says {said!r}")
            same(page.read("lyapunov"), answers["lyapunov"], "exponents after opening")
        with Server("--session", str(file)) as server:
            page = Page(browser, server.address)
            page.until("document.querySelector('[data-test=session-said]').textContent.endsWith('questions answered')")
            same(page.read("lyapunov"), answers["lyapunov"], "exponents of another server")
            page.click("tab-orbits")
            page.until("document.querySelector('[data-test=branch-orbits-count]')")
            same(page.read("branch-orbits")["answer"]["points"], answers["branch-orbits"]["answer"]["points"], "branch of another server")
        ran = subprocess.run([SALTATION, "explore", "--run", str(file)], capture_output=True, text=True, check=True)
        lines = [json.loads(line) for line in ran.stdout.splitlines()]
        exponents = [line.get("answer", line).get("exponents") for line in lines]
        expect(answers["lyapunov"]["exponents"] in exponents, "the session without the page has other exponents")


@test
def ended(browser, _pictures):
    """When the server ends the page says so, and goes on with the next one; two pages share a server."""
    token = "tokenofthebrowsertest"
    with Server("impact-oscillator", "--token", token) as server:
        page, other = Page(browser, server.address), Page(browser, server.address)
        page.motion()
        orbit_of(page)
        orbit_of(other)
        same(page.number("orbit-T"), other.number("orbit-T"), "period of two pages")
        port = server.address.split(":")[2].split("/")[0]
        server.end()
        page.until("document.querySelector('[data-test=gone]')", 15)
        with Server("impact-oscillator", "--token", token, "--port", port):
            page.until("!document.querySelector('[data-test=gone]')", 15)
            page.click("tab-motion")
            page.put("parameter-A", 0.36)
            page.motion(A=0.36)
            # The orbit is asked again, as the new server does not know it.
            page.click("tab-orbits")
            branch_of(page, 0.345, 0.355)
            page.click("continue")
            page.until("document.querySelector('[data-test=branch-orbits-count]')")


def main():
    if not usable():
        print("page: there is no Chromium, and none can be installed; the browser test is SKIPPED", file=sys.stderr)
        return SKIPPED
    pictures = Path(sys.argv[1] if len(sys.argv) > 1 else "target/page/pictures")
    pictures.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:]
    failed = 0
    # Looks and speed come last.
    for function in sorted(TESTS, key=lambda one: one.__module__ == page_looks.__name__):
        if wanted and function.__name__ not in wanted:
            continue
        begin = time.monotonic()
        try:
            with Browser() as browser:
                function(browser, pictures)
            print(f"   {function.__name__}: passed in {time.monotonic() - begin:.0f} s", flush=True)
        except (AssertionError, RuntimeError, OSError, subprocess.SubprocessError, StopIteration, KeyError, TypeError) as error:
            failed += 1
            print(f"   {function.__name__}: FAILED: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
