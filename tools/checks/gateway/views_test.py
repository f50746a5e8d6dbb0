"""The views of a board in Chromium: categories, clubs, targets, teams, matches, the projector.

QUIVER_SCREENS=FOLDER stores pictures of all views there."""

from __future__ import annotations

import io
import re
import subprocess
import time
from typing import Any

import kit
from PIL import Image
from playwright.sync_api import Page, Route, expect

from board_test import BoardBase

LANGUAGES = ("en", "de", "fr", "it")

PEOPLE = [
    ("Anna Archer", "RM", "Loxley", "GB"), ("Benedikt Bogenschütz-Hohenfels von Winterthur", "RM", "Grütli", "CH"),
    ("Κλεοπάτρα Παπαδοπούλου", "RM", "Loxley", "GR"), ("كريم عبد الله", "RM", "Grütli", "CH"),
    ("Dora", "RM", "Loxley", "GB"), ("王小明", "RM", "Grütli", "CH"),
    ("Emil", "CW", "Loxley", "GB"), ("Fanny", "CW", "Sherwood", "GB"),
]  # fmt: skip


class ViewTests(BoardBase):
    """An event of two categories on one line."""

    names: list[str] = []

    def setUp(self) -> None:
        event = self.call("Tournament/CreateTournament", name="Autumn Round", isPublic=True, maxParticipants=500,
                          format={"codename": "wa18", "arrowLimit": 6})  # fmt: skip
        self.event = event
        self.id = event["id"]
        first = self.call("Events/ListEventCategories", tournamentId=self.id)["categories"][0]
        self.call("Events/UpdateEventCategory", category={**first, "code": "RM", "name": "Recurve"})
        other = self.call("Events/CreateEventCategory",
                          category={"tournamentId": self.id, "code": "CW", "name": "Compound women"})  # fmt: skip
        self.categories = {"RM": first["id"], "CW": other["id"]}
        session = self.call("Events/CreateEventSession", session={
            "tournamentId": self.id, "name": "Morning", "firstTarget": 1, "lastTarget": 4, "archersPerTarget": 4})  # fmt: skip
        self.session = session["id"]
        entries = self.call("Events/ImportEventEntries", tournamentId=self.id, entries=[
            {"name": name, "bib": str(number), "categoryCode": code, "club": club, "country": country,
             "sessionId": self.session} for number, (name, code, club, country) in enumerate(PEOPLE, 1)])  # fmt: skip
        self.entries = {entry["displayName"]: entry["participantId"] for entry in entries["entries"]}
        self.guests = [{"id": identity} for identity in self.entries.values()]
        self.call("Events/DrawTargets", tournamentId=self.id, sessionId=self.session, method="DRAW_METHOD_RANKING")
        self.ends: dict[str, int] = {}
        self.faults: list[str] = []
        self.page = self.new_page()

    def new_page(self, **options: Any) -> Page:
        given = {"viewport": {"width": 1280, "height": 720}, "locale": "en-GB"} | options
        page = self.browser.new_page(**given)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.addCleanup(page.close)
        return page

    def start(self) -> None:
        self.call("Tournament/StartTournament", id=self.id, anyway=True)

    def address(self, query: str = "") -> str:
        return f"http://{self.running.address}/board/{self.event['joinCode']}{query}"

    def show(self, query: str = "", page: Page | None = None) -> Page:
        page = page or self.page
        page.goto(self.address(query))
        expect(page.locator("#state")).not_to_have_text("Connecting…")
        return page

    def shown(self) -> list[str]:
        return self.page.locator("#rows .who").all_inner_texts()

    def end(self, name: str, *values: int) -> None:
        self.shoot({"id": self.entries[name]}, *values)

    def bracket(self) -> dict[str, Any]:
        """All have shot; the best four of the recurve category go on."""
        self.start()
        for number, name in enumerate(self.entries):
            for _ in range(2):
                self.end(name, *[10 - number // 3, 9, max(1, 9 - number)])
        return self.call("Elimination/CutCategory", tournamentId=self.id, categoryId=self.categories["RM"], size=4,
                         system="MATCH_SYSTEM_INDIVIDUAL_SETS", seed="1")  # fmt: skip

    def shoot_set(self, match: str, index: int, first: list[int], second: list[int]) -> None:
        operations = [
            {"clientId": self.identity(), "matchId": match, "side": side,
             "entry": {"index": index, "arrows": [{"value": value} for value in values]}}
            for side, values in ((1, first), (2, second))]  # fmt: skip
        verdicts = self.call("Elimination/ApplyMatchOperations", operations=operations)["verdicts"]
        self.assertEqual([one["verdict"] for one in verdicts], ["MATCH_VERDICT_STORED"] * 2)

    def test_a_category_is_ranked_alone_and_the_address_remembers_it(self) -> None:
        self.start()
        page = self.show()
        expect(page.locator("#rows tr")).to_have_count(6)
        expect(page.locator("#view-name")).to_have_text("Recurve")
        self.end("Emil", 10, 10, 10)
        self.end("Dora", 9, 9, 9)
        expect(page.locator("#rows tr").first.locator(".who")).to_have_text("Dora")
        page.locator("#view").select_option(label="Compound women")
        expect(page.locator("#rows tr")).to_have_count(2)
        expect(page.locator("#rows tr").first.locator(".who")).to_have_text("Emil")
        self.assertIn("view=c", page.url)
        page.reload()
        expect(page.locator("#rows tr").first.locator(".who")).to_have_text("Emil")
        expect(page.locator("#rows tr").first.locator(".more")).to_have_text("Loxley · 2C")
        page.locator("#view").select_option("a")
        expect(page.locator("#rows tr")).to_have_count(8)
        expect(page.locator("#rows tr").first.locator(".more")).to_have_text("Loxley · 2C · Compound women")

    def test_a_club_and_the_targets_of_a_session_are_shown(self) -> None:
        self.start()
        page = self.show()
        page.locator("#view").select_option("clubs")
        expect(page.locator("#clubs button")).to_have_text(["Grütli (3)", "Loxley (4)", "Sherwood (1)"])
        page.get_by_role("button", name="Loxley").click()
        expect(page.locator("#rows tr")).to_have_count(4)
        expect(page.locator("#view-name")).to_have_text("Loxley")
        page.locator("#view").select_option(label="Morning")
        expect(page.locator("#rows td.place")).to_have_text(["1A", "1B", "1C", "1D", "2A", "2B", "2C", "2D"])
        # Rows stay where their targets are, whoever leads.
        self.end("Fanny", 10, 10, 10)
        expect(page.locator("#rows tr").last.locator(".total")).to_have_text("30")
        expect(page.locator("#rows tr").last.locator(".rank")).to_have_text("1")

    def test_the_teams_of_clubs_and_countries_follow_the_arrows(self) -> None:
        self.start()
        page = self.show()
        page.locator("#view").select_option(label="Recurve: clubs")
        teams = page.locator("#teams tbody tr")
        expect(teams).to_have_count(2)
        self.end("王小明", 10, 10, 9)
        expect(teams.first.locator(".total")).to_have_text("29")
        expect(teams.first.locator(".who")).to_have_text("Grütli")
        expect(teams.first.locator(".more")).to_contain_text("كريم عبد الله")
        page.locator("#view").select_option(label="Recurve: countries")
        expect(teams.first.locator(".who")).to_have_text("CH")
        page.locator("#view").select_option(label="Compound women: clubs")
        expect(page.locator("#empty")).to_have_text("No club or country has enough archers for a team.")

    def test_a_bracket_and_the_cards_of_a_match_are_live(self) -> None:
        page = self.show()
        stage = self.bracket()
        page.locator("#view").select_option(label="Recurve, best 4")
        expect(page.locator("#matches h2").first).to_have_text("Semi-finals")
        match = stage["matches"][0]
        card = page.locator(f'#matches [data-key="{match["id"]}"]')
        expect(card.locator(".head")).to_contain_text("next")
        card.focus()
        self.shoot_set(match["id"], 0, [10, 10, 9], [9, 9, 9])
        expect(card.locator(".points").first).to_have_text("2")
        expect(card.locator(".head")).to_have_text("shooting")
        expect(card).to_be_focused()
        page.keyboard.press("Enter")
        cards = page.locator("dialog .cards")
        expect(cards.locator("tbody tr")).to_have_count(1)
        expect(cards.locator("tbody .arrows")).to_have_text(["10 10 9", "9 9 9"])
        self.shoot_set(match["id"], 1, [10, 10, 10], [9, 9, 8])
        expect(cards.locator("tbody tr")).to_have_count(2)
        page.keyboard.press("Escape")
        expect(page.locator("dialog")).to_have_count(0)
        expect(card).to_be_focused()
        self.shoot_set(match["id"], 2, [10, 9, 9], [1, 1, 1])
        expect(card.locator(".won .points")).to_contain_text("6")
        for side in (1, 2):
            revision = self.call("Elimination/GetMatch", matchId=match["id"])["revision"]
            self.call("Elimination/ConfirmMatchCard", matchId=match["id"], side=side, revision=revision)
        gold = page.locator("#matches .round", has_text="Gold")
        expect(gold.locator(".who").first).to_have_text(match["sides"][0]["displayName"])

    def win(self, match: str) -> None:
        """The first side wins, and both cards are confirmed."""
        for index in range(3):
            self.shoot_set(match, index, [10, 10, 10], [9, 9, 8])
        for side in (1, 2):
            revision = self.call("Elimination/GetMatch", matchId=match)["revision"]
            self.call("Elimination/ConfirmMatchCard", matchId=match, side=side, revision=revision)

    def finals(self) -> list[list[str]]:
        """Rank, name, what stands below it, and medal of each row."""
        return self.page.locator("#teams tbody tr:visible").evaluate_all(
            "(rows) => rows.map((row) => ['.rank', '.who', '.more', '.medal'].map((one) => row.querySelector(one).textContent))")

    def test_final_ranks_and_medals_are_shown_once_the_bracket_is_decided(self) -> None:
        stage = self.bracket()
        page = self.show(f"?view=f:{stage['stage']['id']}")
        expect(page.locator("#view-name")).to_have_text("Recurve, best 4: final ranks")
        expect(page.locator("#empty")).to_have_text("No rank is decided yet.")
        # A projector shows the bracket in its turns, not the ranks.
        screen = self.new_page()
        self.show("?screen&seconds=300", screen)
        views = set()
        for _ in range(5):
            screen.keyboard.press("ArrowRight")
            time.sleep(0.2)
            views.add(screen.locator("#view-name").inner_text())
        self.assertIn("Recurve, best 4", views)
        self.assertNotIn("Recurve, best 4: final ranks", views)
        semifinals = [match for match in stage["matches"] if match["roundSize"] == 4]
        for match in semifinals:
            self.win(match["id"])
        medals = [match for match in self.call("Elimination/GetBracket", stageId=stage["stage"]["id"])["matches"] if match["roundSize"] == 2]
        self.assertEqual(len(medals), 2)
        names = {}
        for match in sorted(medals, key=lambda one: -one.get("index", 0)):
            names["bronze" if match.get("index") else "gold"] = [side["displayName"] for side in match["sides"]]
            self.win(match["id"])
        rows = page.locator("#teams tbody tr")
        expect(rows).to_have_count(6)
        shown = self.finals()
        order = names["gold"] + names["bronze"]
        self.assertEqual([row[:2] for row in shown[:4]], [[str(rank), name] for rank, name in enumerate(order, 1)])
        self.assertEqual([row[3] for row in shown], ["Gold", "Silver", "Bronze", "", "", ""])
        # Who was not in the cut follows as the qualification ranks them.
        standings = self.call("Events/GetCategoryStandings", tournamentId=self.id, categoryId=self.categories["RM"])["rows"]
        others = [[str(one["row"]["rank"]), one["row"]["displayName"], one["entry"]["club"], ""] for one in standings
                  if one["row"]["displayName"] not in order]  # fmt: skip
        self.assertEqual(shown[4:], others)
        page.locator("#language").select_option("de")
        expect(rows.first.locator(".medal")).to_have_text("Gold")
        expect(rows.nth(1).locator(".medal")).to_have_text("Silber")
        page.locator("#language").select_option("en")
        for width, height, scheme in ((320, 568, "dark"), (390, 844, "light"), (1280, 720, "light"), (1280, 720, "dark")):
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            self.check(page, "final-ranks", f"{width}-{scheme}")
        # The bracket is over: the projector shows its ranks instead.
        self.page = screen
        self.show(f"?screen&seconds=300&view=f:{stage['stage']['id']}")
        expect(screen.locator("#teams tbody tr")).to_have_count(6)
        self.assertEqual(self.finals(), shown)
        views.clear()
        for _ in range(5):
            screen.keyboard.press("ArrowRight")
            time.sleep(0.2)
            views.add(screen.locator("#view-name").inner_text())
        self.assertIn("Recurve, best 4: final ranks", views)
        self.assertNotIn("Recurve, best 4", views)

    def test_a_part_that_is_gone_is_told_and_another_can_be_chosen(self) -> None:
        page = self.show(f"?view=c:{self.categories['CW']}")
        expect(page.locator("#rows tr")).to_have_count(2)
        for name in ("Emil", "Fanny"):
            self.call("Events/UpdateEventEntry", updateMask=["category_id"],
                      entry={"participantId": self.entries[name], "categoryId": self.categories["RM"]})  # fmt: skip
        self.call("Events/DeleteEventCategory", tournamentId=self.id, categoryId=self.categories["CW"])
        expect(page.locator("#empty")).to_contain_text("does not exist any more")
        page.locator("#view").select_option(label="Recurve")
        expect(page.locator("#rows tr")).to_have_count(8)

    def test_more_than_two_hundred_archers_are_shown_page_by_page(self) -> None:
        for start in range(0, 450, 150):
            self.call("Events/ImportEventEntries", tournamentId=self.id, entries=[
                {"name": f"Archer {number}", "categoryCode": "CW"} for number in range(start, start + 150)])  # fmt: skip
        page = self.show(f"?view=c:{self.categories['CW']}")
        extent = page.locator("#extent")
        expect(page.locator("#rows tr")).to_have_count(200)
        expect(extent).to_have_text("1 to 200 of 452")
        expect(page.locator("#earlier")).to_be_disabled()
        seen = set(self.shown())
        for first, last in ((201, 400), (401, 452)):
            page.locator("#later").click()
            expect(extent).to_have_text(f"{first} to {last} of 452")
            expect(page.locator("#rows tr")).to_have_count(last - first + 1)
            seen |= set(self.shown())
        self.assertEqual(len(seen), 452)
        expect(page.locator("#later")).to_be_disabled()
        self.assertIn("row=400", page.url)
        page.locator("#view").select_option("a")
        expect(extent).to_have_text("1 to 200 of 458")
        page.locator("#later").click()
        expect(extent).to_have_text("201 to 400 of 458")

    def test_notices_and_the_clock_of_a_pause_are_shown(self) -> None:
        self.start()
        page = self.show()
        self.call("Events/SendEventNotice", tournamentId=self.id, text="Lunch at <b>noon</b>", isPublic=True)
        expect(page.locator("#notice")).to_contain_text("Lunch at <b>noon</b>")
        self.call("Events/SendEventNotice", tournamentId=self.id, text="for archers alone")
        self.call("Events/SendEventNotice", tournamentId=self.id, text="Medals at five", isPublic=True)
        expect(page.locator("#notice")).to_contain_text("Medals at five")
        expect(page.locator("#earlier-count")).to_have_text("1 earlier")
        self.assertNotIn("for archers alone", page.locator("body").inner_text())
        expect(page.locator("#pause")).to_be_hidden()
        self.call("Events/PauseShooting", tournamentId=self.id, reason="lightning")
        expect(page.locator("#pause")).to_contain_text("Shooting is paused since")
        expect(page.locator("#pause")).to_contain_text("lightning")
        clock = page.locator("#pause-clock")
        expect(clock).to_have_text(re.compile(r"^00:0[2-9]$"))
        self.call("Events/ResumeShooting", tournamentId=self.id)
        expect(page.locator("#pause")).to_be_hidden()

    def test_the_states_of_an_event_are_told_apart(self) -> None:
        page = self.show()
        state = page.locator("#state")
        expect(state).to_have_text("Not started yet")
        session = self.call("Events/ListEventSessions", tournamentId=self.id)["sessions"][0]
        tomorrow = int((time.time() + 86_400) * 1000)
        self.call("Events/UpdateEventSession", session={**session, "startsAtMs": str(tomorrow)})
        expect(state).to_have_text(re.compile("Not started yet: begins .*, "))
        self.start()
        expect(state).to_have_text("Live")
        self.call("Tournament/PauseTournament", id=self.id)
        expect(state).to_have_text("Interrupted")
        self.call("Tournament/StartTournament", id=self.id, anyway=True)
        expect(state).to_have_text("Live")
        self.call("Tournament/FinaliseTournament", id=self.id, anyway=True)
        expect(state).to_have_text("Final results")
        event = self.call("Tournament/GetTournament", id=self.id)
        self.call("Tournament/UpdateTournament", tournament={**event, "isPublic": False}, updateMask=["is_public"])
        expect(state).to_contain_text("This event is private")
        expect(page.locator("#rows tr")).to_have_count(0)
        expect(page.locator("#controls")).to_be_hidden()

    def test_results_say_in_each_language_which_parts_were_not_finished(self) -> None:
        self.bracket()
        page = self.show()
        unfinished = page.locator("#unfinished")
        expect(unfinished).to_be_hidden()
        self.call("Tournament/FinaliseTournament", id=self.id, anyway=True)
        expect(page.locator("#state")).to_have_text("Final results")
        expect(unfinished).to_have_text("Not finished: matches")
        # Arrows of an end that is shot already arrive late.
        self.ends[self.entries["Emil"]] = 1
        self.end("Emil", 9, 9, 9)
        for language, text in {
            "en": "Not finished: matches, late arrows", "de": "Nicht beendet: Matches, verspätete Pfeile",
            "fr": "Non terminé : matchs, flèches tardives", "it": "Non terminato: scontri, frecce tardive",
        }.items():  # fmt: skip
            page.locator("#language").select_option(language)
            expect(unfinished).to_have_text(text)
        # The same on a board that is opened later, in another view.
        page = self.show(f"?lang=de&view=c:{self.categories['CW']}", self.new_page())
        expect(page.locator("#unfinished")).to_have_text("Nicht beendet: Matches, verspätete Pfeile")
        self.call("Tournament/ReopenTournament", id=self.id, reason="a match is missing")
        expect(page.locator("#unfinished")).to_be_hidden()
        expect(unfinished).to_be_hidden()

    def test_who_did_not_start_is_behind_the_others_and_says_so(self) -> None:
        self.call("Events/SetEventEntryState", participantId=self.entries["Anna Archer"],
                  state="EVENT_ENTRY_STATE_DID_NOT_START")  # fmt: skip
        self.start()
        page = self.show()
        last = page.locator("#rows tr").last
        expect(last.locator(".who")).to_have_text("Anna Archer")
        expect(last.locator(".behind")).to_have_text("did not start")
        expect(last.locator(".rank")).to_have_text("")
        page.set_viewport_size({"width": 390, "height": 800})
        self.assertIn("did not start", last.locator(".name").evaluate("(cell) => getComputedStyle(cell, '::after').content"))

    def test_the_board_is_shared_by_a_code_that_a_reader_reads(self) -> None:
        page = self.show(f"?view=c:{self.categories['CW']}&lang=en")
        page.get_by_role("button", name="Share").click()
        code = page.locator("dialog svg.code")
        expect(code).to_be_visible()
        picture = f"{self.running.folder}/share.png"
        Image.open(io.BytesIO(code.screenshot())).convert("L").resize((600, 600)).save(picture)
        read = subprocess.run(["zbarimg", "--raw", "-q", picture], check=True, stdout=subprocess.PIPE, text=True)
        self.assertEqual(read.stdout.strip(), self.address(f"?view=c%3A{self.categories['CW']}"))
        expect(page.locator("dialog .warn")).to_contain_text("on this machine alone")
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Share")).to_be_focused()

    def test_a_board_opened_on_the_machine_of_the_server_shares_the_address_that_phones_reach(self) -> None:
        def name(route: Route) -> None:
            # As a gateway with --public-url says it.
            reply = route.fetch()
            meta = '<meta name="quiver-address" content="http://192.0.2.7:7480"></head>'
            route.fulfill(response=reply, body=reply.text().replace("</head>", meta))

        page = self.show("?screen")
        self.assertEqual(page.locator("#corner svg").count(), 0, "a code that no phone can use")
        page.route("**/board/*", name)
        page = self.show("?screen&lang=en")
        expect(page.locator("#corner svg")).to_be_visible()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Share").click()
        address = page.locator("dialog input").input_value()
        self.assertEqual(address.split("?")[0], f"http://192.0.2.7:7480/board/{self.event['joinCode']}")
        expect(page.locator("dialog .warn")).to_have_count(0)

    def test_the_projector_turns_pages_and_views_by_itself(self) -> None:
        self.call("Events/ImportEventEntries", tournamentId=self.id, entries=[
            {"name": f"Archer {number}", "categoryCode": "RM"} for number in range(30)])  # fmt: skip
        self.start()
        page = self.show("?screen&seconds=5")
        expect(page.locator("html")).to_have_class(re.compile("projector"))
        expect(page.locator("#rows .more").first).to_have_text("Loxley · 1A")
        expect(page.locator("#page")).to_have_text(re.compile(r"^Page 1 of [3-9]$"))
        first = page.locator("#rows tr:visible .who").all_inner_texts()
        inside = page.evaluate(
            "() => [...document.querySelectorAll('#rows tr:not([hidden])')].every((row) =>"
            " row.getBoundingClientRect().bottom <= innerHeight)")
        self.assertTrue(inside, "a row is below the screen")
        expect(page.locator("#page")).to_have_text(re.compile("^Page 2"))
        second = page.locator("#rows tr:visible .who").all_inner_texts()
        self.assertEqual(set(first) & set(second), set())
        seen = set(first + second)
        while page.locator("#view-name").inner_text() == "Recurve":
            seen |= set(page.locator("#rows tr:visible .who").all_inner_texts())
            page.keyboard.press("ArrowRight")
            time.sleep(0.2)
        self.assertEqual(len(seen - {"Emil", "Fanny"}), 36)
        expect(page.locator("#view-name")).to_have_text("Compound women")
        expect(page.locator("#rows tr:visible")).to_have_count(2)

    def test_the_projector_shows_start_lists_and_the_schedule_before_the_first_arrow(self) -> None:
        later = int((time.time() + 7200) * 1000)
        self.call("Events/CreateEventSession", session={
            "tournamentId": self.id, "name": "Afternoon", "firstTarget": 5, "lastTarget": 8, "archersPerTarget": 4,
            "startsAtMs": str(later)})  # fmt: skip
        # Before midnight the state says the day, too, and takes a line of its own.
        self.page.set_viewport_size({"width": 1280, "height": 800})
        page = self.show("?screen&lang=en")
        expect(page.locator("#view-name")).to_have_text("Start list: Morning")
        # In the order of the targets, without anything of scores.
        expect(page.locator("#rows tr:visible .place").first).to_have_text("1A")
        places = page.locator("#rows tr:visible .place").all_inner_texts()
        self.assertEqual(places, sorted(places))
        self.assertEqual(len(places), len(PEOPLE))
        expect(page.locator("#standings").get_by_text("Total")).to_be_hidden()
        expect(page.locator("#rows .more").first).to_contain_text("Loxley")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#view-name")).to_have_text("Schedule")
        expect(page.locator("#teams tbody tr")).to_have_count(1)
        expect(page.locator("#teams tbody tr")).to_contain_text("Afternoon")
        expect(page.locator("#teams tbody .place")).to_have_text("5–8")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#view-name")).to_have_text("Start list: Morning")
        self.start()
        expect(page.locator("#view-name")).to_have_text("Morning")
        expect(page.locator("#standings").get_by_text("Total")).to_be_visible()

    def test_the_projector_is_held_and_left_by_the_keyboard(self) -> None:
        self.start()
        page = self.show("#projector")
        expect(page.locator("#hold")).to_have_text("Hold")
        page.keyboard.press(" ")
        expect(page.locator("#hold")).to_have_text("Go on")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#view-name")).to_have_text("Compound women")
        page.keyboard.press("ArrowLeft")
        expect(page.locator("#view-name")).to_have_text("Recurve")
        page.keyboard.press("Escape")
        expect(page.locator("html")).not_to_have_class(re.compile("projector"))
        expect(page.locator("#rows tr:visible")).to_have_count(6)
        self.assertNotIn("projector", page.url)
        page.get_by_role("button", name="Projector").click()
        expect(page.locator("html")).to_have_class(re.compile("projector"))

    def test_the_projector_says_what_comes_next(self) -> None:
        later = int((time.time() + 7200) * 1000)
        self.call("Events/CreateEventSession", session={
            "tournamentId": self.id, "name": "Afternoon", "firstTarget": 1, "lastTarget": 4, "archersPerTarget": 4,
            "startsAtMs": str(later)})  # fmt: skip
        stage = self.bracket()
        page = self.show("?screen")
        expect(page.locator("#next-up")).to_contain_text("Next: Afternoon,")
        sooner = int((time.time() + 3600) * 1000)
        self.call("Elimination/PlaceMatches", stageId=stage["stage"]["id"], roundSize=4, firstTarget=1,
                  targetsPerMatch=2, startsAtMs=str(sooner))  # fmt: skip
        page.reload()
        expect(page.locator("#next-up")).to_contain_text("Next: Recurve, best 4, Semi-finals,")

    def test_a_new_bracket_appears_among_the_views(self) -> None:
        page = self.show()
        expect(page.locator("#view option", has_text="best")).to_have_count(0)
        self.bracket()
        expect(page.locator("#view option", has_text="best")).to_have_text(["Recurve, best 4", "Recurve, best 4: final ranks"])

    def test_names_are_whole_on_a_small_phone(self) -> None:
        self.start()
        page = self.show()
        page.set_viewport_size({"width": 320, "height": 640})
        for name in self.shown():
            cell = page.locator("#rows .name").filter(has_text=name)
            sizes = cell.evaluate("(cell) => [cell.scrollWidth, cell.clientWidth, cell.scrollHeight, cell.clientHeight]")
            self.assertLessEqual(sizes[0], sizes[1], name)
            self.assertLessEqual(sizes[2], sizes[3], name)
        for word in ("Anna Archer", "Κλεοπάτρα Παπαδοπούλου"):
            cell = page.locator("#rows .who", has_text=word)
            height = cell.evaluate("(name) => [name.getClientRects().length]")
            self.assertLessEqual(height[0], 2, word)

    def test_nothing_moves_for_those_who_asked_for_it(self) -> None:
        self.start()
        page = self.new_page(reduced_motion="reduce")
        self.page = page
        self.show()
        self.end("Dora", 9, 9, 9)
        self.end("Anna Archer", 10, 10, 10)
        expect(page.locator("#rows td.down").first).to_be_visible()
        names = page.evaluate("() => document.getAnimations().length")
        self.assertEqual(names, 0)

    def test_one_row_is_reached_by_the_tabulator(self) -> None:
        page = self.show()
        expect(page.locator("#rows tr[tabindex='0']")).to_have_count(1)
        page.locator("#rows tr").first.focus()
        page.keyboard.press("End")
        expect(page.locator("#rows tr").last).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.locator("#print")).to_be_focused()
        page.keyboard.press("Shift+Tab")
        expect(page.locator("#rows tr").last).to_be_focused()

    def views(self) -> dict[str, str]:
        stage = self.call("Elimination/ListStages", tournamentId=self.id)["stages"][0]["id"]
        return {"category": f"c:{self.categories['RM']}", "all": "a", "clubs": "clubs", "club": "club:Loxley",
                "targets": f"s:{self.session}", "schedule": "plan", "teams": f"t:{self.categories['RM']}:club", "matches": f"m:{stage}"}  # fmt: skip

    def check(self, page: Page, name: str, form: str) -> None:
        self.assertEqual(kit.look(page, f"board-{name}", form), "")

    def test_axe_finds_nothing_in_any_view_and_all_fit_their_screens(self) -> None:
        stage = self.bracket()
        self.call("Elimination/PlaceMatches", stageId=stage["stage"]["id"], roundSize=4, firstTarget=1, targetsPerMatch=1,
                  startsAtMs=str(int((time.time() + 3600) * 1000)))  # fmt: skip
        self.shoot_set(stage["matches"][0]["id"], 0, [10, 10, 9], [9, 9, 9])
        self.call("Events/SendEventNotice", tournamentId=self.id, text="Medals at five", isPublic=True)
        self.call("Events/PauseShooting", tournamentId=self.id, reason="lightning")
        for width, height, scheme in ((320, 568, "dark"), (390, 844, "light"), (1280, 720, "light"), (1280, 720, "dark")):
            page = self.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
            self.page = page
            for name, view in self.views().items():
                self.show(f"?view={view}")
                first = {"clubs": "#clubs button", "teams": "#teams tr", "schedule": "#teams tr", "matches": ".match"}.get(name, "#rows tr")
                expect(page.locator(first).first).to_be_visible()
                if name in ("category", "all", "club", "targets"):
                    expect(page.locator("#rows .more").first).not_to_be_empty()
                self.check(page, name, f"{width}-{scheme}")
                if name == "matches":
                    page.locator(".match").first.click()
                    expect(page.locator("dialog .cards tbody tr")).to_have_count(1)
                    self.check(page, "match", f"{width}-{scheme}")
                    page.keyboard.press("Escape")
            page.get_by_role("button", name="Share").click()
            self.check(page, "share", f"{width}-{scheme}")
            page.close()
        for width, height in ((1280, 720), (1920, 1080)):
            page = self.new_page(viewport={"width": width, "height": height}, color_scheme="dark")
            self.page = page
            self.show("?screen")
            expect(page.locator("#rows tr").first).to_be_visible()
            self.check(page, "projector", f"{width}-dark")
            self.show(f"?screen&view={self.views()['matches']}")
            expect(page.locator(".match:visible").first).to_be_visible()
            self.check(page, "projector-matches", f"{width}-dark")

    def test_every_view_speaks_four_languages(self) -> None:
        self.bracket()
        for name, view in self.views().items():
            seen = set()
            for language in LANGUAGES:
                page = self.show_in(language, view)
                texts = page.locator("body").inner_text()
                self.assertNotRegex(texts, r"undefined|\{\w+\}", f"{name} {language}")
                seen.add(page.locator(".tools").inner_text())
                title = page.locator("#state").inner_text()
                self.assertTrue(title)
            self.assertEqual(len(seen), 4, name)

    def show_in(self, language: str, view: str) -> Page:
        self.page.goto(self.address(f"?view={view}&lang={language}"))
        expect(self.page.locator("#state.live")).to_be_visible()
        return self.page


if __name__ == "__main__":
    kit.main()
