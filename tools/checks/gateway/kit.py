"""What the tests of pages share: a browser of the process, axe, and the seconds of each test."""

from __future__ import annotations

import base64
import functools
import os
import pathlib
import sys
import time
import unittest
import uuid
from typing import Any

from running import Running

# Without the windows of a browser, whose pages cost several times as much.
CHROMIUM = os.environ.get("QUIVER_CHROMIUM", "/usr/bin/chromium-headless-shell")
# What a browser installs is known to one with windows alone.
WITH_WINDOWS = "/usr/bin/chromium"
# A name that is no loopback address to the browser: its context is insecure, as on the LAN of a club.
HOST = "club.test"
# What the first load of a page may take on the network: the page and all its files, compressed, with the fields of HTTP.
MOST_PAGE_BYTES = 100_000
# Pictures are drawn without a GPU, which the machines of tests do not have.
ARGUMENTS = ["--no-sandbox", "--disable-gpu", f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]


@functools.cache
def shared_playwright() -> Any:
    """The driver of the process; each further one would be a process of Node."""
    from playwright.sync_api import sync_playwright

    playwright = sync_playwright().start()
    at_the_end(playwright.stop)
    return playwright


@functools.cache
def shared_browser() -> Any:
    """A browser for all tests of the process: what one stores, another one in a context of its own does not see."""
    browser = shared_playwright().chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
    at_the_end(browser.close)
    return browser


@functools.cache
def shared_running() -> Running:
    """A server and a gateway for the tests of the process whose events do not meet."""
    running = Running("--allow-host", HOST)
    at_the_end(running.end)
    return running


# What is ended when all tests have run, the last one first.
ends: list[Any] = []


def at_the_end(end: Any) -> None:
    ends.append(end)


def identity() -> str:
    """A UUIDv7."""
    tail = bytearray(uuid.uuid4().bytes[6:])
    tail[0] = 0x70 | tail[0] & 0x0F
    return base64.b64encode(int(time.time() * 1000).to_bytes(6, "big") + tail).decode()


@functools.cache
def axe_script() -> str:
    from axe_playwright_python.base import AXE_SCRIPT

    return str(AXE_SCRIPT)


def violations(page: Any) -> list[tuple[str, list[str]]]:
    """What axe finds on a page: the rules, and the elements that break them. A document is given axe once."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe_script())
    return [(rule, nodes) for rule, nodes in page.evaluate(
        """async () => (await axe.run({ resultTypes: ["violations"] })).violations
          .map((one) => [one.id, one.nodes.map((node) => node.html)])""")]  # fmt: skip


def beyond(page: Any) -> list[str]:
    """What is wider than the screen, and controls that are not reached without moving something sideways."""
    width, controls = page.evaluate("""() => [document.documentElement.scrollWidth - innerWidth,
      [...document.querySelectorAll(":is(main, dialog) :is(a, button, input, select, textarea)")].filter((one) => {
        const box = one.getBoundingClientRect();
        return box.width > 0 && (box.right > innerWidth + 1 || box.left < -1);
      }).map((one) => one.outerHTML.slice(0, 100))]""")  # fmt: skip
    return [f"{width} pixels are beyond the edge"] * (width > 0) + [f"beyond the edge: {one}" for one in controls]


# Where pictures of screens are stored; nowhere: empty.
FOLDER = os.environ.get("QUIVER_SCREENS", "")
# The pictures of each screen, in the order of their forms.
pictures: dict[str, list[pathlib.Path]] = {}


def look(page: Any, name: str, form: str) -> str:
    """What is wrong with a screen in a form, such as 320-dark: axe finds something, or it does not fit."""
    if FOLDER:
        if not pictures:
            at_the_end(make_sheets)
        path = pathlib.Path(FOLDER) / f"{name}-{form}.png"
        pictures.setdefault(name, []).append(path)
        page.screenshot(path=path, animations="disabled")
    faults = [str(one) for one in violations(page)] + beyond(page)
    return "".join(f"{name} {form}: {fault}\n" for fault in faults)


def make_sheets() -> None:
    """For each screen a picture of all its forms at half the size, of at most 25 KB."""
    from PIL import Image

    for name, files in pictures.items():
        screens = [Image.open(file).convert("RGB") for file in files]
        screens = [one.resize((one.width // 2, one.height // 2), Image.Resampling.LANCZOS) for one in screens]
        sheet = Image.new("RGB", (sum(one.width + 8 for one in screens) - 8, max(one.height for one in screens)), "#808890")
        left = 0
        for one in screens:
            sheet.paste(one, (left, 0))
            left += one.width + 8
        path = pathlib.Path(FOLDER) / f"{name}.webp"
        for quality in (60, 50, 40, 30, 20, 10):
            sheet.save(path, quality=quality, method=6)
            if path.stat().st_size <= 25_000:
                break


class Result(unittest.TextTestResult):
    """Adds the seconds of each test, a line each, to the file QUIVER_PARTS, of which the checks print the largest."""

    def startTest(self, test: unittest.TestCase) -> None:
        self.began = time.monotonic()
        super().startTest(test)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        # At once: a check that takes too long is ended before the list at its end.
        self.stream.writeln(self.failures[-1][1])

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        if path := os.environ.get("QUIVER_PARTS"):
            name = str(test).split(" ", 1)[0].removeprefix("test_").replace("_", " ")
            with open(path, "a") as parts:
                parts.write(f"{time.monotonic() - self.began:.1f} {name}\n")


def main(*files: str) -> None:
    """Runs the tests of a file, or of files; ends what they share."""
    runner = unittest.TextTestRunner(resultclass=Result, verbosity=2)
    try:
        program = unittest.main(module=None if files else "__main__", argv=[sys.argv[0], *files], testRunner=runner, exit=False)
    finally:
        while ends:
            ends.pop()()
    sys.exit(not program.result.wasSuccessful())


if __name__ == "__main__":
    # As the modules import it.
    import kit

    kit.main(*[pathlib.Path(argument).name.removesuffix(".py") for argument in sys.argv[1:]])
