"""What people do at the desk beside the day of an event, which secretary_test.py plays: faults, hostile lists, two desks at once."""

from __future__ import annotations

import json
import os
import pathlib
import re
import time
import unittest
import urllib.request
from typing import Any

import kit
from kit import identity
from playwright.sync_api import BrowserContext, Page, Route, expect
from running import wait_until

MILLISECONDS = 120_000
ARCHERS = int(os.environ.get("QUIVER_DESK_ARCHERS", "12"))


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


class Desk:
    """What a person does at the desk."""

    def __init__(self, page: Page, origin: str) -> None:
        self.page, self.origin = page, origin
        page.set_default_timeout(MILLISECONDS)

    def said(self, text: str) -> None:
        """Waits until the line of state says a text."""
        self.page.wait_for_selector(f"#state:has-text({quoted(text)})")

    def view(self, name: str, heading: str = "") -> None:
        self.page.click(f"#tabs >> text={name}")
        self.page.wait_for_selector(f"h2:has-text({quoted(heading or name)})")

    def press(self, text: str) -> None:
        self.page.click(f"main button:has-text({quoted(text)}) >> nth=0")

    def agree(self) -> None:
        self.page.click("dialog button.main")
        self.page.wait_for_selector("dialog", state="detached")

    def fill(self, label: str, text: str) -> None:
        self.page.fill(f"dialog label:has(span:text-is({quoted(label)})) >> input, textarea", text)

    def rows(self) -> list[list[str]]:
        """The texts of the first table's rows."""
        return self.page.locator("main table").nth(0).locator("tbody tr").evaluate_all(
            "(rows) => rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.innerText.trim()))")

    def call(self, method: str, request: dict[str, Any]) -> Any:
        """A call of a scoring device, as the signed-in person."""
        token = self.page.evaluate("localStorage.getItem('quiver.desk.token')")
        fields = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        body = json.dumps(request).encode()
        address = f"{self.origin}/quiver.v1.{method}"
        with urllib.request.urlopen(urllib.request.Request(address, body, fields)) as reply:
            return json.load(reply)

    @property
    def event(self) -> str:
        found = re.search(r"#/(\d+)/", self.page.url)
        assert found
        return found[1]


class DeskRunning(unittest.TestCase):
    """A server with a browser, and what tests do at the desk again and again."""

    def setUp(self) -> None:
        self.running = kit.shared_running()
        self.origin = "http://" + self.running.address
        self.errors: list[str] = []

    def context(self, **options: Any) -> BrowserContext:
        context = kit.shared_browser().new_context(**({"locale": "en-GB"} | options))
        self.addCleanup(context.close)
        return context

    def desk(self, invite: str) -> Desk:
        page = self.context(viewport={"width": 1100, "height": 900}).new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(f"{self.origin}/desk#{invite}")
        page.wait_for_selector("text=New event…")
        self.assertNotIn(invite.lower(), page.url.lower())
        return Desk(page, self.origin)

    def invite(self) -> str:
        return str(self.running.call("Admin/CreateInvite", label="desk", uses=1)["code"])

    def create(self, desk: Desk, name: str, template: str) -> None:
        desk.page.click("text=New event…")
        desk.page.fill("dialog input >> nth=0", name)
        desk.page.select_option("dialog select", template)
        desk.page.fill("dialog input[type=number]", "6")
        desk.agree()
        desk.said(f"The event {name} was created")

    def enter(self, desk: Desk) -> None:
        """Entries from a file in Windows-1252, in two categories."""
        desk.view("Entries")
        lines = "".join(f"Jörg {letter};{number};Grüt {number % 3};{('RM', 'CW')[number % 2]}\n"
                        for number, letter in enumerate("ABCDEFGHIJKLMNOPQRST"[:ARCHERS], 1))  # fmt: skip
        content = ("Name;Startnummer;Verein;Kategorie\n" + lines).encode("cp1252")
        file = {"name": "list.csv", "mimeType": "text/csv", "buffer": content}
        desk.page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]
        desk.agree()
        desk.said(f"{ARCHERS} entries were added.")


class DeskTest(DeskRunning):
    def test_a_total_of_a_paper_is_typed_corrected_and_removed(self) -> None:
        desk = self.desk(self.invite())
        page = desk.page
        self.create(desk, "Papers", "frostbite")
        self.enter(desk)
        desk.view("Overview", "The day")
        desk.press("Start")
        desk.agree()
        page.wait_for_selector("text=Pause the shooting…")

        def total(name: str) -> None:
            page.click(f"main tr:has(td:text-is({quoted(name)})) >> button:has-text('Total…')")
            page.wait_for_selector("dialog")

        def row(name: str) -> list[str]:
            return next(row for row in desk.rows() if row[1] == name)

        desk.view("Standings")
        page.select_option("main select", label=next(
            text for text in page.locator("main select option").all_inner_texts() if text.startswith("RM")))  # fmt: skip
        page.wait_for_selector("main td:text-is('Jörg B')")
        total("Jörg B")
        page.click("dialog button.main")
        page.wait_for_selector("dialog .bad:has-text('Type the total')")
        for label, text, fault in (("Total", "361", "Total: from 0 to 360."), ("Hits", "37", "Hits: from 0 to 36."), ("Golds", "31", "Golds: from 0 to 30."), ("X", "3", "X: from 0 to 2.")):
            for field, value in (("Total", "300"), ("Hits", "30"), ("Golds", "2"), ("X", "")):
                desk.fill(field, text if field == label else value)
            page.click("dialog button.main")
            page.wait_for_selector(f"dialog .bad:has-text({quoted(fault)})")
        # What only the server knows it says, and nothing of it stays on the device.
        desk.fill("X", "")
        desk.agree()
        desk.said("must be at most 272, which the counts allow")
        self.assertEqual((row("Jörg B")[4:6], page.locator(".waiting").count()), (["0", "0"], 0))
        total("Jörg B")
        desk.fill("Total", "300")
        desk.fill("Hits", "36")
        desk.fill("Golds", "10")
        desk.fill("Which paper", "target 3")
        desk.agree()
        page.wait_for_selector("main td:text-is('300*')")
        self.assertEqual(row("Jörg B")[0], "1")
        self.assertEqual(row("Jörg B")[4:7], ["300*", "?", "10"])
        self.assertIn("A part is typed from a paper.", page.inner_text("main"))
        # A correction needs a reason, and has the sums before in its fields.
        total("Jörg B")
        self.assertEqual(page.input_value("dialog label:has(span:text-is('Total')) >> input"), "300")
        desk.fill("Total", "310")
        page.click("dialog button.main")
        page.wait_for_selector("dialog .bad:has-text('Give a reason')")
        desk.fill("Reason", "misread")
        desk.fill("X", "4")
        desk.agree()
        page.wait_for_selector("main td:text-is('310*')")
        self.assertEqual(row("Jörg B")[4:7], ["310*", "4", "10"])
        # Arrows that arrive are compared, and not added.
        desk.press("Compare typed totals with arrows…")
        page.wait_for_selector("dialog >> text=No typed total differs from its arrows.")
        desk.agree()
        shooter = next(entry["participantId"] for entry in desk.call("Events/ListEventEntries", {"tournamentId": desk.event, "pageSize": 500})["entries"]
                       if entry["displayName"] == "Jörg B")  # fmt: skip
        for end in range(6):
            desk.call("Tournament/RecordEnd", {"operations": [{"kind": "OPERATION_KIND_RECORD", "participantId": shooter, "endIndex": end, "arrowIndex": arrow, "value": 9}
                                                              for arrow in range(6)]})  # fmt: skip
        desk.press("Compare typed totals with arrows…")
        page.wait_for_selector("dialog td:has-text('324')")
        self.assertEqual(page.locator("dialog tbody tr").evaluate_all("(rows) => rows.map((row) => [...row.children].map((cell) => cell.innerText))"),
                         [["Jörg B", "Distance 1", "324 · hits 36 · golds 0 · X 0", "310 · hits 36 · golds 10 · X 4"]])  # fmt: skip
        desk.agree()
        total("Jörg B")
        desk.fill("Reason", "another archer's paper")
        page.check("dialog label:has-text('Remove it') >> input")
        desk.agree()
        page.wait_for_selector("main td:text-is('310*')", state="detached")
        self.assertEqual(row("Jörg B")[4:7], ["324", "0", "0"])
        typed = desk.call("Events/ListTypedTotals", {"tournamentId": desk.event, "withEnded": True})["totals"]
        self.assertEqual([(one["sums"]["total"], one.get("paper", "")) for one in typed],
                         [(300, "target 3"), (310, "")])  # fmt: skip
        self.assertEqual(self.errors, [])

    def test_totals_are_typed_without_a_connection_and_sent_once(self) -> None:
        desk = self.desk(self.invite())
        page = desk.page
        self.create(desk, "Papers", "frostbite")
        self.enter(desk)
        desk.view("Overview", "The day")
        desk.press("Start")
        desk.agree()
        page.wait_for_selector("text=Pause the shooting…")
        ids = {entry["displayName"]: entry["participantId"]
               for entry in desk.call("Events/ListEventEntries", {"tournamentId": desk.event, "pageSize": 500})["entries"]}  # fmt: skip
        # The page starts without a connection once its files are stored.
        page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        page.wait_for_function("navigator.serviceWorker.controller !== null")

        def standings() -> None:
            desk.view("Standings")
            page.select_option("main select", label=next(
                text for text in page.locator("main select option").all_inner_texts() if text.startswith("RM")))  # fmt: skip
            page.wait_for_selector("main td:text-is('Jörg B')")

        def total(name: str, **values: str) -> None:
            page.click(f"main tr:has(td:text-is({quoted(name)})) >> button:has-text('Total…')")
            page.wait_for_selector("dialog")
            for label, text in values.items():
                desk.fill(label, text)

        def waits(count: int) -> None:
            page.wait_for_selector(f"#store[data-waiting='{count}']", state="attached")

        standings()
        total("Jörg H", Total="250")
        desk.agree()
        page.wait_for_selector("main td:text-is('250*')")
        page.context.set_offline(True)
        total("Jörg B", Total="361")
        page.click("dialog button.main")
        page.wait_for_selector("dialog .bad:has-text('Total: from 0 to 360.')")
        desk.fill("Total", "300")
        desk.agree()
        desk.said("It is stored on this device, and is sent when there is a connection.")
        waits(1)
        # Typed again before it is sent: the later counts.
        total("Jörg B")
        self.assertEqual(page.input_value("dialog label:has(span:text-is('Total')) >> input"), "300")
        desk.fill("Total", "301")
        desk.fill("Which paper", "target 1")
        desk.agree()
        total("Jörg D", Total="280", Hits="36", Golds="4", X="1")
        desk.agree()
        total("Jörg F", Total="210")
        desk.agree()
        # A correction of what the server has.
        total("Jörg H", Total="251", Reason="misread")
        desk.agree()
        desk.said("It is stored on this device, and is sent when there is a connection.")
        # Another view says that it needs a connection; the page is closed and opened again.
        page.click("#tabs >> text=Line")
        page.wait_for_selector("main p:has-text('this view needs one')")
        page.reload()
        page.wait_for_selector("main p:has-text('this view needs one')")
        standings()
        page.wait_for_selector("#store >> text=There is no connection. What is shown is of")
        waiting = page.locator(".waiting").inner_text()
        for text in ("Jörg B, Distance 1: 301", "Jörg D, Distance 1: 280 · hits 36 · golds 4 · X 1", "Jörg F, Distance 1: 210", "Jörg H, Distance 1: 251"):
            self.assertIn(text, waiting)
        # Somebody else types a total meanwhile, and answers are lost while this desk sends.
        cut = 0

        def cutting(route: Route) -> None:
            nonlocal cut
            cut += 1
            if cut <= 2:
                route.fetch()
                route.abort()
            else:
                route.continue_()

        page.route("**/quiver.v1.Events/SetTypedTotal", cutting)
        desk.call("Events/SetTypedTotal", {"participantId": ids["Jörg F"], "part": 1, "sums": {"total": 200}})
        page.context.set_offline(False)
        waits(0)
        self.assertGreater(cut, 2)
        page.wait_for_selector("#store >> text=Changes that were not taken: 1.")
        page.wait_for_selector(".waiting :text('200 was typed for this part')")
        page.click(".waiting button:has-text('Discard…')")
        desk.agree()
        page.wait_for_selector(".waiting", state="detached")
        typed = desk.call("Events/ListTypedTotals", {"tournamentId": desk.event, "withEnded": True})["totals"]
        counting = {one["displayName"]: (one["sums"]["total"], one.get("paper", "")) for one in typed if "endedAtMs" not in one or one["endedAtMs"] == "0"}
        self.assertEqual(counting, {"Jörg B": (301, "target 1"), "Jörg D": (280, ""), "Jörg F": (200, ""), "Jörg H": (251, "")})
        # Each was stored once: the corrections of B and H are the only ones.
        self.assertEqual(sorted(one["sums"]["total"] for one in typed), [200, 250, 251, 280, 300, 301])
        standings()
        self.assertEqual({row[1]: row[4] for row in desk.rows() if row[4] != "0"}, {"Jörg B": "301*", "Jörg D": "280*", "Jörg F": "200*", "Jörg H": "251*"})
        self.assertEqual(self.errors, [])

    def test_the_page_is_asked_for_while_there_is_a_connection(self) -> None:
        # It says by which address phones reach it: a page of yesterday would print codes of yesterday.
        desk = self.desk(self.invite())
        page = desk.page
        page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
        page.reload()
        page.wait_for_function("navigator.serviceWorker.controller !== null")
        stored = page.evaluate("""async () => {
          const [name] = (await caches.keys()).filter((one) => one.startsWith("quiver-desk-"));
          const cache = await caches.open(name);
          await cache.put("/desk", new Response("<p>yesterday</p>", { headers: { "content-type": "text/html" } }));
          return (await (await cache.match("/desk")).text());
        }""")
        self.assertEqual(stored, "<p>yesterday</p>")
        page.reload()
        page.wait_for_selector("text=New event…", timeout=20_000)
        self.assertEqual(self.errors, [])

    def test_a_card_on_paper_is_compared_with_its_counts(self) -> None:
        desk = self.desk(self.invite())
        page = desk.page
        self.create(desk, "Paper cards", "frostbite")
        self.enter(desk)
        desk.view("Overview", "The day")
        desk.press("Start")
        desk.agree()
        page.wait_for_selector("text=Pause the shooting…")
        desk.view("Standings")
        page.select_option("main select", label=next(
            text for text in page.locator("main select option").all_inner_texts() if text.startswith("RM")))  # fmt: skip
        page.wait_for_selector("main td:text-is('Jörg B')")

        def card() -> None:
            page.click(f"main tr:has(td:text-is({quoted('Jörg B')})) >> button:has-text('Card…')")
            page.wait_for_selector("dialog")

        card()
        desk.fill("Golds", "10")
        page.click("dialog button.main")
        page.wait_for_selector("dialog .bad:has-text('Type the total')")
        desk.fill("Total on paper", "300")
        desk.fill("X", "11")
        page.click("dialog button.main")
        desk.said("must be at most 10")
        card()
        desk.fill("Total on paper", "300")
        desk.fill("Golds", "10")
        desk.fill("X", "4")
        desk.agree()
        page.wait_for_selector("main td:has-text('paper 300')")
        card()
        values = [page.input_value(f"dialog label:has(span:text-is('{name}')) >> input")
                  for name in ("Total on paper", "Hits", "Golds", "X")]  # fmt: skip
        self.assertEqual(values, ["300", "", "10", "4"])
        entries = desk.call("Events/ListEventEntries", {"tournamentId": desk.event})["entries"]
        archer = next(one["participantId"] for one in entries if one["displayName"] == "Jörg B")
        shown = desk.call("Events/GetComparedCard", {"participantId": archer})["summary"]
        self.assertEqual(shown["paper"], {"total": 300, "golds": 10, "xCount": 4})
        for name in ("Total on paper", "Golds", "X"):
            desk.fill(name, "")
        desk.agree()
        page.wait_for_selector("main td:has-text('paper 300')", state="detached")
        shown = desk.call("Events/GetComparedCard", {"participantId": archer})["summary"]
        self.assertNotIn("paper", shown)
        self.assertEqual(self.errors, [])

    def test_an_act_on_one_row_draws_that_row_alone(self) -> None:
        desk = self.desk(self.invite())
        page = desk.page
        self.create(desk, "Rows", "frostbite")
        self.enter(desk)
        desk.view("Overview", "The day")
        desk.press("Start")
        desk.agree()
        page.wait_for_selector("text=Pause the shooting…")
        read: list[str] = []
        page.on("request", lambda request: read.append(request.url.rsplit("/quiver.v1.", 1)[-1]))

        def mark() -> None:
            page.evaluate("document.querySelectorAll('main tbody tr').forEach((row) => { row.isMarked = true; })")

        def drawn() -> int:
            return int(page.evaluate("[...document.querySelectorAll('main tbody tr')].filter((row) => !row.isMarked).length"))

        # What was searched stays, and the keyboard is where it was.
        desk.view("Entries")
        page.get_by_role("searchbox").fill("jör")
        page.wait_for_selector(f"text={ARCHERS} of {ARCHERS} entries")
        row = page.locator("main tbody tr", has_text="Jörg C")
        row.get_by_role("button").click()
        desk.fill("Club", "Other")
        mark()
        read.clear()
        desk.agree()
        desk.said("Done.")
        self.assertEqual(row.locator("td").nth(1).inner_text(), "Other")
        self.assertEqual((drawn(), page.get_by_role("searchbox").input_value()), (1, "jör"))
        self.assertEqual(read, ["Events/UpdateEventEntry"])
        self.assertTrue(row.get_by_role("button").evaluate("(button) => button === document.activeElement"))
        row.get_by_role("button").click()
        self.assertEqual(page.input_value("dialog label:has(span:text-is('Club')) >> input"), "Other")
        page.keyboard.press("Escape")

        # A total on paper changes a cell: it counts with the confirmations, behind which none is typed.
        entries = desk.call("Events/ListEventEntries", {"tournamentId": desk.event})["entries"]
        archer = next(one["participantId"] for one in entries if one["displayName"] == "Jörg B")
        for end in range(6):
            desk.call("Tournament/RecordEnd", {"operations": [
                {"kind": "OPERATION_KIND_RECORD", "participantId": archer, "endIndex": end, "arrowIndex": index, "value": 9}
                for index in range(6)]})  # fmt: skip
        desk.view("Standings")
        page.select_option("main select", label=next(
            text for text in page.locator("main select option").all_inner_texts() if text.startswith("RM")))  # fmt: skip
        row = page.locator("main tbody tr", has_text="Jörg B")
        expect(row.locator("td").nth(3)).to_have_text("324")
        for paper in (330, 320):
            row.get_by_role("button", name="Card…").click()
            page.wait_for_selector("dialog")
            desk.fill("Total on paper", str(paper))
            mark()
            desk.agree()
            desk.said("Done.")
            self.assertEqual(drawn(), 0)
            self.assertEqual(row.locator("td").nth(3).inner_text(), "324")
            self.assertIn(f"paper {paper}", row.inner_text())

        # Typed totals and a decided tie change cells, and the order of rows.
        for one in (page.locator("main tbody tr", has_text=name) for name in ("Jörg D", "Jörg F")):
            one.get_by_role("button", name="Total…").click()
            page.wait_for_selector("dialog")
            desk.fill("Total", "300")
            mark()
            desk.agree()
            expect(one.locator("td").nth(3)).to_have_text("300*")
            desk.said("Done.")
            self.assertEqual(drawn(), 0)
            self.assertTrue(one.get_by_role("button", name="Total…").evaluate("(button) => button === document.activeElement"))
        mark()
        desk.press("Decide the tie…")
        page.wait_for_selector("dialog")
        desk.fill("Jörg D", "2")
        desk.fill("Jörg F", "1")
        desk.agree()
        desk.said("Done.")
        page.wait_for_selector("main button:has-text('Decide the tie…')", state="detached")
        self.assertEqual(drawn(), 0)
        self.assertEqual([found[:2] for found in desk.rows()[:2]], [["1", "Jörg B"], ["2", "Jörg F"]])
        self.assertEqual(desk.rows()[2][:2], ["3", "Jörg D"])

        # An archer at another place is drawn there, and where it was.
        desk.view("Targets")
        desk.press("Draw…")
        desk.agree()
        desk.said(f"{ARCHERS} archers were drawn.")
        page.evaluate("document.querySelectorAll('section.butt').forEach((butt) => { butt.isMarked = true; })")
        held = page.locator("button.place[draggable=true]").first
        name = (held.get_attribute("aria-label") or "").split(": ")[1]
        held.click()
        place = page.locator("button.place[aria-label$='free']").last
        label = (place.get_attribute("aria-label") or "").split(":")[0]
        place.click()
        desk.said(f"{name} is at {label}.")
        page.wait_for_selector(f"button.place[aria-label='{label}: {name}']")
        self.assertEqual(page.evaluate("[...document.querySelectorAll('section.butt')].filter((butt) => !butt.isMarked).length"), 2)
        entries = desk.call("Events/ListEventEntries", {"tournamentId": desk.event})["entries"]
        self.assertIn((name, label), [(one["displayName"], f"{one['target']}{one['letter']}") for one in entries if one.get("target")])
        self.assertEqual(self.errors, [])

    def test_a_code_is_not_used_where_others_could_read_the_token(self) -> None:
        invite = self.invite()
        page = self.context().new_page()
        calls: list[str] = []
        page.on("request", lambda request: calls.append(request.url))
        page.goto(f"http://club.test:{self.running.port}/desk#{invite}")
        page.wait_for_selector("#state.bad:has-text('not encrypted')", timeout=MILLISECONDS)
        self.assertEqual([url for url in calls if "/quiver.v1." in url], [])
        self.desk(invite)

    def test_a_link_that_was_used_or_has_expired_signs_nobody_in(self) -> None:
        used = self.invite()
        self.desk(used)
        ends = int(time.time() * 1000) + 1_000
        expired = str(self.running.call("Admin/CreateInvite", label="desk", uses=1, expiresAtMs=str(ends))["code"])
        wait_until(lambda: time.time() * 1000 > ends)
        for code, word in ((used, "used"), (expired, "expired")):
            page = self.context().new_page()
            page.goto(f"{self.origin}/desk#{code}")
            page.wait_for_selector(f"#state.bad:has-text('{word}')")
            self.assertNotIn(code.lower(), page.url.lower())
            page.wait_for_selector("main h2:has-text('Sign in')")
            self.assertIsNone(page.evaluate("localStorage.getItem('quiver.desk.token')"))

    def test_a_hostile_list_adds_nothing_and_names_the_fault_of_each_line(self) -> None:
        desk = self.desk(self.invite())
        page = desk.page
        self.create(desk, "Lists", "wa18")
        desk.view("Entries")

        def drop(content: bytes) -> str:
            file = {"name": "list.csv", "mimeType": "text/csv", "buffer": content}
            page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]
            page.wait_for_selector("dialog")
            return page.inner_text("dialog")

        def refuse() -> None:
            page.click("dialog button.main")
            page.wait_for_selector("dialog", state="detached")
            self.assertIn("0 of 0 entries", page.inner_text("main"))
            self.assertNotIn("entries", desk.call("Events/ListEventEntries", {"tournamentId": desk.event, "pageSize": 5}))

        lines = [f'"Jörg; ""{number}""";{number};RM' for number in range(20_000)]
        lines[7] = lines[7].replace("RM", "XX")
        lines[9] = lines[9].replace(";9;", ";8;")
        text = drop(("Name;Startnummer;Kategorie\r\n" + "\r\n".join(lines)).encode("cp1252"))
        # The event has room for 500.
        self.assertIn("19502 with faults", text)
        self.assertIn("The first 1000 lines are shown.", text)
        faults = {row[0]: row[5] for row in page.locator("dialog tbody tr").evaluate_all(
            "(rows) => rows.slice(0, 10).map((row) => [...row.children].map((cell) => cell.textContent))")}
        self.assertEqual(faults["9"], "There is no category with this code or name.")
        self.assertEqual(faults["11"], "The bib is in the file twice.")
        self.assertEqual(faults["502"], "The event has no more room.")
        refuse()
        self.assertIn("has more than 20,000 lines", self.refused(page, b"Name\n" + b"A\n" * 20_001))
        # What would be a formula in a program for tables is a name here.
        drop("Name,Category\n=1+1,RM\n\"@SUM(A1)\",RM\n<b>x</b>,RM\n".encode("utf-16"))
        desk.agree()
        desk.said("3 entries were added.")
        self.assertEqual({row[1] for row in desk.rows()}, {"=1+1", "@SUM(A1)", "<b>x</b>"})
        desk.view("Papers")
        with page.expect_download() as download:
            desk.press("Entries (CSV)")
        content = pathlib.Path(download.value.path()).read_text(encoding="utf-8")
        self.assertNotRegex(content, r"(?m)(^|,)\"?[=@]")
        self.assertEqual(self.errors, [])

    def refused(self, page: Page, content: bytes) -> str:
        """What is said of a list that is not shown."""
        file = {"name": "list.csv", "mimeType": "text/csv", "buffer": content}
        page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]
        page.wait_for_selector("#state.bad")
        self.assertEqual(page.locator("dialog").count(), 0)
        return page.inner_text("#state")

    def test_a_bracket_goes_on_without_an_archer_who_has_withdrawn(self) -> None:
        desk = self.desk(self.invite())
        page = desk.page
        self.create(desk, "Withdrawn", "frostbite")
        entries = desk.call("Events/ImportEventEntries", {"tournamentId": desk.event, "entries": [
            {"name": name, "bib": str(number), "categoryCode": "RM"} for number, name in enumerate(["Ann", "Ben", "Cid", "Dora", "Emil"], 1)]})["entries"]
        ids = {entry["displayName"]: entry["participantId"] for entry in entries}
        desk.call("Tournament/StartTournament", {"id": desk.event, "anyway": True})
        for rank, participant in enumerate(ids.values()):
            for end in range(6):
                desk.call("Tournament/RecordEnd", {"operations": [
                    {"kind": "OPERATION_KIND_RECORD", "participantId": participant, "endIndex": end, "arrowIndex": index, "value": 10 - rank}
                    for index in range(6)]})  # fmt: skip

        def withdraw(name: str) -> None:
            desk.view("Entries")
            page.locator("main tbody tr", has_text=name).get_by_role("button", name="Edit…").click()
            page.locator("dialog label:has(span:text-is('State')) >> select").select_option("withdraw")
            page.click("dialog button.main")
            page.wait_for_selector("dialog h2:has-text('withdrawn')")
            desk.fill("Reason", "ill")
            desk.agree()
            desk.said("Done.")

        def forfeit(first: str, second: str, who: str) -> None:
            row = page.locator("main tr", has_text=first).filter(has_text=second)
            row.get_by_role("button", name="Open…").click()
            page.locator("dialog select").select_option(label=f"forfeit of {who}")
            desk.fill("Reason", "ill")
            desk.agree()
            page.wait_for_selector("main td:has-text('(forfeit)')")

        # Who has withdrawn before the cut is not in it.
        withdraw("Ben")
        desk.view("Matches")
        page.select_option("main select", label=next(
            text for text in page.locator("main select option").all_inner_texts() if text.startswith("RM")))  # fmt: skip
        page.wait_for_selector("#main:not([aria-busy])")
        desk.press("Cut…")
        page.select_option("dialog select >> nth=0", "4")
        desk.agree()
        page.wait_for_selector("main td:has-text('4. Emil')")
        self.assertNotIn("Ben", page.locator("main table").first.inner_text())
        # Who withdraws from a match loses it and each later one.
        forfeit("Ann", "Emil", "Ann")
        forfeit("Cid", "Dora", "Dora")
        page.wait_for_selector("main tr:has(th:text-is('Gold')):has-text('Emil'):has-text('Cid')")
        forfeit("Ann", "Dora", "Ann")
        forfeit("Cid", "Emil", "Emil")
        page.wait_for_selector("main [aria-label='Ranks'] td:text-is('Cid')")
        ranks = page.locator("main [aria-label='Ranks'] tbody tr").evaluate_all("(rows) => rows.map((row) => row.children[1].textContent)")
        self.assertEqual(ranks[:3], ["Cid", "Emil", "Dora"])
        self.assertEqual(self.errors, [])

    def test_two_desks_do_not_overwrite_each_other(self) -> None:
        one = self.desk(self.invite())
        self.create(one, "Two", "wa18")
        one.view("Categories and sessions", "Categories")
        other = Desk(one.page.context.new_page(), self.origin)
        other.page.goto(one.page.url)
        other.page.wait_for_selector("h2:has-text('Categories')")
        for desk in (one, other):
            desk.press("Edit…")
        one.page.fill("dialog input >> nth=1", "Mine")
        one.agree()
        one.said("Done.")
        other.page.fill("dialog input >> nth=1", "Theirs")
        other.page.click("dialog button.main")
        other.page.wait_for_selector("dialog h2:has-text('Somebody else has changed this')")
        self.assertIn("Mine", other.page.inner_text("dialog"))
        other.page.click("dialog button:has-text('Cancel')")
        other.page.wait_for_selector("main td:text-is('Mine')")
        self.assertEqual(self.errors, [])

    def test_standings_follow_what_others_enter(self) -> None:
        one = self.desk(self.invite())
        self.create(one, "Live", "frostbite")
        self.enter(one)
        one.view("Overview", "The day")
        one.press("Start")
        one.agree()
        one.page.wait_for_selector("text=Pause the shooting…")
        one.view("Standings")
        other = Desk(one.page.context.new_page(), self.origin)
        other.page.goto(one.page.url)
        for desk in (one, other):
            page = desk.page
            page.wait_for_selector("main select")
            page.select_option("main select", label=next(
                text for text in page.locator("main select option").all_inner_texts() if text.startswith("RM")))  # fmt: skip
            page.wait_for_selector("main td:text-is('Jörg B')")
        one.page.click("main tr:has(td:text-is('Jörg B')) >> button:has-text('Total…')")
        one.page.wait_for_selector("dialog")
        one.fill("Total", "299")
        one.agree()
        other.page.wait_for_selector("main td:text-is('299*')")
        self.assertEqual(next(row for row in other.rows() if row[1] == "Jörg B")[4], "299*")
        self.assertEqual(self.errors, [])

    def test_two_desks_see_what_the_other_did_with_an_entry_and_a_place(self) -> None:
        one = self.desk(self.invite())
        self.create(one, "Two", "frostbite")
        self.enter(one)
        one.view("Targets")
        one.press("Draw…")
        one.agree()
        one.said(f"{ARCHERS} archers were drawn.")
        other = Desk(one.page.context.new_page(), self.origin)
        other.page.goto(one.page.url.replace("/targets", "/entries"))
        one.view("Entries")
        for desk in (one, other):
            desk.page.wait_for_selector("main tbody tr")
            desk.press("Edit…")
        one.fill("Club", "Mine")
        one.agree()
        one.said("Done.")
        other.fill("Club", "Theirs")
        other.page.click("dialog button.main")
        other.page.wait_for_selector("dialog h2:has-text('Somebody else has changed this')")
        self.assertIn("Mine", other.page.inner_text("dialog"))
        other.page.click("dialog button:has-text('Save mine')")
        other.page.wait_for_selector("main td:text-is('Theirs')")
        # A place that somebody else has taken meanwhile is not taken away by a swap that nobody saw.
        one.view("Targets")
        other.view("Targets")
        free = "button.place[aria-label$='free']"
        place = other.page.locator(free).last.get_attribute("aria-label") or ""
        one.page.locator("button.place[draggable=true]").first.click()
        one.page.locator(free).last.click()
        one.said("is at")
        other.page.locator("button.place[draggable=true]").nth(1).click()
        other.page.locator(free).last.click()
        other.said(f"is at {place.split(':')[0]} now, from another desk. Nothing was changed.")
        self.assertEqual(self.errors, [])

    def test_places_are_blocked_and_targets_are_kept_for_wheelchairs(self) -> None:
        one = self.desk(self.invite())
        self.create(one, "Hall", "frostbite")
        self.enter(one)
        for name in ("Jörg A", "Jörg B"):
            one.page.locator("main tbody tr", has_text=name).get_by_role("button", name="Edit…").click()
            one.page.check("dialog label:has(span:text-is('Shoots from a wheelchair')) >> input")
            one.agree()
            one.said("Done.")
        one.view("Targets")
        other = Desk(one.page.context.new_page(), self.origin)
        other.page.goto(one.page.url)
        for desk in (one, other):
            desk.press("Blocked places and wheelchairs…")
        self.assertEqual(kit.violations(one.page), [])
        one.fill("Blocked places", "2, 3a")
        for wrong in ("7", "5b", "0"):
            one.page.fill("dialog input >> nth=1", wrong)
            one.page.click("dialog button.main")
            one.page.wait_for_selector(f"dialog [role=alert]:has-text('{wrong.upper()} is no place of this session.')")
        one.page.fill("dialog input >> nth=1", "5")
        one.agree()
        one.said("Done.")
        one.page.wait_for_selector("button[aria-label='2A: blocked']")
        one.page.wait_for_selector("section[aria-label='Target 5'] h3:has-text('wheelchairs')")
        letters = "ABCD"[: one.page.locator("section[aria-label='Target 2'] button").count()]
        self.assertEqual(one.page.locator("button[aria-label$=': blocked']").evaluate_all("(all) => all.map((one) => one.ariaLabel.slice(0, 2))"),
                         [*[f"2{letter}" for letter in letters], "3A"])
        # Another desk, which has not seen this, sees both versions.
        other.fill("Blocked places", "6")
        other.page.click("dialog button.main")
        other.page.wait_for_selector("dialog h2:has-text('Somebody else has changed this')")
        self.assertIn("2 3A", other.page.inner_text("dialog"))
        other.page.click("dialog button:has-text('Cancel')")
        other.page.wait_for_selector("button[aria-label='2A: blocked']")
        # Nobody is drawn or moved to a blocked place, and wheelchairs have their target.
        one.press("Draw…")
        one.agree()
        one.said(f"{ARCHERS} archers were drawn.")
        entries = one.call("Events/ListEventEntries", {"tournamentId": one.event, "pageSize": 500})["entries"]
        places = {entry["displayName"]: f"{entry['target']}{entry['letter']}" for entry in entries}
        self.assertEqual({places["Jörg A"][0], places["Jörg B"][0]}, {"5"})
        self.assertEqual([place for place in places.values() if place[0] == "2" or place == "3A"], [])
        one.page.locator("button.place[draggable=true]").first.click()
        one.page.click("button[aria-label='2A: blocked']")
        one.said("2A is blocked.")
        # A place that somebody has is not blocked.
        one.press("Blocked places and wheelchairs…")
        one.fill("Blocked places", "2 3A 5")
        one.page.click("dialog button.main")
        one.page.wait_for_selector("dialog [role=alert]:has-text('move the archer first')")
        one.fill("Blocked places", "")
        one.agree()
        one.page.wait_for_selector("button[aria-label='2A: free']")
        self.assertEqual(one.page.locator("button[aria-label$=': blocked']").count(), 0)
        self.assertEqual(self.errors, [])

    def test_groups_and_teams_go_on_to_matches(self) -> None:
        desk = self.desk(self.invite())
        page = desk.page
        self.create(desk, "Teams", "frostbite")
        categories = desk.call("Events/ListEventCategories", {"tournamentId": desk.event})["categories"]
        category = next(one for one in categories if one["code"] == "RM")
        entries = desk.call("Events/ImportEventEntries", {"tournamentId": desk.event, "entries": [
            {"name": f"{club} {number}", "bib": f"{club}{number}", "club": club, "categoryCode": "RM"}
            for club in "AB" for number in range(1, 5)]})["entries"]  # fmt: skip
        desk.call("Tournament/StartTournament", {"id": desk.event, "anyway": True})
        for rank, entry in enumerate(entries):
            for end in range(6):
                desk.call("Tournament/RecordEnd", {"operations": [
                    {"kind": "OPERATION_KIND_RECORD", "participantId": entry["participantId"], "endIndex": end, "arrowIndex": index,
                     "value": 9 if end > rank % 4 else 8} for index in range(6)]})  # fmt: skip

        # While the view of another category is read, no button acts on the one before.
        desk.view("Matches")
        held: list[Route] = []
        page.route("**/quiver.v1.Tournament/GetTournament", lambda route: held.append(route))
        with page.expect_request("**/quiver.v1.Tournament/GetTournament"):
            page.select_option("main select", category["id"])
        self.assertEqual(page.locator("main button").count(), page.locator("main button[inert], main [inert] button").count())
        for route in held:
            route.continue_()
        page.unroute("**/quiver.v1.Tournament/GetTournament")
        desk.press("Groups…")
        desk.fill("How many go on", "4")
        desk.fill("Number of groups", "2")
        desk.agree()
        page.wait_for_selector("h3:has-text('4 in 2 groups')")
        stage = desk.call("Elimination/ListStages", {"tournamentId": desk.event})["stages"][0]
        for match in desk.call("Elimination/GetBracket", {"stageId": stage["id"]})["matches"]:
            for end in range(3):
                desk.call("Elimination/ApplyMatchOperations", {"operations": [
                    {"clientId": identity(), "matchId": match["id"], "side": side, "entry": {"index": end, "arrows": [{"value": 11 - side}] * 3}}
                    for side in (1, 2)]})  # fmt: skip
            for side in (1, 2):
                revision = desk.call("Elimination/GetMatch", {"matchId": match["id"]})["revision"]
                desk.call("Elimination/ConfirmMatchCard", {"matchId": match["id"], "side": side, "revision": revision})
        desk.view("Matches")
        desk.press("Cut the groups…")
        desk.agree()
        page.wait_for_selector("h3:has-text('Cut of 2')")
        desk.press("Teams…")
        desk.fill("How many go on", "2")
        desk.agree()
        page.wait_for_selector("h3:has-text('Cut of 2 teams')")
        self.assertIn("A 1, A 2, A 3", page.inner_text("main"))
        page.click("main button:has-text('Another archer in a team…')")
        desk.fill("Reason", "ill")
        page.select_option("dialog select >> nth=0", label="A: A 1")
        page.select_option("dialog select >> nth=1", label="A 4 (A)")
        desk.agree()
        page.wait_for_selector("main td:has-text('A 4')")
        self.assertEqual(self.errors, [])

    def test_a_lost_connection_a_wrong_code_and_a_revoked_token_are_told(self) -> None:
        desk = self.desk(self.invite())
        page = desk.page
        self.create(desk, "<b>Names</b> are text", "wa18")
        self.assertEqual(page.inner_text("h1"), "<b>Names</b> are text")

        def lose(route: Route) -> None:
            route.abort("connectionreset")

        page.route("**/quiver.v1.Events/CreateEventSession", lose)
        desk.view("Categories and sessions", "Categories")
        desk.press("New session…")
        page.fill("dialog input >> nth=0", "Late")
        desk.agree()
        desk.said("There is no connection to the server.")
        page.unroute("**/quiver.v1.Events/CreateEventSession")

        file = {"name": "x.csv", "mimeType": "text/csv", "buffer": b"name,category\nA,XX\nB,RM\n"}
        desk.view("Entries")
        page.set_input_files("input[type=file]", files=[file])  # type: ignore[list-item]
        self.assertIn("There is no category with this code or name.", page.inner_text("dialog"))
        page.click("dialog button.main")
        self.assertIn("0 of 0 entries", page.inner_text("main"))

        self.running.call("Admin/RevokeToken", id=desk.call("Account/WhoAmI", {})["tokenId"])
        page.click("#tabs >> text=Check-in")
        desk.said("Your sign-in has ended.")
        page.fill("main input >> nth=0", "WRONGCODEWRONGCO")
        page.click("main button")
        page.wait_for_selector("#state.bad")
        self.assertEqual(self.errors, [])


if __name__ == "__main__":
    kit.main()
