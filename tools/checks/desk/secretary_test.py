"""A secretary runs a whole indoor event at the desk, with Chromium and nothing else, from an empty server to the medals, with
the mouse or by keyboard alone. Phones score: some by the score page, the others by the client for JavaScript. The first
attempt of calls of the desk is lost now and then, before the server has it or behind it. What the desk, its papers and its
files say is compared with a recount of what the archers shot.

The event has 12 archers in two categories; with QUIVER_LONG=1 it has 60 in five. The seed is printed; QUIVER_SEED=NUMBER plays
it again. In the short event with the mouse axe looks at each screen on a desktop and on phones, in light and dark, and each fits
its screen; QUIVER_SCREENS=FOLDER stores pictures of them there, and one of each screen with all its forms."""

from __future__ import annotations

import csv
import io
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import unittest
from collections.abc import Callable
from typing import Any

import kit
from phones import press_until_gone
from playwright.sync_api import BrowserContext, FileChooser, Locator, Page, Route, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout
from running import Running

ROOT = pathlib.Path(__file__).resolve().parents[3]
SEED = int(os.environ.get("QUIVER_SEED", "1"))
MILLISECONDS = 120_000
IS_LONG = os.environ.get("QUIVER_LONG") == "1"
# How matches are scored, and how many archers go on.
CATEGORIES = {"RW": ("sets", 8), "RM": ("sets", 8), "CW": ("total", 4), "CM": ("total", 4), "BM": ("sets", 4)} if IS_LONG else {
    "RM": ("sets", 4), "CW": ("total", 4)}  # fmt: skip
EACH = 12 if IS_LONG else 6
ARCHERS = EACH * len(CATEGORIES)
TARGETS = ARCHERS // 4
# How many targets are scored by the score page, and where it scores semi-finals: it keeps its target for matches.
PAGES = 2 if IS_LONG else 1
PAGE_MATCHES = {"RM": 9, "BM": 11} if IS_LONG else {"RM": 1}
# Where the rounds of matches begin that others score.
MATCH_TARGETS = range(1, 6) if IS_LONG else range(2, 3)
# Of these categories an official enters a match of each round, and of one of them an archer forfeits a match.
DESK_MATCHES = ("CW", "BM")
FORFEIT = "CM" if IS_LONG else "CW"
ENDS = 20
# The face of compounds indoors has no X.
VALUES = ["X", "10", "9", "8", "7", "6", "5", "4", "3", "2", "1", "M"]
# The forms of a screen: where it is looked at, and how.
FORMS = [(1200, 900, "light"), (1200, 900, "dark"), (390, 844, "light"), (320, 568, "dark")]
FIRST = ["Jörg", "Zoë", "Ольга", "Ζωή", "李", "ليلى", "Anaïs", "François", "Łukasz", "Bjørn", "Chloé", "Siân"]
LAST = ["Archer", "Bogenschütz", "Pfeil", "O’Neill-Müller", "van den Berg"]
LAST_OF = {"Ольга": ["Лучникова", "Стрелова", "Мишень", "Тетивина", "Колчанова"], "李": ["娜", "小明", "弓", "箭", "静"],
           "Ζωή": ["Παπαδοπούλου", "Τοξότη", "Βέλου", "Νίκα", "Στόχου"], "ليلى": ["عبد الله", "القوس", "السهم", "الهدف", "النجار"]}
# Windows-1252 has these; the file of this event is in UTF-16, which has all.
CLUBS = ["Grüt", "Bowmen of Testing", "Compagnie d’Arc", "Arcieri; \"Uno\""]

# Enters an end of all archers on the score page, each arrow after the one before is shown.
ENTER = """async (ends) => {
  const pause = (time) => new Promise((wake) => { setTimeout(wake, time); });
  const count = (archer) => document.querySelectorAll(`.row[data-archer="${archer}"] .arrow:not(.empty)`).length;
  const arrows = Object.values(ends).flat().length;
  for (let entered = 0; entered < arrows; entered += 1) {
    const archer = document.querySelector(".row.next")?.dataset.archer;
    const before = count(archer);
    const button = document.querySelector(`.pad [data-value="${ends[archer]?.[before]}"]`);
    if (!button) return `no button for arrow ${before + 1} of ${archer}`;
    button.click();
    for (let time = 0; count(archer) === before && time < 1000; time += 1) await pause(20);
    if (count(archer) !== before + 1) return `arrow ${before + 1} of ${archer} is not shown`;
  }
  return "";
}"""

DROP = """([name, bytes]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(bytes)], name, { type: "text/csv" }));
  document.querySelector(".drop").dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""

READS = re.compile(r"/(Get|List|Watch|WhoAmI|Check|Describe)")


def points(text: str) -> int:
    return 10 if text == "X" else 0 if text == "M" else int(text)


def arrow(text: str) -> dict[str, Any]:
    return {"value": points(text), **({"isX": True} if text == "X" else {})}


def full_name(number: int) -> str:
    """Of 60 archers no two have the same name."""
    first, family = FIRST[number % 12], number // 12 % 5
    return f"{first} {LAST_OF[first][family]}" if first in LAST_OF else f"{first} {LAST[family]}"


class Network:
    """Loses the first attempt of calls that change something: of each method once the call, and once the reply."""

    def __init__(self) -> None:
        self.lost: dict[str, set[str]] = {}
        self.answered = self.calls = 0

    def handle(self, route: Route) -> None:
        method = route.request.url.rsplit("quiver.v1.", 1)[-1]
        self.calls += 1
        if READS.search(method):
            self.answered += 1
            return route.continue_()
        lost = self.lost.setdefault(method, set())
        # The client repeats a tenth of its calls at most.
        how = next((how for how in ("reply", "call") if how not in lost), "")
        if not how or self.answered < 12:
            self.answered += 1
            return route.continue_()
        self.answered = 0
        lost.add(how)
        if how == "reply":
            route.fetch()
        route.abort("connectionreset")
        return None


class Hand:
    """Uses the desk: with the mouse, or by keyboard alone."""

    def __init__(self, page: Page, has_keys: bool, look: Callable[[str], None]) -> None:
        self.page, self.has_keys, self.look = page, has_keys, look
        page.set_default_timeout(MILLISECONDS)

    def reach(self, place: Locator) -> None:
        """Goes to a control by the key Tab alone, backwards where it stands before."""
        place.wait_for()
        handle = place.element_handle()
        for _ in range(800):
            where = handle.evaluate("""(one) => !one.isConnected ? "gone" : document.activeElement === one ? "there"
              : document.activeElement.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING ? "before" : "behind" """)
            if where == "there":
                return
            if where == "gone":
                handle = place.element_handle()
                continue
            self.page.keyboard.press("Shift+Tab" if where == "before" else "Tab")
        raise AssertionError(f"{place} is not reached by the keyboard")

    def control(self, label: str) -> Locator:
        """A field of the dialog, by the text before it: the text of a label has the options of a choice."""
        name = self.page.locator("span", has_text=re.compile(f"^{re.escape(label)}$"))
        return self.page.locator("dialog label").filter(has=name).locator("input, select, textarea")

    def go(self, place: Locator) -> None:
        """Presses a button or a link."""
        if not self.has_keys:
            return place.click()
        self.reach(place)
        self.page.keyboard.press("Enter")
        return None

    def press(self, text: str) -> None:
        root = self.page.locator("dialog" if self.page.locator("dialog").count() else "main")
        self.go(root.get_by_role("button", name=text, exact=True).first)

    def set(self, place: Locator, checked: bool) -> None:
        if place.is_checked() == checked:
            return
        if not self.has_keys:
            return place.set_checked(checked)
        self.reach(place)
        self.page.keyboard.press("Space")
        return None

    def fill(self, label: str | Locator, text: str) -> None:
        place = self.control(label) if isinstance(label, str) else label
        if not self.has_keys:
            return place.fill(text)
        self.reach(place)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text)
        return None

    def choose(self, label: str | Locator, value: str) -> None:
        place = self.control(label) if isinstance(label, str) else label
        if place.input_value() == value:
            return
        if not self.has_keys:
            place.select_option(value)
            return
        options = place.locator("option").evaluate_all("(list) => list.map((one) => one.value)")
        for _ in range(2 * len(options)):
            now = place.input_value()
            if now == value:
                return
            self.reach(place)
            self.page.keyboard.press("ArrowDown" if options.index(now) < options.index(value) else "ArrowUp")
            # A choice may draw the view again.
            expect(place).not_to_have_value(now)
            expect(self.page.locator("#main[aria-busy]")).to_have_count(0)
        raise AssertionError(f"{value} is not chosen")

    def agree(self, name: str = "") -> None:
        """The main button of the dialog, which goes then; it is looked at by its title, unless it has a name."""
        dialog = self.page.locator("dialog")
        title = dialog.locator("h2").inner_text()
        self.look(name or re.sub(r"\W+", "-", title).strip("-").lower())
        self.go(dialog.locator("button.main"))
        expect(self.page.locator("dialog h2", has_text=re.compile(f"^{re.escape(title)}$"))).to_have_count(0)
        self.keeps_focus()

    def said(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("#state")).to_contain_text(text, timeout=MILLISECONDS)

    def done(self) -> None:
        """Waits until what was pressed is done, and has not failed."""
        expect(self.page.locator("#state")).not_to_have_text(re.compile("Working"), timeout=MILLISECONDS)
        expect(self.page.locator("#state.bad")).to_have_count(0)
        self.keeps_focus()

    def keeps_focus(self) -> None:
        """By keyboard alone nobody goes on from the start of the page."""
        if self.has_keys:
            self.page.wait_for_function("() => document.activeElement !== document.body", timeout=MILLISECONDS)

    def view(self, name: str, heading: str = "") -> None:
        self.go(self.page.locator("#tabs").get_by_role("link", name=name, exact=True))
        expect(self.page.locator("main h2").first).to_have_text(heading or name)
        expect(self.page.locator("#main[aria-busy]")).to_have_count(0)
        self.keeps_focus()

    def rows(self, caption: str) -> list[list[str]]:
        table = self.page.get_by_role("region", name=caption, exact=True).first
        table.wait_for()
        return table.locator("tbody tr").evaluate_all(
            "(rows) => rows.map((row) => [...row.children].map((cell) => cell.innerText.trim()))")


class Archer:
    def __init__(self, bib: str, name: str, club: str, category: str) -> None:
        self.bib, self.name, self.club, self.category = bib, name, club, category
        self.id = self.letter = ""
        self.target = 0
        self.ends: list[list[str]] = []
        self.is_absent = False

    @property
    def arrows(self) -> list[str]:
        return [text for end in self.ends for text in end]

    @property
    def total(self) -> int:
        return sum(map(points, self.arrows))

    def key(self) -> tuple[int, int, int]:
        """World Archery indoors: the score, then the tens with X, then the nines."""
        values = list(map(points, self.arrows))
        return sum(values), values.count(10), values.count(9)


def drawn_match(dice: random.Random, system: str, values: list[str]) -> tuple[list[list[dict[str, Any]]], int, list[int]]:
    """The ends of both sides until the match is decided, the winner (0 or 1), and what each side has."""
    sides: list[list[dict[str, Any]]] = [[], []]
    score = [0, 0]
    for end in range(5):
        shot = [sorted(dice.choices(values[:6], k=3), key=VALUES.index) for _ in range(2)]
        sums = [sum(map(points, one)) for one in shot]
        for side in range(2):
            sides[side].append({"index": end, "arrows": [arrow(text) for text in shot[side]]})
            if system == "total":
                score[side] += sums[side]
            else:
                score[side] += 2 if sums[side] > sums[1 - side] else 1 if sums[0] == sums[1] else 0
        if system == "sets" and max(score) >= 6:
            break
    if score[0] != score[1]:
        return sides, int(score[1] > score[0]), score
    winner = dice.randrange(2)
    for side in range(2):
        sides[side].append({"shootOff": True, "index": 0, "arrows": [arrow("10" if side == winner else "8")]})
    if system == "sets":
        score[winner] += 1
    return sides, winner, score


class SecretaryTest(unittest.TestCase):
    has_keys = False

    def setUp(self) -> None:
        self.dice = random.Random(SEED)
        # Of its own: the server is empty.
        self.running = Running("--allow-host", kit.HOST)
        self.addCleanup(self.running.end)
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        self.operations = 0
        self.network = Network()
        self.began = time.monotonic()
        self.seen: list[str] = []
        self.faults = ""

    def context(self, **options: Any) -> BrowserContext:
        context = kit.shared_browser().new_context(**({"viewport": {"width": 1200, "height": 900}, "locale": "en-GB"} | options))
        self.addCleanup(context.close)
        self.contexts.append(context)
        return context

    def note(self, text: str) -> None:
        print(f"{time.monotonic() - self.began:6.1f} s  {text}", file=sys.stderr, flush=True)

    def picture(self, name: str, page: Page | None = None) -> None:
        """A screen of the desk, or of another page: once, in the short event and with the mouse, axe looks at all its forms."""
        if self.has_keys or IS_LONG or name in self.seen:
            return
        self.seen.append(name)
        of, forms = page or self.hand.page, FORMS
        if page is None:
            expect(of.locator("#main[aria-busy]")).to_have_count(0)
        elif page.url.startswith("blob:"):
            forms = FORMS[:1]  # A paper.
        elif page.evaluate("innerWidth") < 600:
            forms = FORMS[2:]
        for width, height, scheme in forms:
            of.set_viewport_size({"width": width, "height": height})
            of.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            self.faults += kit.look(of, f"desk-{name}", f"{width}-{scheme}")
        of.set_viewport_size({"width": forms[0][0], "height": forms[0][1]})
        of.emulate_media(color_scheme="light")

    def phones(self, jobs: list[dict[str, Any]]) -> None:
        """Phones by the client for JavaScript."""
        self.operations += sum(len(job.get("arrows", [])) + len(job.get("ends", [])) + sum(map(len, job.get("sides", []))) for job in jobs)
        plan = json.dumps({"address": f"http://127.0.0.1:{self.running.port}", "jobs": jobs})
        done = subprocess.run(["node", str(ROOT / "tools/checks/desk/phones.mjs"), str(ROOT / "clients/javascript/src")],
                              input=plan, text=True, capture_output=True, timeout=300)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])

    # --- The day ---

    def test_a_secretary_runs_an_event(self) -> None:
        print(f"QUIVER_SEED={SEED}{' by keyboard' if self.has_keys else ''}", file=sys.stderr)
        try:
            self.run_event()
        except Exception:
            for number, page in enumerate(page for context in self.contexts for page in context.pages):
                if kit.FOLDER:
                    page.screenshot(path=pathlib.Path(kit.FOLDER) / f"failed-{number}.png")
                print(f"{page.url}:\n{page.inner_text('body')[:2000]}", file=sys.stderr)
            print(self.faults, file=sys.stderr)
            raise

    def run_event(self) -> None:
        self.sign_in()
        self.enter()
        self.check_in()
        self.draw()
        self.print_papers()
        self.shoot()
        self.rule_and_type()
        self.recount()
        self.board()
        self.brackets()
        self.finish()
        self.assertEqual(self.errors, [])
        self.assertEqual(self.faults, "")
        lost = sum(map(len, self.network.lost.values()))
        self.note(f"seed {SEED}: {len(self.archers)} archers, {self.operations} operations of phones, {self.network.calls} calls of the desk,"
                  f" {lost} attempts of {len(self.network.lost)} methods lost: 0 differences")

    def sign_in(self) -> None:
        invite = self.running.quiver("invite", "create", "--label", "desk", "--uses", "1").splitlines()[-1].strip()
        page = self.context().new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.hand = hand = Hand(page, self.has_keys, self.picture)
        self.prepare(page)
        first = self.context().new_page()
        first.goto(f"http://127.0.0.1:{self.running.port}/desk")
        first.get_by_role("button", name="Sign in").wait_for()
        self.picture("sign-in", first)
        page.goto(f"http://127.0.0.1:{self.running.port}/desk#{invite}")
        page.get_by_role("button", name="New event…").wait_for()
        page.route("**/quiver.v1.*/*", self.network.handle)
        hand.press("New event…")
        hand.fill("Name", "Hallenmeisterschaft 射箭")
        boxes = page.locator("dialog fieldset input")
        for code in boxes.evaluate_all("(list) => list.map((one) => one.value)"):
            hand.set(page.locator(f"dialog fieldset input[value={code}]"), code in CATEGORIES)
        hand.fill("Number of targets", str(TARGETS))
        self.assertIn("who shoot as AB, CD; ends of 3 arrows", page.locator("dialog").inner_text())
        hand.set(page.locator("dialog").get_by_label("Everybody with the address may watch and join"), True)
        hand.agree("template")
        hand.said(f"was created with {len(CATEGORIES)} categories.")
        self.picture("overview")
        hand.press("Edit the event…")
        hand.agree()
        hand.view("Categories and sessions", "Categories")
        self.names = {row[0]: row[1] for row in hand.rows("Categories")}
        self.assertEqual(list(self.names), list(CATEGORIES))
        self.picture("categories")
        self.note("the event is made")

    def prepare(self, page: Page) -> None:
        """Before the page is opened: by keyboard alone no pointer is pressed."""
        if self.has_keys:
            page.add_init_script("addEventListener('pointerdown', () => { throw new Error('a pointer was used'); }, true)")

    def enter(self) -> None:
        names = iter(range(1, 100))
        self.archers = [Archer(str(100 + number), full_name(number), CLUBS[number % 4], code)
                        for code in CATEGORIES for number in (next(names) for _ in range(EACH))]  # fmt: skip
        text = io.StringIO()
        writer = csv.writer(text, delimiter=";")
        writer.writerow(["Startnummer", "Name", "Verein", "Kategorie"])
        for one in self.archers:
            writer.writerow([one.bib, one.name, one.club, one.category])
        good = b"\xff\xfe" + text.getvalue().encode("utf-16-le")
        bad = text.getvalue().replace(f";{next(iter(CATEGORIES))}\r\n", ";XX\r\n", 1).encode("utf-8")
        hand = self.hand
        hand.view("Entries")
        self.drop("bad.csv", bad)
        expect(hand.page.locator("dialog")).to_contain_text("There is no category with this code or name.")
        hand.agree("import-with-a-fault")
        self.assertIn("0 of 0 entries", hand.page.inner_text("main"))
        self.drop("entries.csv", good)
        expect(hand.page.locator("dialog")).to_contain_text(f"{ARCHERS} to add")
        hand.agree("import")
        hand.said(f"{ARCHERS} entries were added.")
        self.picture("entries")
        self.note(f"{ARCHERS} entries are imported")

    def drop(self, name: str, content: bytes) -> None:
        page = self.hand.page
        if not self.has_keys:
            page.evaluate(DROP, [name, list(content)])
        else:
            self.choose_file().set_files(files=[{"name": name, "mimeType": "text/csv", "buffer": content}])  # type: ignore[list-item]
        page.locator("dialog").wait_for()

    def choose_file(self) -> FileChooser:
        """Opens the dialog for a file by the key Space, once more where the first one opened none."""
        page = self.hand.page
        for attempt in itertools.count():
            self.hand.reach(page.locator("input[type=file]"))
            try:
                with page.expect_file_chooser(timeout=20_000) as chooser:
                    page.keyboard.press("Space")
                return chooser.value
            except PlaywrightTimeout:
                if attempt == 1:
                    raise
                self.note("the key opened no dialog for a file")

    def check_in(self) -> None:
        hand = self.hand
        hand.view("Check-in")
        absent = self.dice.choice(self.archers)
        absent.is_absent = True
        order = [one for one in self.archers if one is not absent]
        self.dice.shuffle(order)
        for one in order:
            hand.fill(hand.page.locator("input.big"), one.bib)
            hand.page.keyboard.press("Enter")
            hand.said(f"{one.name} is here.")
        self.assertIn(f"{ARCHERS - 1} of {ARCHERS} are here", hand.page.inner_text("main"))
        self.picture("check-in")
        hand.fill(hand.page.locator("input.big"), "Nobody")
        hand.page.keyboard.press("Enter")
        hand.said("Nobody fits.")
        hand.view("Entries")
        hand.fill(hand.page.get_by_role("searchbox"), absent.bib)
        expect(hand.page.locator("main tbody tr")).to_have_count(1)
        hand.press("Edit…")
        hand.choose("State", "DID_NOT_START")
        hand.agree("entry")
        hand.done()
        self.note(f"{ARCHERS - 1} archers are here")

    def draw(self) -> None:
        hand = self.hand
        hand.view("Targets")
        hand.press("Draw…")
        hand.agree()
        hand.said(re.compile(f"^({ARCHERS - 1}|{ARCHERS}) archers were drawn."))
        self.picture("targets")
        # Two archers change their places.
        places = hand.page.locator(".butt button.place[draggable=true]")
        first, last = places.first.get_attribute("aria-label") or "", places.last.get_attribute("aria-label") or ""
        hand.go(places.first)
        hand.said("is held: choose the place.")
        hand.go(hand.page.get_by_role("button", name=last, exact=True))
        hand.agree()
        hand.said(f"{first.split(': ', 1)[1]} is at {last.split(':')[0]}.")
        by_name = {one.name: one for one in self.archers}
        for text in places.evaluate_all("(list) => list.map((one) => one.getAttribute('aria-label'))"):
            place, name = text.split(": ", 1)
            by_name[name].target, by_name[name].letter = int(place[:-1]), place[-1]
        self.assertEqual(by_name[first.split(": ", 1)[1]].target, int(last.split(":")[0][:-1]))
        hand.view("Line")
        hand.press("Demand codes…")
        hand.agree()
        hand.done()
        self.note("the targets are drawn")

    def paper(self, name: str) -> str:
        """Opens a paper in a tab, and returns its text."""
        with self.hand.page.context.expect_page() as opened:
            self.hand.press(name)
        page = opened.value
        page.wait_for_load_state()
        text = page.inner_text("body")
        self.picture(f"paper-{name.lower().replace(' ', '-')}", page)
        page.close()
        return text

    def print_papers(self) -> None:
        hand = self.hand
        hand.view("Papers and files")
        self.picture("papers")
        for name in ("Start list", "Target list"):
            text = self.paper(name)
            for one in self.archers:
                if name == "Start list" or one.target:
                    self.assertIn(one.name, text)
                    self.assertIn(one.club, text)
        # The desk was opened on the machine itself, whose address phones do not reach.
        expect(hand.page.locator("main .bad")).to_contain_text("Phones cannot reach http://127.0.0.1")
        hand.press("Target plates")
        hand.fill("Address", f"127.0.0.1:{self.running.port}")
        hand.go(hand.page.locator("dialog button.main"))
        expect(hand.page.locator("dialog .bad")).to_contain_text("it is of this machine alone")
        self.picture("address-for-phones")
        hand.press("Cancel")
        hand.said("Nothing was printed")
        hand.press("Change the address…")
        hand.fill("Address", f"{kit.HOST}:{self.running.port}")
        hand.agree()
        expect(hand.page.locator("main")).to_contain_text(f"lead phones to http://{kit.HOST}:{self.running.port}.")
        hand.choose(hand.page.get_by_label("Score cards on a page"), "4")
        self.assertIn(self.archers[0].name if self.archers[0].target else self.archers[1].name, self.paper("Score cards"))
        text = self.paper("Target plates")
        self.assertEqual(set(re.findall(r"http://[^/\s]+", text)), {f"http://{kit.HOST}:{self.running.port}"})
        self.codes = {int(number): code for number, code in re.findall(r"\n\s*(\d+)\s+(qp_[\w-]+)\s", text)}
        self.assertEqual(sorted(self.codes), list(range(1, TARGETS + 1)))
        self.note("papers and plates are printed")

    def entries(self) -> list[dict[str, Any]]:
        """As phones see them: the ids of archers."""
        token = self.hand.page.evaluate("localStorage.getItem('quiver.desk.token')")
        found = re.search(r"#/(\d+)/", self.hand.page.url)
        assert found
        self.event = found[1]
        reply = self.hand.page.request.post(f"http://127.0.0.1:{self.running.port}/quiver.v1.Events/ListEventEntries",
            data={"tournamentId": self.event, "pageSize": 500}, headers={"authorization": f"Bearer {token}"})  # fmt: skip
        return list(reply.json()["entries"])

    def shoot(self) -> None:
        hand = self.hand
        by_bib = {one.bib: one for one in self.archers}
        for entry in self.entries():
            by_bib[entry["bib"]].id = entry["participantId"]
        hand.view("Overview", "The day")
        hand.press("Start")
        hand.agree()
        steps = hand.page.locator("dialog h2", has_text="Steps are open")
        running = hand.page.get_by_role("button", name="Pause the shooting…")
        steps.or_(running).first.wait_for()
        if steps.count():
            hand.agree()
        running.wait_for()
        for one in self.archers:
            skill = self.dice.choice([4, 5, 6])
            weights = [0 if one.category in ("CW", "CM") else 2, 4, 6] + [3] * (skill - 3) + [1] * (12 - skill)
            one.ends = [] if one.is_absent else [
                sorted(self.dice.choices(VALUES, weights=weights, k=3), key=VALUES.index) for _ in range(ENDS)]
        here = [one for one in self.archers if not one.is_absent and one.target]
        absent = next(one for one in self.archers if one.is_absent)
        pages = self.dice.sample([target for target in range(1, TARGETS + 1) if target != absent.target], PAGES)
        # The second distance of one archer is on paper alone; the second card of another differs in one end.
        others = [one for one in here if one.target not in pages]
        self.typed, self.disputed = self.dice.sample(others, 2)
        by_target: dict[int, list[Archer]] = {}
        for one in here:
            by_target.setdefault(one.target, []).append(one)
        jobs: list[dict[str, Any]] = []
        for target, list_ in by_target.items():
            if target in pages:
                continue
            arrows = [{"participantId": one.id, "endIndex": end, "arrowIndex": index, **arrow(text)}
                      for end in range(ENDS) for one in list_ if not (one is self.typed and end >= ENDS // 2)
                      for index, text in enumerate(one.ends[end])]  # fmt: skip
            jobs.append({"code": self.codes[target], "device": f"Phone {target}", "arrows": arrows, "isTwice": self.dice.random() < 0.3})
        self.wrong = self.dice.randrange(ENDS)
        second = [list(end) for end in self.disputed.ends]
        second[self.wrong] = ["M" if second[self.wrong] != ["M"] * 3 else "10", *second[self.wrong][1:]]
        self.second = second[self.wrong]
        jobs.append({"code": self.codes[self.disputed.target], "device": "Second phone", "card": 2,
                     "ends": [{"participantId": self.disputed.id, "endIndex": end, "arrows": [arrow(text) for text in texts]}
                              for end, texts in enumerate(second)],
                     "call": {"kind": "TARGET_CALL_KIND_UNDECIDED_ARROW", "participantId": self.disputed.id}})  # fmt: skip
        self.phones(jobs)
        self.note(f"{len(jobs)} phones have scored by the client")
        self.score_pages({target: by_target.get(target, []) for target in pages})

    def score_pages(self, targets: dict[int, list[Archer]]) -> None:
        """Phones with the score page, on a network without TLS; one loses its connection for some ends."""
        phones = []
        for target, archers in targets.items():
            context = self.context(viewport={"width": 390, "height": 844})
            page = context.new_page()
            page.set_default_timeout(MILLISECONDS)
            page.on("pageerror", lambda error: self.errors.append(str(error)))
            page.goto(f"http://{kit.HOST}:{self.running.port}/score#{self.codes[target]}")
            press_until_gone(page.get_by_role("button", name="Start entering", exact=True))
            phones.append((context, page, archers))
        for end in range(ENDS):
            for context, page, archers in phones:
                if end in (5, 12):
                    context.set_offline(end == 5)
                expect(page.locator(".pad")).to_be_visible()
                self.assertEqual(page.evaluate(ENTER, {one.id: one.ends[end] for one in archers}), "", f"end {end + 1}")
                self.operations += 3 * len(archers)
                page.get_by_role("button", name="Agreed, mark holes, draw", exact=True).click()
                # After each distance the card on paper is compared.
                if end + 1 in (ENDS // 2, ENDS):
                    page.get_by_role("button", name="The same on paper", exact=True).click()
        for context, page, _ in phones:
            expect(page.locator("#state")).to_have_text("All saved", timeout=MILLISECONDS)
            self.picture("score-page", page)
            context.close()
        self.note(f"{len(phones)} phones have scored by the page")

    def rule_and_type(self) -> None:
        hand = self.hand
        hand.view("Line")
        self.picture("line")
        hand.page.get_by_role("button", name=re.compile("^Decide… Target")).wait_for()
        hand.go(hand.page.get_by_role("button", name=re.compile("^Decide… Target")))
        hand.press("The higher value counts.")
        hand.agree("decision")
        hand.said("Decided.")
        hand.view("Disputes")
        hand.go(hand.page.get_by_text("All ends of both cards"))
        expect(hand.page.locator("main details tbody tr")).to_have_count(ENDS)
        self.picture("dispute")
        hand.press("The second counts…")
        hand.fill("Reason", "seen on the target")
        hand.agree("ruling")
        expect(hand.page.get_by_text("No two cards differ.")).to_be_visible()
        self.disputed.ends[self.wrong] = self.second
        # The total of the second distance of one archer, from its paper.
        self.category(self.typed.category, "Standings")
        row = hand.page.locator("main tr", has=hand.page.locator("td", has_text=re.compile(f"^{re.escape(self.typed.name)}$")))
        hand.go(row.get_by_role("button", name="Total…"))
        hand.page.locator("dialog").wait_for()
        values = list(map(points, [text for end in self.typed.ends[ENDS // 2:] for text in end]))
        hand.choose("Part", "2")
        hand.fill("Total", str(sum(values)))
        hand.fill("Hits", str(sum(1 for value in values if value)))
        hand.page.locator("dialog").get_by_label(re.compile("^Golds")).wait_for()
        hand.fill(hand.page.locator("dialog").get_by_label(re.compile("^Golds")), str(values.count(10)))
        hand.fill("X", str([text for end in self.typed.ends[ENDS // 2:] for text in end].count("X")))
        hand.fill("Which paper", "target card")
        hand.agree("typed-total")
        hand.done()
        hand.view("Overview", "The day")
        self.picture("day")
        hand.press("Send a notice…")
        hand.fill("Text", "Finals begin at two; please return your bibs.")
        hand.choose("For", "public")
        hand.agree()
        hand.done()
        hand.press("Pause the shooting…")
        hand.fill("Reason", "a lamp is broken")
        hand.agree()
        hand.done()
        hand.press("Go on shooting")
        hand.done()
        self.note("a call, a dispute and a total of a paper are decided")

    def category(self, code: str, view: str) -> None:
        """A view with a category chosen."""
        hand = self.hand
        hand.view(view)
        select = hand.page.locator("main").get_by_role("combobox", name="Category")
        value = select.locator("option", has_text=re.compile(f"^{code} ")).get_attribute("value") or ""
        expect(hand.page.locator("#main[aria-busy]")).to_have_count(0)
        hand.choose(select, value)
        expect(hand.page.locator("#main[aria-busy]")).to_have_count(0)
        expect(select).to_have_value(value)

    def recount(self) -> None:
        self.ranked: dict[str, list[str]] = {}
        ties = 0
        for code, (_, size) in CATEGORIES.items():
            archers = {one.name: one for one in self.archers if one.category == code}
            here = [one for one in archers.values() if not one.is_absent]
            while True:
                self.category(code, "Standings")
                expect(self.hand.page.locator("main td", has_text=re.compile(f"^{re.escape(here[0].name)}$"))).to_have_count(1)
                rows = self.hand.rows("Standings")
                shown = {row[1]: int(row[4].rstrip("*")) for row in rows if not archers[row[1]].is_absent}
                self.assertEqual(shown, {one.name: one.total for one in here})
                order = [row[1] for row in rows if row[1] in shown]
                if not self.decide_tie(rows, size):
                    break
                ties += 1
            # The typed distance has no count of nines: its place among those with equal scores and tens is not recounted.
            keys = [archers[name].key()[:2] for name in order]
            self.assertEqual(keys, sorted(keys, reverse=True), code)
            self.ranked[code] = order
            if code == "RM":
                self.picture("standings")
        self.note(f"the standings of {len(CATEGORIES)} categories are recounted, {ties} ties are decided")

    def decide_tie(self, rows: list[list[str]], size: int) -> bool:
        """Decides a tie across the cut, as by a shoot-off."""
        ranks = [row[0] for row in rows]
        if len(ranks) <= size or not ranks[size - 1].isdigit() or ranks[size - 1] != ranks[size]:
            return False
        text = self.hand.page.locator("main .row", has_text=f"Rank {ranks[size]} is shared by")
        self.hand.go(text.get_by_role("button", name="Decide the tie…"))
        self.hand.page.locator("dialog").wait_for()
        self.hand.agree()
        self.hand.done()
        return True

    def board(self) -> None:
        """What everybody sees of the categories."""
        self.hand.view("Overview", "The day")
        link = self.hand.page.locator("main a[href^='/board/']").get_attribute("href")
        page = self.context().new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.prepare(page)
        page.goto(f"http://{kit.HOST}:{self.running.port}{link}")
        hand = Hand(page, self.has_keys, self.picture)
        view = page.locator("#view")
        for code, name in self.names.items():
            value = view.locator("option", has_text=re.compile(f"^{name}$")).get_attribute("value") or ""
            hand.choose(view, value)
            expect(page.locator("#view-name")).to_have_text(name)
            expect(page.locator("#rows tr")).to_have_count(EACH)
            shown = page.locator("#rows tr").evaluate_all(
                "(rows) => rows.map((row) => [row.querySelector('.who').textContent, row.querySelector('.total').textContent])")
            totals = {who: int(total.rstrip("*")) for who, total in shown if total.rstrip("*").isdigit()}
            here = {one.name: one.total for one in self.archers if one.category == code and not one.is_absent}
            self.assertEqual({who: totals.get(who) for who in here}, here, code)
            self.assertEqual([totals[who] for who, _ in shown if who in here], sorted(here.values(), reverse=True), code)
        page.close()
        self.note("the board is recounted")

    # --- Matches ---

    def brackets(self) -> None:
        self.medals: dict[str, list[str]] = {}
        self.scores: list[tuple[str, ...]] = []
        firsts = itertools.cycle(MATCH_TARGETS)
        self.rounds = 0
        for code, (system, size) in CATEGORIES.items():
            self.category(code, "Matches")
            self.hand.press("Cut…")
            self.hand.choose("How many go on", str(size))
            expected = f"MATCH_SYSTEM_INDIVIDUAL_{'SETS' if system == 'sets' else 'CUMULATIVE'}"
            # The template says how its matches are scored.
            self.assertEqual(self.hand.control("Scored by").input_value(), expected)
            self.hand.agree()
            self.hand.done()
            seeds = self.ranked[code][:size]
            losers: list[str] = []
            living = seeds
            is_forfeit = code == FORFEIT
            while len(living) > 1:
                count = len(living)
                is_page = count == 4 and code in PAGE_MATCHES
                self.place(count, PAGE_MATCHES[code] if is_page else next(firsts))
                pairs = [(living[at], living[count - 1 - at]) for at in range(count // 2)]
                if count == 2 and losers:
                    pairs.append((losers[0], losers[1]))
                results = self.play(code, system, pairs, is_forfeit, is_page)
                is_forfeit = False
                winners = [pair[winner] for pair, winner in zip(pairs, results, strict=True)]
                beaten = [pair[1 - winner] for pair, winner in zip(pairs, results, strict=True)]
                if count == 4:
                    losers = beaten
                if count == 2:
                    self.medals[code] = [winners[0], beaten[0], winners[1]]
                # The winner of the first pair meets that of the last one.
                living = winners[: count // 2]
            self.category(code, "Matches")
            ranks = [row[1] for row in self.hand.rows("Ranks")][:3]
            self.assertEqual(ranks, self.medals[code], code)
            self.picture(f"bracket-{code.lower()}")
            self.note(f"{code} has its medals")

    def place(self, count: int, first: int) -> None:
        hand = self.hand
        hand.press("Place a round on targets…")
        hand.choose("Round", str(count))
        hand.fill("First target", str(first))
        hand.choose("Targets a match", "1")
        # A target has one match at a time: each round has its start.
        self.rounds += 1
        self.time(hand.control("Starts"), 8 + self.rounds % 12, self.rounds // 12)
        hand.agree()
        hand.done()

    def time(self, place: Locator, hour: int, day: int) -> None:
        """Fills a field for a time of day; by keyboard as the browser's parts of the field take it."""
        if not self.has_keys:
            return place.fill(f"2026-12-0{5 + day}T{hour:02d}:00")
        self.hand.reach(place)
        self.hand.page.keyboard.type(f"120{5 + day}2026")
        self.hand.page.keyboard.press("ArrowRight")
        self.hand.page.keyboard.type(f"{(hour - 1) % 12 + 1:02d}00{'AP'[hour >= 12]}")
        expect(place).to_have_value(f"2026-12-0{5 + day}T{hour:02d}:00")
        return None

    def matches(self) -> dict[tuple[str, str], list[str]]:
        """The matches that the desk shows, by the names of their sides."""
        names = {one.name for one in self.archers}

        def name(text: str) -> str:
            return next((one for one in names if re.match(rf"^(\d+\. )?{re.escape(one)} \d", text)), "")

        return {(name(row[1]), name(row[2])): row for row in self.hand.rows("Matches") if name(row[1]) and name(row[2])}

    def play(self, code: str, system: str, pairs: list[tuple[str, str]], is_forfeit: bool, is_page: bool) -> list[int]:
        """Plays a round: a match on the score page, one at the desk, the others by the client. Returns who wins."""
        shown = self.matches()
        bracket = self.bracket(code)
        results, jobs = [], []
        for number, pair in enumerate(pairs):
            found = pair if pair in shown else (pair[1], pair[0])
            self.assertIn(found, shown, shown.keys())
            match = bracket[found]
            if is_forfeit and number == 0:
                self.forfeit(found, 1)
                results.append(pair.index(found[1]))
                continue
            sides, winner, score = drawn_match(self.dice, system, VALUES[1:] if code in ("CW", "CM") else VALUES)
            results.append(pair.index(found[winner]))
            target = int(match["sides"][0]["target"])
            self.scores.append((code, *found, *map(str, score)))
            if is_page and number == 0:
                self.score_match(match, target, sides)
            elif number == len(pairs) - 1 and code in DESK_MATCHES:
                self.desk_match(found, sides)
            else:
                jobs.append({"code": self.codes[target], "device": f"Match {match['id']}", "match": match["id"], "sides": sides,
                             "isTwice": self.dice.random() < 0.3})  # fmt: skip
        if jobs:
            self.phones(jobs)
        self.category(code, "Matches")
        return results

    def bracket(self, code: str) -> dict[tuple[str, str], dict[str, Any]]:
        """As phones see it: the ids of matches and their targets."""
        port = self.running.port
        token = self.hand.page.evaluate("localStorage.getItem('quiver.desk.token')")

        def call(method: str, request: dict[str, Any]) -> Any:
            return self.hand.page.request.post(f"http://127.0.0.1:{port}/quiver.v1.{method}", data=request,
                                               headers={"authorization": f"Bearer {token}"}).json()  # fmt: skip

        stages = call("Elimination/ListStages", {"tournamentId": self.event})["stages"]
        stage = next(one for one in stages if one["categoryCode"] == code)
        matches = call("Elimination/GetBracket", {"stageId": stage["id"]})["matches"]
        return {(one["sides"][0].get("displayName", ""), one["sides"][1].get("displayName", "")): one for one in matches}

    def open(self, names: tuple[str, str], act: str) -> None:
        hand = self.hand
        row = hand.page.locator("main tr", has_text=names[0]).filter(has_text=names[1])
        hand.go(row.get_by_role("button", name="Open…").last)
        hand.page.locator("dialog").wait_for()
        hand.choose("What", act)

    def forfeit(self, names: tuple[str, str], side: int) -> None:
        self.open(names, f"forfeit{side}")
        self.hand.fill("Reason", "withdrawn")
        self.hand.agree("forfeit")
        self.hand.done()

    def desk_match(self, names: tuple[str, str], sides: list[list[dict[str, Any]]]) -> None:
        """An official enters a match from its papers."""
        hand = self.hand
        text = lambda entry: " ".join("X" if one.get("isX") else str(one["value"] or "M") for one in entry["arrows"])  # noqa: E731
        for one, other in zip(*sides, strict=True):
            self.open(names, "shootoff" if one.get("shootOff") else "enter")
            hand.fill("End", str(one["index"] + 1))
            hand.fill(names[0], text(one))
            hand.fill(names[1], text(other))
            hand.agree("match-end")
            hand.done()
        self.open(names, "confirm")
        hand.agree("match")
        hand.done()

    def score_match(self, match: dict[str, Any], target: int, sides: list[list[dict[str, Any]]]) -> None:
        """A phone scores a match by the score page."""
        context = self.context(viewport={"width": 390, "height": 844})
        page = context.new_page()
        page.set_default_timeout(MILLISECONDS)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"http://{kit.HOST}:{self.running.port}/score#{self.codes[target]}")
        start = page.get_by_role("button", name="Start entering", exact=True)
        names = [one["displayName"] for one in match["sides"]]
        choice = page.get_by_role("button", name=re.compile(f"{re.escape(names[0])}.*{re.escape(names[1])}", re.DOTALL))
        start.or_(choice).first.wait_for()
        if choice.count():
            choice.first.click()
        press_until_gone(start)
        for one, other in zip(*sides, strict=True):
            for entry in (one, other):
                for arrow_ in entry["arrows"]:
                    value = "X" if arrow_.get("isX") else str(arrow_["value"] or "M")
                    page.locator(f'.pad [data-value="{value}"]').click()
            page.get_by_role("button", name="Agreed, mark holes, draw", exact=True).click()
        confirm = page.get_by_role("button", name="confirms")
        for left in (1, 0):
            confirm.first.click()
            expect(confirm).to_have_count(left)
        self.picture("score-page-match", page)
        context.close()

    # --- The end ---

    def finish(self) -> None:
        hand = self.hand
        hand.view("Overview", "The day")
        hand.press("Finalise…")
        hand.agree()
        steps = hand.page.locator("dialog h2", has_text="Steps are open")
        done = hand.page.get_by_role("button", name="Reopen…")
        steps.or_(done).first.wait_for()
        if steps.count():
            hand.agree("open-steps")
        done.wait_for()
        self.picture("final")
        hand.view("Papers and files")
        text = self.paper("Medals")
        for code, names in self.medals.items():
            for name in names:
                self.assertIn(name, text, code)
        self.assertIn(self.medals["RM"][0], self.paper("Result book"))
        for name, check in (("Standings (CSV)", self.check_standings), ("Matches (CSV)", self.check_matches)):
            with hand.page.expect_download() as download:
                hand.press(name)
            with open(download.value.path(), encoding="utf-8", newline="") as file:
                check(list(csv.DictReader(file)))
        self.note("the files are recounted")

    def check_standings(self, rows: list[dict[str, str]]) -> None:
        shown = {row["name"]: int(row["total"]) for row in rows}
        self.assertEqual(shown, {one.name: one.total for one in self.archers})

    def check_matches(self, rows: list[dict[str, str]]) -> None:
        def score(row: dict[str, str], side: int) -> str:
            return row[f"set_points_{side}"] if CATEGORIES[row["category"]][0] == "sets" else row[f"total_{side}"]

        shown = sorted((row["category"], row["name_1"], row["name_2"], score(row, 1), score(row, 2))
                       for row in rows if row["decision"] != "forfeit" and row["decision"] != "bye")  # fmt: skip
        self.assertEqual(shown, sorted(self.scores))


class KeyboardTest(SecretaryTest):
    """The same by keyboard alone."""

    has_keys = True


if __name__ == "__main__":
    kit.main()
