"""The board of an event in Chromium, with a real server, a real gateway and arrows."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.request
import uuid

import kit
from playwright.sync_api import Browser, Page, expect

from running import Running

HOSTILE = [
    "<img src=x onerror=\"document.title='owned'\">",
    "</td><script>document.title='owned'</script>",
    "\u202eevil\u202c & \"quoted\"",
    "Zoë O’Neill-Müller",
]


class Wire:
    """A network between a browser and a gateway that can be lost: bytes then go nowhere, nothing is
    closed, and what was connected before stays lost."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.is_cut = threading.Event()
        self.pairs: list[socket.socket] = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            self.pairs.append(near)
            if self.is_cut.is_set():
                continue
            far = socket.create_connection(("127.0.0.1", self.target))
            self.pairs.append(far)
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    def carry(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while (part := source.recv(65_536)) and not self.is_cut.is_set():
                sink.sendall(part)
            if not self.is_cut.is_set():
                sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self) -> None:
        self.is_cut.set()

    def repair(self) -> None:
        self.is_cut.clear()

    def end(self) -> None:
        self.listener.close()
        for connection in self.pairs:
            connection.close()


class BoardBase(unittest.TestCase):
    """An event, and a page of Chromium that can show its board."""

    running: Running
    browser: Browser
    names = HOSTILE + ["Ann", "Ben", "Cleo"]
    event_name = "Club <b>round</b>"

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = kit.shared_running()
        cls.browser = kit.shared_browser()

    def call(self, method: str, /, **request: object) -> dict:
        body = json.dumps(request).encode()
        call = urllib.request.Request(
            f"http://{self.running.address}/quiver.v1.{method}", body,
            {"content-type": "application/json", "idempotency-key": str(uuid.uuid4()),
             "authorization": "Bearer " + self.running.token})  # fmt: skip
        try:
            with urllib.request.urlopen(call, timeout=30) as reply:
                return json.load(reply)
        except urllib.error.HTTPError as error:
            self.fail(f"{method}: {error.read().decode()}")

    def setUp(self) -> None:
        event = self.call(
            "Tournament/CreateTournament", name=self.event_name, isPublic=True,
            format={"codename": "wa18"})
        self.event = event
        self.guests = self.call(
            "Tournament/AddEntries", tournamentId=event["id"],
            entries=[{"clientId": self.identity(), "name": name} for name in self.names],
        )["participants"]  # fmt: skip
        self.call("Tournament/StartTournament", id=event["id"])
        self.ends: dict[str, int] = {}
        self.page = self.browser.new_page(viewport={"width": 1280, "height": 720}, locale="en-GB")
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.addCleanup(self.page.close)

    def tearDown(self) -> None:
        self.assertEqual(self.faults, [], "the page threw errors")

    def shoot(self, guest: dict, *values: int) -> None:
        end = self.ends.get(guest["id"], 0)
        self.ends[guest["id"]] = end + 1
        operations = [
            {"clientId": self.identity(), "kind": "OPERATION_KIND_RECORD", "participantId": guest["id"],
             "endIndex": end, "arrowIndex": index, "value": value}
            for index, value in enumerate(values)]  # fmt: skip
        self.call("Tournament/RecordEnd", operations=operations)

    @staticmethod
    def identity() -> str:
        return kit.identity()

    def open(self, query: str = "") -> Page:
        self.page.goto(f"http://{self.running.address}/board/{self.event['joinCode']}{query}")
        expect(self.page.locator("tbody tr")).to_have_count(len(self.names))
        return self.page


class BoardTests(BoardBase):
    def row(self, name: str) -> list[str]:
        row = self.page.locator("tbody tr").filter(has=self.page.get_by_text(name, exact=True))
        return row.locator("td, th").all_inner_texts()

    def test_arrows_appear_and_ranks_move(self) -> None:
        page = self.open()
        ann, ben = self.guests[4], self.guests[5]
        self.shoot(ann, 9, 9, 9)
        expect(page.locator("tbody tr").first.locator(".name")).to_have_text("Ann")
        self.shoot(ben, 10, 10, 10)
        expect(page.locator("tbody tr").first.locator(".name")).to_have_text("Ben")
        expect(page.locator("tbody tr").first.locator(".total")).to_have_text("30")
        ranks = self.row("Ann")
        self.assertEqual((ranks[0], ranks[1]), ("2", "▼1"))
        self.assertEqual(ranks[-1], "−3")
        expect(page.locator("#state")).to_have_text("Live")

    def test_typed_totals_are_marked_and_share_a_rank_where_a_count_is_missing(self) -> None:
        page = self.open()
        ann, ben = self.guests[4], self.guests[5]
        sums = {"total": 540, "hits": 60, "golds": 20}
        self.shoot(self.guests[6], 10, 10, 10)
        self.call("Events/SetTypedTotal", participantId=ann["id"], sums=sums | {"xCount": 5})
        typed = self.call("Events/SetTypedTotal", participantId=ben["id"], sums=sums)
        for name, x in (("Ann", "5"), ("Ben", "?")):
            row = page.locator("tbody tr").filter(has=page.get_by_text(name, exact=True))
            expect(row.locator(".total")).to_have_text("540*")
            self.assertEqual(row.locator(".total").get_attribute("title"), "typed from paper")
            self.assertEqual(self.row(name)[0], "1")
            self.assertEqual(self.row(name)[4:6], [x, "20"])
        self.assertEqual(self.row("Cleo")[0], "3")
        self.assertEqual(self.row("Cleo")[-2], "30")
        # The count of the other paper tells them apart.
        self.call("Events/SetTypedTotal", participantId=ben["id"], sums=sums | {"xCount": 6},
                  replacesId=typed["id"], reason="the paper has it")  # fmt: skip
        expect(page.locator("tbody tr").first.locator(".name")).to_have_text("Ben")
        self.assertEqual([self.row(name)[0] for name in ("Ben", "Ann", "Cleo")], ["1", "2", "3"])
        self.assertEqual(self.row("Ben")[4], "6")

    def test_no_name_becomes_markup(self) -> None:
        page = self.open()
        for name in HOSTILE:
            self.assertEqual(len(self.row(name)), len(self.row("Ann")))
        expect(page.locator("#name")).to_have_text("Club <b>round</b>")
        self.assertEqual(page.locator("img, tbody script, h1 b").count(), 0)
        self.assertNotIn("owned", page.title())

    def test_a_policy_of_content_forbids_other_scripts(self) -> None:
        page = self.open()
        refused: list[str] = []
        page.on("console", lambda message: refused.append(message.text))
        page.evaluate("() => { const s = document.createElement('script');"
                      " s.textContent = \"document.title='owned'\"; document.body.append(s); }")
        self.assertNotIn("owned", page.title())
        self.assertTrue(any("Content Security Policy" in text for text in refused))

    def test_a_lost_connection_is_shown_and_survived(self) -> None:
        page = self.open()
        self.shoot(self.guests[4], 9, 9, 9)
        expect(page.locator("tbody tr").first.locator(".total")).to_have_text("27")
        self.running.gateway.kill()
        self.running.gateway.wait()
        expect(page.locator("#state")).to_have_text(re.compile("Not connected since"))
        self.running.quiver("call", "Tournament/RecordEnd", json.dumps({"operations": [
            {"clientId": self.identity(), "kind": "OPERATION_KIND_RECORD", "participantId": self.guests[5]["id"],
             "endIndex": 0, "arrowIndex": index, "value": 10} for index in range(3)]}))
        expect(page.locator("tbody tr").first.locator(".name")).to_have_text("Ann")
        self.running.start_gateway()
        expect(page.locator("tbody tr").first.locator(".name")).to_have_text("Ben")
        expect(page.locator("#state")).to_have_text("Live")

    def test_a_connection_that_is_back_is_shown_without_any_change(self) -> None:
        page = self.open()
        self.shoot(self.guests[4], 9, 9, 9)
        expect(page.locator("tbody tr").first.locator(".total")).to_have_text("27")
        self.running.gateway.kill()
        self.running.gateway.wait()
        expect(page.locator("#state")).to_have_text(re.compile("Not connected since"))
        self.running.start_gateway()
        expect(page.locator("#state")).to_have_text("Live")
        expect(page.locator("tbody tr").first.locator(".total")).to_have_text("27")

    def test_times_are_those_of_the_chosen_language(self) -> None:
        context = self.browser.new_context(locale="en-US")
        self.addCleanup(context.close)
        page = context.new_page()
        page.goto(f"http://{self.running.address}/board/{self.event['joinCode']}")
        state = page.locator("#state")
        expect(state).to_have_text("Live")
        context.set_offline(True)
        expect(state).to_have_text(re.compile(r"^Not connected since \d{1,2}:\d\d:\d\d\s[AP]M$"))
        page.locator("#language").select_option("fr")
        expect(state).to_have_text(re.compile(r"^Pas de connexion depuis \d\d:\d\d:\d\d$"))

    def test_a_browser_without_network_catches_up(self) -> None:
        page = self.open()
        self.shoot(self.guests[4], 9, 9, 9)
        expect(page.locator("tbody tr").first.locator(".total")).to_have_text("27")
        page.context.set_offline(True)
        expect(page.locator("#state")).to_have_text(re.compile("Not connected since"))
        self.shoot(self.guests[5], 10, 10, 10)
        time.sleep(1)
        page.context.set_offline(False)
        expect(page.locator("tbody tr").first.locator(".name")).to_have_text("Ben")

    def test_a_network_that_is_lost_in_silence_is_noticed_and_survived(self) -> None:
        wire = Wire(self.running.port)
        self.addCleanup(wire.end)
        self.page.goto(f"http://127.0.0.1:{wire.port}/board/{self.event['joinCode']}")
        expect(self.page.locator("tbody tr")).to_have_count(len(self.names))
        wire.cut()
        expect(self.page.locator("#state")).to_have_text(
            re.compile("Not connected since"))  # fmt: skip
        self.shoot(self.guests[5], 10, 10, 10)
        # 20 seconds in all, as long as the delays between attempts may grow.
        time.sleep(14)
        wire.repair()
        first = self.page.locator("tbody tr").first
        expect(first.locator(".name")).to_have_text("Ben")
        expect(first.locator(".total")).to_have_text("30")

    def test_a_quiet_event_stays_connected(self) -> None:
        page = self.open()
        opened: list[str] = []
        page.on("request", lambda request: opened.append(request.url))
        time.sleep(7)
        expect(page.locator("#state")).to_have_text("Live")
        self.assertEqual([url for url in opened if "WatchLeaderboard" in url], [])
        self.shoot(self.guests[4], 9, 9, 9)
        expect(page.locator("tbody tr").first.locator(".total")).to_have_text("27")

    def test_titles_fit_in_their_columns_in_all_languages(self) -> None:
        for width in (390, 1280, 1920):
            self.page.set_viewport_size({"width": width, "height": 800})
            for language in ("en", "de", "fr", "it"):
                page = self.open(f"?lang={language}")
                wide = page.evaluate(
                    "() => [...document.querySelectorAll('thead th')]"
                    ".filter((cell) => cell.scrollWidth > cell.clientWidth)"
                    ".map((cell) => cell.textContent)")
                self.assertEqual(wide, [], f"{language}, {width} pixels")

    def test_four_languages(self) -> None:
        for language, title in {"en": "Archer", "de": "Schütze", "fr": "Archer", "it": "Arciere"}.items():
            page = self.open(f"?lang={language}")
            expect(page.locator("th.name").first).to_have_text(title)
            self.assertEqual(page.locator("html").get_attribute("lang"), language)
        page.locator("#language").select_option("de")
        expect(page.locator("#print")).to_have_text("Rangliste drucken")

    def test_the_keyboard_chooses_an_archer(self) -> None:
        page = self.open()
        rows = page.locator("tbody tr")
        rows.first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(rows.nth(1)).to_have_class(re.compile("chosen"))
        self.assertIn("archer=", page.url)
        page.reload()
        expect(page.locator("tr.chosen")).to_have_count(1)

    def test_a_screen_reader_finds_a_table(self) -> None:
        page = self.open()
        snapshot = page.locator("body").aria_snapshot()
        for part in ["heading \"Club <b>round</b>\"", "status", "columnheader \"Rank\"",
                     "rowheader \"Ann\"", "combobox", "button \"Print results\""]:  # fmt: skip
            self.assertIn(part, snapshot)

    def test_the_focus_stays_with_a_row_that_moves(self) -> None:
        page = self.open()
        ann, ben = self.guests[4], self.guests[5]
        self.shoot(ann, 9, 9, 9)
        expect(page.locator("tbody tr").first.locator(".name")).to_have_text("Ann")
        # One row is above the focused one after the first end, and below it after the second.
        page.locator("tbody tr").filter(has=page.get_by_text("Ben", exact=True)).focus()
        for guest, first in ((ann, "Ann"), (ben, "Ben")):
            self.shoot(guest, *([8, 8, 8] if first == "Ann" else [10, 10, 10]))
            if first == "Ben":
                self.shoot(guest, 10, 10, 10)
            expect(page.locator("tbody tr").first.locator(".name")).to_have_text(first)
            focused = page.evaluate("() => document.activeElement.querySelector('.name')?.textContent")
            self.assertEqual(focused, "Ben")

    def test_the_mark_of_a_move_disappears(self) -> None:
        page = self.page
        page.clock.install()
        page = self.open()
        self.shoot(self.guests[4], 9, 9, 9)
        self.shoot(self.guests[5], 10, 10, 10)
        expect(page.locator("tbody tr").first.locator(".name")).to_have_text("Ben")
        page.clock.run_for(1_000)
        expect(page.locator("tbody tr").nth(1).locator(".move")).to_have_text("▼1")
        page.clock.run_for(60_000)
        expect(page.locator("tbody .move").filter(has_text=re.compile("."))).to_have_count(0)

    def test_the_language_comes_before_the_rows(self) -> None:
        page = self.open()
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("() => document.activeElement.id"), "language")

    def test_rows_do_not_jump_when_totals_change(self) -> None:
        page = self.open()
        widths = page.locator("th.total").bounding_box()
        self.shoot(self.guests[4], 10, 10, 10)
        expect(page.locator("tbody tr").first.locator(".total")).to_have_text("30")
        self.assertEqual(page.locator("th.total").bounding_box(), widths)

    def test_an_unknown_code_is_answered_in_words(self) -> None:
        self.page.goto(f"http://{self.running.address}/board/ABCD-EFGH-JKMN-PQRS")
        expect(self.page.locator("#state")).to_have_text(
            "There is no event with this code.")

    def test_a_private_event_is_told_from_an_unknown_code(self) -> None:
        event = self.call(
            "Tournament/CreateTournament", name="Closed", isPublic=False,
            format={"codename": "wa18"})  # fmt: skip
        self.page.goto(f"http://{self.running.address}/board/{event['joinCode']}")
        expect(self.page.locator("#state")).to_have_text(
            "This event is private: only its participants and officials see its standings.")
        expect(self.page.locator("#empty")).to_be_hidden()
        for code, words in ((event["joinCode"], "is private"), ("ABCD-EFGH-JKMN-PQRS", "no event")):
            done = self.running.attempt("board", code)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_an_event_that_has_not_started_says_so(self) -> None:
        event = self.call(
            "Tournament/CreateTournament", name="Later", isPublic=True, format={"codename": "wa18"})
        self.event = event
        state = self.page.locator("#state")
        self.page.goto(f"http://{self.running.address}/board/{event['joinCode']}")
        expect(state).to_have_text("Not started yet")
        expect(self.page.locator("#empty")).to_have_text("Nobody has entered yet.")
        self.call("Tournament/AddEntries", tournamentId=event["id"],
                  entries=[{"clientId": self.identity(), "name": "Ann"}])  # fmt: skip
        expect(self.page.locator("tbody tr")).to_have_count(1)
        expect(state).to_have_text("Not started yet")
        self.call("Tournament/StartTournament", id=event["id"])
        expect(state).to_have_text("Live")
        self.call("Tournament/FinaliseTournament", id=event["id"])
        expect(state).to_have_text("Final results")

    def test_a_cancelled_event_says_so(self) -> None:
        self.open()
        self.call("Tournament/CancelTournament", id=self.event["id"])
        expect(self.page.locator("#state")).to_have_text("Cancelled")

    def test_the_command_line_prints_the_address_as_a_code_that_a_reader_reads(self) -> None:
        code = self.event["joinCode"]
        gateway = "https://board.club.example"
        address = f"{gateway}/board/{code}"
        text = self.running.quiver("board", code, "--gateway", gateway + "/")
        first, *lines = text.splitlines()
        self.assertEqual(first, address)
        pixels = [[character in upper for character in line]
                  for line in lines for upper in ("█▀", "█▄")]  # fmt: skip
        scale = 4
        rows = [bytes(255 if light else 0 for light in row for _ in range(scale)) for row in pixels]
        picture = f"{self.running.folder}/code.pgm"
        with open(picture, "wb") as file:
            file.write(b"P5 %d %d 255\n" % (len(rows[0]), len(rows) * scale))
            for row in rows:
                file.write(row * scale)
        read = subprocess.run(
            ["zbarimg", "--raw", "-q", picture], check=True, stdout=subprocess.PIPE, text=True)
        self.assertEqual(read.stdout.strip(), address)
        self.assertEqual(self.running.quiver("board", code, "--no-qr").strip(),
                         f"http://localhost:7480/board/{code}")

    def test_screens_of_all_sizes_and_both_colour_schemes(self) -> None:
        sizes = {"television": (1920, 1080), "laptop": (1280, 720), "phone": (390, 844)}
        for name, (width, height) in sizes.items():
            self.page.set_viewport_size({"width": width, "height": height})
            page = self.open()
            with self.subTest(name):
                overflow = page.evaluate(
                    "() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
                self.assertEqual(overflow, 0, "the page is wider than the screen")
                cells = page.locator("tbody tr").first.locator("td:visible, th:visible")
                boxes = [cell.bounding_box() for cell in cells.all()]
                for left, right in zip(boxes, boxes[1:]):
                    self.assertLessEqual(left["x"] + left["width"], right["x"] + 0.5)
                fonts = page.evaluate("() => parseFloat(getComputedStyle(document.body).fontSize)")
                self.assertGreaterEqual(fonts, 16)
        for scheme in ("dark", "light"):
            self.page.emulate_media(color_scheme=scheme)
            page = self.open()
            ratio = page.evaluate(CONTRAST)
            self.assertGreaterEqual(ratio, 7, f"text and background differ too little ({scheme})")


CONTRAST = """() => {
  const parts = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (text) => {
    const [r, g, b] = parts(text).map((c) => {
      c /= 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const style = getComputedStyle(document.body);
  const [a, b] = [light(style.color), light(style.backgroundColor)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}"""


if __name__ == "__main__":
    kit.main()
