"""Phones that score at an event: browser contexts on the page of a real gateway and server."""

from __future__ import annotations

import contextlib
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Playwright, expect

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/checks/gateway"))
import kit  # noqa: E402
from kit import ARGUMENTS, CHROMIUM, HOST  # noqa: E402, F401
from running import PROGRAMS, Running, free_port, wait_until  # noqa: E402, F401

# How long something may take that a person would wait for; more on a machine that does other work.
MILLISECONDS = 1000 * int(os.environ.get("QUIVER_PATIENCE", "120"))


def press_until_gone(button: Locator) -> None:
    """Taps a button until it is gone: a tap in which the page is drawn anew presses nothing."""
    expect(button).to_be_visible(timeout=MILLISECONDS)
    for _ in range(MILLISECONDS // 5_000):
        with contextlib.suppress(AssertionError, Error):
            button.click(timeout=5_000)
            expect(button).to_be_hidden(timeout=5_000)
        if button.is_hidden():
            return
    expect(button).to_be_hidden()


def bring_module(page: Page, name: str) -> None:
    """Serves a module of the pages at its path: pages have it within their one script."""
    source = ROOT / "Sources/Programs/quiver-gateway/Pages" / name
    page.route(f"**/{name}", lambda route: route.fulfill(path=source, content_type="text/javascript"))


class Event:
    """An event with targets of archers, and what the server says of it."""

    def __init__(self, running: Running, names: list[str], codename: str = "wa18", arrows: int = 6, per_target: int = 4,
                 first_target: int = 7, is_started: bool = True, passes: list[dict[str, object]] | None = None) -> None:  # fmt: skip
        self.running = running
        form: dict[str, object] = {"codename": codename, "arrowLimit": arrows}
        if passes:
            own = self.call("Rounds/CreateFormat", format={"name": "Own", "location": "ROUND_LOCATION_OUTDOOR", "passes": passes})
            form = {"id": own["id"]}
        made = self.call("Tournament/CreateTournament", name="Autumn Round", isPublic=True, maxParticipants=500, format=form)
        self.id = made["id"]
        count = -(-len(names) // per_target)
        session = self.call("Events/CreateEventSession", session={
            "tournamentId": self.id, "name": "Morning", "firstTarget": first_target,
            "lastTarget": first_target + count - 1, "archersPerTarget": per_target})  # fmt: skip
        self.session = session["id"]
        entries = self.call("Events/ImportEventEntries", tournamentId=self.id, entries=[
            {"name": name, "bib": str(100 + index), "club": "Bowmen of Testing", "sessionId": self.session}
            for index, name in enumerate(names)])["entries"]  # fmt: skip
        self.archers: list[str] = [entry["participantId"] for entry in entries]
        self.target_of: dict[str, int] = {}
        for index, archer in enumerate(self.archers):
            self.target_of[archer] = first_target + index // per_target
            self.call("Events/PlaceEventEntry", participantId=archer, sessionId=self.session,
                      target=self.target_of[archer], letter="ABCD"[index % per_target])  # fmt: skip
        self.call("Events/SetEventLeases", tournamentId=self.id, demanded=True)
        if is_started:
            self.call("Tournament/StartTournament", id=self.id, anyway=True)

    def demand(self, consent: str) -> None:
        """Says who must agree to corrections of full ends."""
        revision = self.call("Tournament/GetTournament", id=self.id)["revision"]
        self.call("Tournament/UpdateTournament", updateMask=["correction_consent"], tournament={
            "id": self.id, "revision": revision, "correctionConsent": f"CORRECTION_CONSENT_{consent}"})  # fmt: skip

    def let_scorers_type_papers(self) -> None:
        revision = self.call("Tournament/GetTournament", id=self.id)["revision"]
        self.call("Tournament/UpdateTournament", updateMask=["scorers_type_papers"], tournament={
            "id": self.id, "revision": revision, "scorersTypePapers": True})  # fmt: skip

    def codes(self) -> dict[int, str]:
        reply = self.call("Events/ListTargetCodes", tournamentId=self.id, sessionId=self.session)
        return {one["target"]: one["code"] for one in reply["codes"]}

    def plates(self) -> dict[int, str]:
        reply = self.call("Events/CreatePlateCodes", tournamentId=self.id)
        return {one["target"]: one["code"] for one in reply["codes"]}

    def call(self, method: str, **request: object) -> Any:
        return self.running.call(method, **request)

    def operations(self, archer: str) -> dict[tuple[int, int], tuple[str, str]]:
        """The arrows of a first card by end and arrow: as on a score sheet, and by which operation."""
        found = {}
        for arrow in self.call("Rounds/GetScorecard", participantId=archer).get("arrows", []):
            if not arrow.get("retracted"):
                slot = arrow.get("endIndex", 0), arrow.get("arrowIndex", 0)
                found[slot] = text_of(arrow), arrow.get("operationClientId", "")
        return found

    def card(self, archer: str) -> dict[tuple[int, int], str]:
        return {slot: text for slot, (text, _) in self.operations(archer).items()}

    def second(self, archer: str) -> dict[int, list[str]]:
        ends = self.call("Events/GetComparedCard", participantId=archer).get("ends", [])
        return {end.get("endIndex", 0): [text_of(one) for one in end["second"]] for end in ends if end.get("second")}

    def devices(self) -> list[Any]:
        found: list[Any] = self.call("Events/ListEventDevices", tournamentId=self.id).get("devices", [])
        return found


def text_of(arrow: Any) -> str:
    value = arrow.get("value", 0)
    return "X" if arrow.get("isX") else "M" if value == 0 else str(value)


class Phone:
    """The page in a context of its own."""

    def __init__(self, context: BrowserContext, address: str, code: str = "") -> None:
        self.context = context
        self.address = address
        self.faults: list[str] = []
        self.hosts: set[str] = set()
        self.page = self.tab(code)

    def tab(self, code: str = "") -> Page:
        page = self.context.new_page()
        page.set_default_timeout(MILLISECONDS)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("request", lambda request: self.hosts.add(request.url.split("/")[2]))
        page.goto(f"{self.address}/score" + (f"#{code}" if code else ""))
        return page

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def press(self, name: str) -> None:
        self.button(name).click()

    def begin(self) -> None:
        press_until_gone(self.button("Start entering"))

    def start(self) -> None:
        """Begins, and waits for the round: without a connection the page does not get it."""
        self.begin()
        expect(self.page.locator(".row .arrow").first).to_be_visible(timeout=MILLISECONDS)

    def enter(self, *values: str) -> None:
        for value in values:
            self.page.locator(f'.pad [data-value="{value}"]').click()

    def agree(self) -> None:
        self.press("Agreed, mark holes, draw")

    def expect_on_disk(self) -> None:
        """What waits is on disk: until then it is shown as being stored, and counts as waiting."""
        expect(self.page.locator('#state[data-storing="0"]')).to_have_count(1, timeout=MILLISECONDS)

    def expect_saved(self) -> None:
        expect(self.page.locator("#state")).to_have_text("All saved", timeout=MILLISECONDS)

    def expect_text(self, text: str) -> None:
        expect(self.page.locator("#page")).to_contain_text(text, timeout=MILLISECONDS)


class PageTest(unittest.TestCase):
    browser: Browser
    playwright: Playwright
    running: Running
    seed: int

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = kit.shared_running()
        cls.playwright = kit.shared_playwright()
        cls.browser = kit.shared_browser()
        cls.seed = int(os.environ.get("QUIVER_SEED", random.SystemRandom().randrange(2**32)))
        print(f"QUIVER_SEED={cls.seed}", file=sys.stderr)

    def address(self, running: Running | None = None) -> str:
        return f"http://{HOST}:{(running or self.running).port}"

    def context(self, script: str = "", **options: Any) -> BrowserContext:
        size = {"viewport": {"width": 390, "height": 844}, "locale": "en-GB"}
        context = self.browser.new_context(**{**size, **options})
        self.addCleanup(context.close)
        if script:
            context.add_init_script(script)
        return context

    def phone(self, code: str = "", script: str = "", running: Running | None = None, **options: Any) -> Phone:
        phone = Phone(self.context(script, **options), self.address(running), code)
        self.addCleanup(lambda: self.assertEqual(phone.faults, []))
        return phone

    def expect_stored_once(self, event: Event, cards: dict[str, list[list[str]]]) -> None:
        """Compares the server's first cards with the ends that were called, by arrows in any order."""
        names = []
        for archer, ends in cards.items():
            found = event.operations(archer)
            names += [name for _, name in found.values()]
            stored: dict[int, list[str]] = {}
            for (end, _), (text, _) in sorted(found.items()):
                stored.setdefault(end, []).append(text)
            self.assertEqual({index: sorted(end) for index, end in stored.items()},
                             {index: sorted(end) for index, end in enumerate(ends) if end}, archer)  # fmt: skip
        self.assertEqual(len(names), len(set(names)))


def codes_in(*pictures: bytes) -> list[str]:
    """What a camera reads of pictures, in their order: one QR code of each."""
    with tempfile.TemporaryDirectory(prefix="quiver-codes") as folder:
        paths = [pathlib.Path(folder, f"{number:03d}.png") for number in range(len(pictures))]
        for path, picture in zip(paths, pictures, strict=True):
            path.write_bytes(picture)
        done = subprocess.run(["zbarimg", "--quiet", "--raw", *map(str, paths)], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, timeout=120, check=False)  # fmt: skip
    return done.stdout.split()


def processes_of(folder: str) -> list[int]:
    """The processes of the browser that has its data in a folder."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"--user-data-dir={folder}".encode() in (path / "cmdline").read_bytes():
                found.append(int(path.name))
    return found


def number_in(text: str, pattern: str) -> int:
    found = re.search(pattern, text)
    assert found is not None, text
    return int(found.group(1))
