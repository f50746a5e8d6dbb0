"""Archers with data, and the archer's page in Chromium, for the tests of this folder.

QUIVER_SCREENS=FOLDER stores pictures of the screens there."""

from __future__ import annotations

import json
import os
import pathlib
import time
import unittest
import urllib.request
from collections.abc import Iterator
from typing import Any

import kit
from kit import identity
from playwright.sync_api import BrowserContext, Page, expect
from running import Running

FOLDER = os.environ.get("QUIVER_SCREENS", "")
DAY = 86_400_000
LANGUAGES = ("en", "de", "fr", "it")
# The screens on which a view is looked at: two phones in light and dark, and a desk.
FORMS = (("light", 390), ("dark", 320), ("light", 320), ("dark", 390), ("light", 1000))


def today() -> int:
    return int(time.time()) // 86_400


class Archer:
    """A user with a token, by calls."""

    def __init__(self, running: Running, name: str) -> None:
        self.running, self.name = running, name
        principal = running.call("Admin/CreatePrincipal", kind="PRINCIPAL_KIND_USER", displayName=name)
        self.token = running.call("Admin/CreateToken", principalId=principal["id"], label="test")["secret"]

    def call(self, method: str, **request: Any) -> Any:
        fields = {"content-type": "application/json", "authorization": f"Bearer {self.token}"}
        address = f"http://{self.running.address}/quiver.v1.{method}"
        body = json.dumps(request).encode()
        with urllib.request.urlopen(urllib.request.Request(address, body, fields)) as reply:
            return json.load(reply)

    def share(self, reader: Archer, *parts: str, days: int = 30) -> Any:
        code = reader.call("Account/GetIntroductionCode")["code"]
        return self.call("Account/ShareData", principalCode=code, parts=[f"SHARE_PART_{part}" for part in parts],
                         untilDay=today() + days)  # fmt: skip

    def setup(self, name: str, active: bool = True) -> str:
        made = self.call("Equipment/CreateBowSetup", bowSetup={"name": name, "isActive": active})
        return str(made["id"])

    def shoot(self, setup: str, values: list[int], hours_ago: int) -> None:
        """A complete round of 18 m with that many arrows."""
        made = self.call("Rounds/CreateSession", format={"codename": "wa18", "arrowLimit": len(values)}, setupId=setup)
        participant = made["rounds"][0]["participantId"]
        at = str(int(time.time() * 1000) - hours_ago * 3_600_000)
        operations = [{"clientId": identity(), "kind": "OPERATION_KIND_RECORD", "participantId": participant, "endIndex": place // 3,
                       "arrowIndex": place % 3, "value": value, "scoredAtMs": at} for place, value in enumerate(values)]  # fmt: skip
        self.call("Rounds/ApplyOperations", operations=operations)

    def weigh(self, day: int, pounds: float, note: str = "") -> None:
        self.call("Logbook/CreateWeightEntry", weightEntry={"thousandths": str(round(pounds * 1000)), "unit": "WEIGHT_UNIT_POUND",
                  "day": day, "measuredAtMs": str(day * DAY + DAY // 2), "note": note})  # fmt: skip

    def lift(self, day: int, exercise: str, repetitions: int, weight: float) -> None:
        self.call("Logbook/CreateSet", set={"day": day, "exercise": exercise, "sets": 1, "repetitions": repetitions,
                  "weight": weight, "unit": "WEIGHT_UNIT_POUND"})  # fmt: skip


class MePages(unittest.TestCase):
    """A server, a gateway and a browser; each test has archers and contexts of its own."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = kit.shared_running()
        cls.origin = "http://" + cls.running.address
        cls.browser = kit.shared_browser()

    def setUp(self) -> None:
        self.errors: list[str] = []
        self.contexts: list[BrowserContext] = []
        self.addCleanup(lambda: [context.close() for context in self.contexts])

    def tearDown(self) -> None:
        self.assertEqual(self.errors, [], "the page threw errors")

    def signed_in(self, archer: Archer, script: str = "", **options: Any) -> Page:
        given = {"viewport": {"width": 1000, "height": 900}, "locale": "en-GB", "timezone_id": "UTC"} | options
        self.contexts.append(self.browser.new_context(**given))
        if script:
            self.contexts[-1].add_init_script(script)
        page = self.contexts[-1].new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{self.origin}/me")
        page.locator("main input").first.fill(archer.token)
        page.locator("main button.main").click()
        expect(page.locator("#tabs")).to_be_visible()
        return page

    def view(self, page: Page, address: str) -> None:
        page.goto(f"{self.origin}/me#/{address}")
        page.reload()
        page.wait_for_selector("main h2, main > p")

    def turn(self, page: Page, address: str) -> None:
        """Shows a view on the page that is loaded, anew if it is shown, and waits until it is."""
        language = page.evaluate("""(hash) => {
          document.querySelector("main").dataset.view = "";
          if (location.hash === hash) dispatchEvent(new Event("hashchange"));
          else location.hash = hash;
          return document.documentElement.lang;
        }""", f"#/{address}")  # fmt: skip
        page.wait_for_selector(f'main[data-view="{language}#/{address}"]')

    def speak(self, page: Page, language: str) -> None:
        """Shows the view that is shown in a language."""
        address = page.evaluate("location.hash")
        page.locator("#language").select_option(language)
        page.wait_for_selector(f'main[data-view="{language}{address}"]')

    @staticmethod
    def rows(page: Page, table: int = 0) -> list[list[str]]:
        """The texts of the cells of a table."""
        return page.locator("main table").nth(table).locator("tbody tr").evaluate_all(
            "(rows) => rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.innerText.trim()))")

    def in_forms(self, page: Page, name: str, first: int = 0) -> Iterator[str]:
        """Shows the view that is shown on each screen, on phones each in another language; gives a name for each."""
        for place, (scheme, width) in enumerate(FORMS):
            language = LANGUAGES[(first + place) % len(LANGUAGES)]
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 800})
            self.speak(page, language)
            yield f"{name}-{language}-{scheme}-{width}"

    def check(self, page: Page, name: str) -> None:
        """Everybody can read and use what is shown; its texts fit the smallest phone, too."""
        self.assertEqual(kit.violations(page), [], name)
        self.fits(page, name)
        if FOLDER:
            page.screenshot(path=pathlib.Path(FOLDER) / f"{name}.png", full_page=True)
        size = page.viewport_size
        page.set_viewport_size({"width": 320, "height": 800})
        self.fits(page, f"{name} at 320 px")
        page.set_viewport_size(size)

    def fits(self, page: Page, name: str) -> None:
        """Nothing is wider than the screen, and what can be pressed is reached without moving it sideways."""
        self.assertEqual(kit.beyond(page), [], name)
        # The line of tabs scrolls by itself: the current tab is in it.
        page.wait_for_function("""() => [...document.querySelectorAll("#tabs [aria-current]")].every((one) => {
          const box = one.getBoundingClientRect();
          return box.left >= 0 && box.right <= innerWidth;
        })""")  # fmt: skip

    def fill(self, archer: Archer) -> None:
        """Something in every view."""
        kinds = {
            "Riser": ("riser", {"brand": "Hoyt", "model": "Formula XD", "lengthIn": 25}),
            "Sight": ("sight", {"brand": "Shibuya", "model": "Ultima"}),
            "BowString": ("bowString", {"maker": "Angel", "stringType": "Majesty"}),
            "Weight": ("weight", {"location": "side rod", "name": "disc", "ounces": 4}),
            "Accessory": ("accessory", {"name": "Cartel", "type": "ACCESSORY_TYPE_TAB"}),
        }
        self.items = {kind: archer.call(f"Equipment/Create{kind}", **{field: item})["id"] for kind, (field, item) in kinds.items()}
        old = archer.call("Equipment/CreateRiser", riser={"brand": "Win&Win", "model": "Old"})
        archer.call("Equipment/ArchiveRiser", id=old["id"])
        self.indoor, self.arena = archer.setup("indoor"), archer.setup("Arena")
        archer.setup("Zebra")
        archer.setup("Broken", active=False)
        for distance, unit in ((70, "METRE"), (60, "YARD"), (18, "METRE")):
            archer.call("Equipment/CreateSightMark", sightMark={"sightId": self.items["Sight"], "distance": distance,
                        "unit": f"DISTANCE_UNIT_{unit}", "markValue": distance / 10})  # fmt: skip
        archer.call("Equipment/AddBowSetupComponent", id=self.indoor, component={"equipmentId": self.items["Riser"]})
        for hours in range(2):
            archer.shoot(self.arena, [9, 9, 9, 9, 9, 9], 20 + hours)
            archer.shoot(self.indoor, [10, 10, 10, 10, 10, 10], 30 + hours)
        day = today()
        self.first = day - 75
        for offset, pounds, note in ((0, 170.0, ""), (7, 170.05, ""), (14, 171.0, "after dinner"), (70, 169.0, "")):
            archer.weigh(self.first + offset, pounds, note)
        for number in range(40):
            archer.lift(day - 40 + number, "Squat", 5, 100 + number)
        archer.lift(day - 1, "Bench", 15, 50)
        archer.lift(day - 2, "Plank", 40, 10)
