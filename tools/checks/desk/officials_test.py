"""Judges and helpers at check-in with pages of their own, beside the desk, in Chromium.

QUIVER_SCREENS=FOLDER stores pictures of the screens there."""

from __future__ import annotations

from typing import Any

import kit
from desk_test import DeskRunning
from kit import identity
from playwright.sync_api import Page, Route, expect

LANGUAGES = ("en", "de", "fr", "it")


class OfficialsTest(DeskRunning):

    def setUp(self) -> None:
        super().setUp()
        self.office = self.desk(self.invite())
        self.create(self.office, "Winter", "frostbite")
        self.office.page.wait_for_selector("h2:has-text(\"The day\")")
        self.event = self.office.event
        categories = self.office.call("Events/ListEventCategories", {"tournamentId": self.event})["categories"]
        session = self.office.call("Events/ListEventSessions", {"tournamentId": self.event})["sessions"][0]["id"]
        self.session = session
        self.entries = self.office.call("Events/ImportEventEntries", {"tournamentId": self.event, "entries": [
            {"name": name, "bib": str(number), "club": "Grüt", "categoryCode": categories[0]["code"], "sessionId": session}
            for number, name in enumerate(["Anna", "Benedikt Bogenschütz-Hohenfels", "كريم عبد الله", "Dora"], 1)]})["entries"]  # fmt: skip
        self.office.call("Events/DrawTargets", {"tournamentId": self.event, "sessionId": session, "method": "DRAW_METHOD_RANKING"})

    def tearDown(self) -> None:
        self.assertEqual(self.errors, [], "a page threw errors")

    def official(self, path: str, name: str, **options: Any) -> Page:
        """A person with a phone of its own, signed in, who waits to be appointed."""
        given = {"viewport": {"width": 390, "height": 844}, "locale": "en-GB"} | options
        page = self.context(**given).new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        code = self.invite()
        page.goto(f"{self.origin}/{path}#{code}")
        expect(page.locator("input").first).to_have_value(code)
        self.assertNotIn(code.lower(), page.url.lower())
        page.get_by_label("Your name").fill(name)
        page.locator("button.main").click()
        expect(page.get_by_text("Show this to the organiser")).to_be_visible()
        return page

    def appoint(self, page: Page, role: str) -> None:
        """The organiser types the code that the phone shows."""
        desk = self.office
        desk.view("Officials")
        desk.press("Appoint…")
        desk.page.get_by_label("Code that its phone shows").fill(page.locator(".show").inner_text())
        desk.page.locator("dialog select").select_option(label=role)
        desk.agree()

    def phone_calls(self, target: int, kind: str, **more: Any) -> None:
        self.office.call("Events/RaiseTargetCall", {
            "tournamentId": self.event, "sessionId": self.session, "target": target, "kind": f"TARGET_CALL_KIND_{kind}", **more})  # fmt: skip

    def record(self, number: int, *values: int) -> None:
        operations = [{"kind": "OPERATION_KIND_RECORD", "participantId": self.entries[number]["participantId"], "endIndex": 0,
                       "arrowIndex": index, "value": value} for index, value in enumerate(values)]  # fmt: skip
        self.office.call("Tournament/RecordEnd", {"operations": operations})

    def check(self, page: Page, name: str, form: str) -> None:
        self.assertEqual(kit.look(page, name, form), "")

    def test_a_judge_answers_calls_and_rules(self) -> None:
        page = self.official("judge", "Judge Judy")
        self.appoint(page, "judge")
        self.office.said("Judge Judy is judge.")
        expect(page.get_by_text("Nobody calls.")).to_be_visible()
        self.office.call("Tournament/StartTournament", {"id": self.event, "anyway": True})

        self.phone_calls(1, "UNDECIDED_ARROW", participantId=self.entries[0]["participantId"])
        card = page.locator("section.card").first
        expect(card.locator("h3")).to_have_text("Target 1: undecided arrow")
        self.assertTrue(page.title().startswith("(1) "))
        card.get_by_role("button").click()
        page.get_by_role("button", name="The higher value counts.").click()
        page.locator("dialog button.main").click()
        expect(page.locator("#state")).to_have_text("Decided.")
        expect(page.get_by_text("Nobody calls.")).to_be_visible()
        calls = self.office.call("Events/ListTargetCalls", {"tournamentId": self.event, "includeResolved": True})["calls"]
        self.assertEqual([(one["decision"], one["resolvedBy"]) for one in calls], [("The higher value counts.", "Judge Judy")])

        # Two cards differ, and the judge rules.
        values = [10, 9, 9, 8, 8, 7]
        self.record(0, *values)
        operation = {"clientId": identity(), "participantId": self.entries[0]["participantId"], "endIndex": 0,
                     "arrows": [{"value": value} for value in [10, 10, *values[2:]]]}  # fmt: skip
        self.office.call("Events/ApplyCardOperations", {"operations": [operation]})
        page.get_by_role("button", name="Disputes").click()
        page.get_by_role("button", name="The second counts…").click()
        page.locator("dialog input").last.fill("seen on the target")
        page.locator("dialog button.main").click()
        expect(page.get_by_text("No two cards differ.")).to_be_visible()
        total = self.office.call("Events/GetComparedCard", {"participantId": self.entries[0]["participantId"]})["total"]
        self.assertEqual(total, sum(values) + 1)

        page.get_by_role("button", name="Archers").click()
        page.get_by_label("Bib or name").fill("Dora")
        page.get_by_role("button", name="Dora").click()
        page.get_by_role("button", name="Disqualify…").click()
        page.locator("dialog input").fill("equipment")
        page.locator("dialog button.main").click()
        expect(page.locator("#state")).to_have_text("Dora is noted.")
        entry = self.office.call("Events/ListEventEntries", {"tournamentId": self.event, "pageSize": 50})["entries"][3]
        self.assertEqual(entry["state"], "EVENT_ENTRY_STATE_DISQUALIFIED")

        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Pause the shooting…").click()
        page.locator("dialog input").fill("lightning")
        page.locator("dialog button.main").click()
        expect(page.get_by_text("Shooting is paused: lightning")).to_be_visible()
        page.get_by_role("button", name="Go on shooting").click()
        expect(page.get_by_text("Shooting is paused: lightning")).to_have_count(0)

    def give(self, name: str, role: str) -> str:
        """The organiser gives somebody a code, which the desk shows once."""
        desk = self.office
        desk.view("Officials")
        desk.press("Give a code…")
        desk.fill("Name", name)
        desk.page.locator("dialog select").select_option(label=role)
        desk.agree()
        desk.page.wait_for_selector(f"dialog h2:has-text('Code of {name}')")
        code = desk.page.locator("dialog code").inner_text()
        self.assertIn(f"#{code}", desk.page.locator("dialog small").inner_text())
        desk.page.keyboard.press("Escape")
        row = desk.page.locator("main tbody tr", has_text=name)
        expect(row).to_contain_text("not yet; the code works until")
        return code

    def test_who_got_a_code_signs_in_for_this_event_until_it_is_removed(self) -> None:
        code = self.give("Helper Hans", "check-in helper")
        page = self.context(viewport={"width": 390, "height": 844}).new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        lost = []

        def lose(route: Route) -> None:
            # The server has it; the reply is lost.
            route.fetch()
            lost.append(route.request.post_data_json)
            route.abort()

        page.route("**/quiver.v1.Events/SignInOfficial", lose, times=1)
        page.goto(f"{self.origin}/check-in#{code}")
        expect(page.locator("input").first).to_have_value(code)
        self.assertNotIn(code.lower(), page.url.lower())
        expect(page.get_by_label("Your name")).to_be_hidden()
        self.assertEqual(kit.violations(page), [])
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator("#state.bad")).not_to_be_empty()
        self.assertEqual(len(lost), 1)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_label("Bib or name")).to_be_visible()
        page.get_by_label("Bib or name").fill("2")
        page.keyboard.press("Enter")
        expect(page.locator("#state")).to_contain_text("is here")
        self.office.view("Overview", "The day")
        self.office.view("Officials")
        expect(self.office.page.locator("main tbody tr", has_text="Helper Hans")).not_to_contain_text("not yet")

        # The code was used.
        other = self.context().new_page()
        other.goto(f"{self.origin}/check-in#{code}")
        other.get_by_role("button", name="Sign in").click()
        expect(other.locator("#state")).to_contain_text("no official has this code, or it was used")

        # An organiser of this event has this event alone.
        code = self.give("Olga", "organiser")
        page_of_olga = self.context().new_page()
        page_of_olga.on("pageerror", lambda error: self.errors.append(str(error)))
        page_of_olga.goto(f"{self.origin}/desk#{code}")
        page_of_olga.get_by_role("link", name="Winter").click()
        expect(page_of_olga.locator("h2", has_text="The day")).to_be_visible()
        page_of_olga.goto(f"{self.origin}/desk#/")
        expect(page_of_olga.get_by_role("button", name="Sign out")).to_be_visible()
        expect(page_of_olga.get_by_role("button", name="New event…")).to_have_count(0)
        expect(page_of_olga.locator("main tbody tr")).to_have_count(1)

        self.office.view("Overview", "The day")
        self.office.view("Officials")
        self.office.page.locator("main tbody tr", has_text="Helper Hans").get_by_role("button").click()
        self.office.agree()
        page.reload()
        expect(page.locator("#state")).to_have_text("Your sign-in has ended. Open a new link of the desk.")
        expect(page.get_by_role("button", name="Sign in")).to_be_visible()

    def test_a_helper_checks_in_and_may_do_nothing_else(self) -> None:
        page = self.official("check-in", "Helga")
        self.appoint(page, "check-in helper")
        expect(page.get_by_text("0 of 4 are here")).to_be_visible()
        page.get_by_label("Bib or name").fill("1")
        page.get_by_label("Bib or name").press("Enter")
        expect(page.locator("#state")).to_have_text("Anna is here.")
        # Who is noted by somebody else appears here too.
        self.office.call("Events/SetEventEntryState", {
            "participantId": self.entries[3]["participantId"], "state": "EVENT_ENTRY_STATE_CHECKED_IN"})  # fmt: skip
        expect(page.get_by_text("2 of 4 are here")).to_be_visible()
        # The page of judges is not for this person.
        page.goto(f"{self.origin}/judge")
        expect(page.get_by_text("Show this to the organiser")).to_be_visible()
        page.goto(f"{self.origin}/check-in")
        expect(page.get_by_text("2 of 4 are here")).to_be_visible()
        # Once the organiser removes the helper, nothing can be noted any more.
        desk = self.office
        desk.view("Officials")
        desk.press("Remove…")
        desk.agree()
        expect(desk.page.get_by_text("Nothing here yet.")).to_be_visible()
        page.get_by_role("button", name="Not here: Anna").click()
        expect(page.locator("#state")).to_have_class("bad")
        states = [one["state"] for one in desk.call("Events/ListEventEntries", {"tournamentId": self.event, "pageSize": 50})["entries"]]
        self.assertEqual(states[0], "EVENT_ENTRY_STATE_CHECKED_IN")

    def test_a_judge_does_nothing_of_an_organiser(self) -> None:
        page = self.official("judge", "Judge Judy")
        self.appoint(page, "judge")
        expect(page.get_by_text("Nobody calls.")).to_be_visible()
        self.office.call("Tournament/StartTournament", {"id": self.event, "anyway": True})
        token = page.evaluate("localStorage.getItem('quiver.official.token')")
        category = self.office.call("Events/ListEventCategories", {"tournamentId": self.event})["categories"][0]
        acts: dict[str, dict[str, Any]] = {
            "Tournament/FinaliseTournament": {"id": self.event, "anyway": True}, "Tournament/CancelTournament": {"id": self.event, "reason": "x"},
            "Tournament/PauseTournament": {"id": self.event}, "Tournament/DeleteTournament": {"id": self.event},
            "Events/CreateEventCategory": {"category": {"tournamentId": self.event, "code": "ZZ"}},
            "Events/UpdateEventCategory": {"category": {**category, "name": "Mine"}},
            "Events/ImportEventEntries": {"tournamentId": self.event, "entries": [{"name": "Zoë", "categoryCode": category["code"]}]},
            "Events/DrawTargets": {"tournamentId": self.event, "sessionId": self.session, "method": "DRAW_METHOD_RANDOM", "redraw": True},
            "Events/SetEventLeases": {"tournamentId": self.event, "demanded": True},
            "Events/CreatePlateCodes": {"tournamentId": self.event},
            "Events/RemoveEventOfficial": {"tournamentId": self.event, "principalId": "1"},
            "Elimination/CutCategory": {"tournamentId": self.event, "categoryId": category["id"], "size": 2, "system": "MATCH_SYSTEM_INDIVIDUAL_SETS"},
        }  # fmt: skip
        before = self.seen()
        for method, request in acts.items():
            reply = page.request.post(f"{self.origin}/quiver.v1.{method}", data=request, headers={"authorization": f"Bearer {token}"})
            self.assertEqual((method, reply.json().get("code")), (method, "permission_denied"))
        # The desk says so, too.
        desk = self.context(viewport={"width": 1100, "height": 900}).new_page()
        desk.goto(f"{self.origin}/desk")
        desk.evaluate("(token) => localStorage.setItem('quiver.desk.token', token)", token)
        desk.goto(f"{self.origin}/desk#/{self.event}/overview")
        desk.reload()
        desk.get_by_role("button", name="Finalise…").click()
        desk.locator("dialog button.main").click()
        expect(desk.locator("#state.bad")).to_contain_text("Your role does not permit this")
        self.assertEqual(self.seen(), before)

    def seen(self) -> list[Any]:
        """What an organiser could change."""
        call, of = self.office.call, {"tournamentId": self.event}
        return [call("Tournament/GetTournament", {"id": self.event})["status"], call("Events/ListEventCategories", of),
                call("Events/ListEventEntries", of | {"pageSize": 50}), call("Events/ListEventOfficials", of),
                call("Events/ListTargetLeases", of).get("demanded"), call("Elimination/ListStages", of)]  # fmt: skip

    def test_a_lost_connection_is_told_and_a_wrong_code_is_answered(self) -> None:
        page = self.official("judge", "Judge Judy")
        self.appoint(page, "judge")
        expect(page.get_by_text("Nobody calls.")).to_be_visible()
        page.context.set_offline(True)
        expect(page.locator("#state")).to_contain_text("Not connected since")
        self.phone_calls(2, "HELP")
        page.context.set_offline(False)
        expect(page.locator("section.card h3")).to_have_text("Target 2: needs help")
        expect(page.locator("#state")).to_have_text("Connected.")
        other = self.context().new_page()
        other.goto(f"{self.origin}/judge#0000-0000-0000-0000")
        other.get_by_label("Your name").fill("Nobody")
        other.locator("button.main").click()
        expect(other.locator("#state")).to_have_class("bad")
        expect(other.get_by_label("Code")).to_be_visible()

    def test_the_pages_fit_small_phones_speak_four_languages_and_axe_finds_nothing(self) -> None:
        self.office.call("Tournament/StartTournament", {"id": self.event, "anyway": True})
        for width, scheme in ((320, "dark"), (390, "light"), (1280, "light")):
            form = f"{width}-{scheme}"
            page = self.official("judge", f"Judy {form}", viewport={"width": width, "height": 720}, color_scheme=scheme)
            self.check(page, "judge-introduced", form)
            self.appoint(page, "judge")
            expect(page.get_by_role("button", name="Archers")).to_be_visible()
            if width == 320:
                self.phone_calls(1, "EQUIPMENT_FAILURE", participantId=self.entries[1]["participantId"], owedArrows=2, text="limb broke")
            expect(page.locator("section.card h3")).to_have_text("Target 1: equipment failure")
            self.check(page, "judge-calls", form)
            page.locator("section.card button").click()
            self.check(page, "judge-decide", form)
            page.keyboard.press("Escape")
            page.get_by_role("button", name="Archers").click()
            page.get_by_label("Bib or name").fill("Benedikt")
            page.get_by_role("button", name="Benedikt").click()
            expect(page.get_by_role("button", name="Disqualify…")).to_be_visible()
            self.check(page, "judge-archer", form)
            page.get_by_role("button", name="More").click()
            expect(page.get_by_role("button", name="Send a notice…")).to_be_visible()
            self.check(page, "judge-more", form)
            page.goto(f"{self.origin}/check-in")
            expect(page.get_by_text("of 4 are here")).to_be_visible()
            self.check(page, "check-in", form)
            for language in LANGUAGES:
                page.locator("#language").select_option(language)
                expect(page.locator("html")).to_have_attribute("lang", language)
                expect(page.locator("input.big")).to_be_visible()
                self.assertNotRegex(page.locator("body").inner_text(), r"undefined|\{\w+\}")
            page.locator("#language").select_option("en")
            desk = self.office
            desk.view("Officials")
            desk.page.set_viewport_size({"width": width, "height": 720})
            desk.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            self.check(desk.page, "desk-officials", form)
            desk.press("Remove…")
            desk.agree()


if __name__ == "__main__":
    kit.main()
