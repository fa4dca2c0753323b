"""How the page of `saltation explore` looks at three widths, light and dark, and how fast it is: loading, and a diagram of a million points."""

import statistics
import time

from page_driver import Page, Server, expect, test

PANELS = ("model", "motion", "mechanism", "orbits", "sweep", "basin", "modes", "contact", "steady", "session")


@test
def appearance(browser, pictures):
    """Every panel at 1500, 900 and 390 pixels, light and dark: nothing is wider than the window, and the console is quiet."""
    wrong = []
    for model in ("impact-oscillator", "double-pendulum"):
        with Server(model) as server:
            for width in (1500, 900, 390):
                for scheme in ("light", "dark"):
                    page = Page(browser, server.address, width, scheme)
                    page.motion()
                    for panel in PANELS:
                        page.click(f"tab-{panel}")
                        if panel == "sweep":
                            for field in ("points", "settle", "record"):
                                page.put(f"sweep-{field}", 20)
                        for button in {"orbits": ["find", "continue"], "sweep": ["sweep"], "steady": ["equilibrium", "lyapunov"]}.get(panel, []) if model == "impact-oscillator" else []:
                            page.click(button)
                            page.idle({"find": "orbit", "continue": "branch"}.get(button, button))
                        if panel == "motion":
                            page.choose("motion-view", "plane")
                            for name in ("plane-field", "plane-nullclines"):
                                if not page.run(f"document.querySelector('[data-test={name}]').checked"):
                                    page.click(name)
                        time.sleep(0.3)
                        wrong += [f"{model}, {panel} at {width}, {scheme}: wider than the window: {what}" for what in page.tab.overflow()]
                        page.tab.picture(pictures / f"{model}-{panel}-{width}-{scheme}.png")
                    wrong += [f"{model} at {width}, {scheme}: {what}" for what in page.errors()]
    expect(not wrong, "; ".join(wrong))


@test
def speed(browser, pictures):
    """Loading, and a diagram of a million points while it is magnified."""
    with Server("impact-oscillator") as server:
        page = Page(browser, server.address)
        timing = page.run("(({ domContentLoadedEventEnd, loadEventEnd }) => [domContentLoadedEventEnd, loadEventEnd])(performance.getEntriesByType('navigation')[0])")
        print(f"      loaded in {timing[1]:.0f} ms")
        page.click("tab-sweep")
        page.choose("sweep-along", "A")
        for field, value in {"low": 0.33, "high": 0.4, "points": 2000, "record": 500, "settle": 100}.items():
            page.put(f"sweep-{field}", value)
        page.click("sweep")
        page.until("saltationPage.read('sweep').points === 1000000 && !document.querySelector('[data-test=stop-sweep]')", 300)
        page.settle()
        x, y = page.centre("plane-sweep")
        # The view moves with every frame, in and out, so that all points are drawn again.
        shown = page.run(
            """new Promise((done) => {
                const canvas = document.querySelector("[data-test=plane-sweep] canvas"), box = canvas.getBoundingClientRect(), stamps = [];
                const frame = (stamp) => {
                    stamps.push(stamp);
                    if (stamps.length > 60) return done(stamps);
                    const deltaY = stamps.length % 20 < 10 ? -40 : 40;
                    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, cancelable: true }));
                    requestAnimationFrame(frame);
                };
                requestAnimationFrame(frame);
            })"""
        )
        rate = 1000 * (len(shown) - 1) / (shown[-1] - shown[0])
        drawn = page.run("saltationPage.frames('sweep').slice(-50)")
        print(f"      a million points: {rate:.0f} frames a second while magnified, each drawn in {statistics.median(drawn):.1f} ms (median; longest {max(drawn):.1f} ms)")
        page.tab.picture(pictures / "million-1280-light.png", whole=False)
        expect(rate > 10, f"a million points are drawn {rate:.1f} times a second only")
