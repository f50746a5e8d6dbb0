"""Another desk changes what this one shows, after this one has read it and before its call arrives: nothing is overwritten unseen."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable
from typing import Any

from desk_test import ARCHERS, Desk, DeskRunning
from playwright.sync_api import Route

BOTH = "dialog h2:has-text('Somebody else has changed this')"
TOLD = "Somebody else has changed this meanwhile. Nothing was done"


class TwoDesksTest(DeskRunning):
    def setUp(self) -> None:
        super().setUp()
        self.one = self.desk(self.invite())
        self.create(self.one, "Two", "wa18")
        self.enter(self.one)
        self.event = self.one.event
        self.token = str(self.one.page.evaluate("localStorage.getItem('quiver.desk.token')"))

    def api(self, method: str, /, token: str = "", **request: Any) -> Any:
        """A call of another desk of the same organiser, or of who has a token."""
        fields = {"content-type": "application/json", "authorization": f"Bearer {token or self.token}"}
        asked = urllib.request.Request(f"{self.origin}/quiver.v1.{method}", json.dumps(request).encode(), fields)
        with urllib.request.urlopen(asked, timeout=60) as reply:
            return json.load(reply)

    def first(self, method: str, other: Callable[[], object]) -> None:
        """Lets another desk do something before the next call of a method by this one arrives."""

        def passed(route: Route) -> None:
            other()
            route.continue_()

        self.one.page.route(f"**/quiver.v1.{method}", passed, times=1)

    def entries(self, **more: Any) -> dict[str, dict[str, Any]]:
        """The entries by their names."""
        found = self.api("Events/ListEventEntries", tournamentId=self.event, pageSize=500, **more)
        return {entry["displayName"]: entry for entry in found["entries"]}

    def sees_both(self, *texts: str, takes_mine: bool = False) -> None:
        page = self.one.page
        page.wait_for_selector(BOTH)
        said = page.inner_text("dialog")
        for text in texts:
            self.assertIn(text, said)
        page.click("dialog button.main" if takes_mine else "dialog button:has-text('Cancel')")
        page.wait_for_selector("dialog", state="detached")

    def session(self) -> dict[str, Any]:
        return self.api("Events/ListEventSessions", tournamentId=self.event)["sessions"][0]  # type: ignore[no-any-return]

    def category(self, code: str = "RM") -> str:
        found = self.api("Events/ListEventCategories", tournamentId=self.event)["categories"]
        return next(str(one["id"]) for one in found if one["code"] == code)

    def edit(self, name: str) -> None:
        self.one.page.locator("main tbody tr", has_text=name).get_by_role("button", name="Edit…").click()
        self.one.page.wait_for_selector("dialog")

    def draw(self) -> None:
        self.one.view("Targets")
        self.one.press("Draw…")
        self.one.agree()
        self.one.said(f"{ARCHERS} archers were drawn.")

    def start(self) -> None:
        self.api("Tournament/StartTournament", id=self.event, anyway=True)

    def test_entries_and_their_states(self) -> None:
        one = self.one
        archer = self.entries()["Jörg A"]["participantId"]

        def update(**fields: Any) -> Callable[[], object]:
            return lambda: self.api("Events/UpdateEventEntry", entry={"participantId": archer, **fields}, updateMask=list(fields))

        for takes_mine in (False, True):
            self.edit("Jörg A")
            one.fill("Club", f"Mine {takes_mine}")
            self.first("Events/UpdateEventEntry", update(club=f"Theirs {takes_mine}"))
            one.page.click("dialog button.main")
            self.sees_both(f"Mine {takes_mine}", f"Theirs {takes_mine}", takes_mine=takes_mine)
            one.page.wait_for_selector(f"main td:text-is('{'Mine' if takes_mine else 'Theirs'} {takes_mine}')")
        self.assertEqual(self.entries()["Jörg A"]["club"], "Mine True")
        # What concerns another field stays, and nobody is asked.
        self.edit("Jörg A")
        one.fill("Club", "Both")
        self.first("Events/UpdateEventEntry", update(bib="77"))
        one.page.click("dialog button.main")
        one.said("Done.")
        found = self.entries()["Jörg A"]
        self.assertEqual((found["club"], found["bib"]), ("Both", "77"))

        def state(text: str) -> Callable[[], object]:
            return lambda: self.api("Events/SetEventEntryState", participantId=archer, state=f"EVENT_ENTRY_STATE_{text}")

        self.edit("Jörg A")
        one.page.select_option("dialog label:has(span:text-is('State')) >> select", label="did not start")
        self.first("Events/SetEventEntryState", state("CHECKED_IN"))
        one.page.click("dialog button.main")
        self.sees_both("here", "did not start")
        self.assertEqual(self.entries()["Jörg A"]["state"], "EVENT_ENTRY_STATE_CHECKED_IN")
        self.edit("Jörg A")
        one.page.select_option("dialog label:has(span:text-is('State')) >> select", label="withdrawn")
        one.page.click("dialog button.main")
        one.page.wait_for_selector("dialog label:has(span:text-is('Reason'))")
        one.fill("Reason", "hurt")
        self.first("Tournament/WithdrawParticipant", state("DID_NOT_START"))
        one.page.click("dialog button.main")
        self.sees_both("did not start", "withdrawn")
        self.assertEqual(self.entries()["Jörg A"]["state"], "EVENT_ENTRY_STATE_DID_NOT_START")
        # At check-in the state of the other desk is shown, too.
        archer = self.entries()["Jörg B"]["participantId"]
        one.view("Check-in")
        self.first("Events/SetEventEntryState", state("DID_NOT_START"))
        one.page.click("main tr:has(td:text-is('Jörg B')) >> button:text-is('Here')")
        self.sees_both("Jörg B", "did not start", "here")
        one.page.wait_for_selector("main tr:has(td:text-is('Jörg B')) >> td:text-is('did not start')")
        self.assertEqual(self.errors, [])

    def test_places_of_archers_and_draws(self) -> None:
        one = self.one
        self.draw()
        session = self.session()["id"]
        at = {f"{entry['target']}{entry['letter']}": entry for entry in self.entries().values()}
        free = [label.split(":")[0] for label in one.page.locator("button.place[aria-label$='free']").evaluate_all("(all) => all.map((one) => one.ariaLabel)")]
        places = sorted(at)

        def place(entry: dict[str, Any], to: str) -> Callable[[], object]:
            return lambda: self.api("Events/PlaceEventEntry", participantId=entry["participantId"], sessionId=session, target=int(to[:-1]), letter=to[-1])

        def hold(name: str) -> None:
            one.page.click(f"button.place[aria-label$=': {name}']")

        mover, other = at[places[0]], at[places[1]]
        # Who moves was moved by another desk; who would be swapped has left; who would lose its place has another one.
        hold(mover["displayName"])
        self.first("Events/PlaceEventEntry", place(mover, free[0]))
        one.page.click(f"button.place[aria-label='{free[1]}: free']")
        one.said(f"{mover['displayName']} is at {free[0]} now, from another desk. Nothing was changed.")
        hold(mover["displayName"])
        one.page.click(f"button.place[aria-label='{places[1]}: {other['displayName']}']")
        one.page.wait_for_selector("dialog h2:has-text('Swap two archers?')")
        self.first("Events/PlaceEventEntry", place(other, free[1]))
        one.page.click("dialog button.main")
        one.said(f"{places[1]} is free now, from another desk. Nothing was changed.")
        hold(other["displayName"])
        self.first("Events/PlaceEventEntry", place(other, places[1]))
        one.press("Take the place away")
        one.said(f"{other['displayName']} is at {places[1]} now, from another desk. Nothing was changed.")
        # What concerns no place stays, and nobody is asked.
        hold(other["displayName"])
        self.first("Events/PlaceEventEntry", lambda: self.api("Events/UpdateEventEntry", entry={"participantId": other["participantId"], "club": "New"}, updateMask=["club"]))
        one.page.click(f"button.place[aria-label='{free[1]}: free']")
        one.said(f"{other['displayName']} is at {free[1]}.")
        before = {name: (entry["target"], entry["letter"]) for name, entry in self.entries().items()}
        # A draw takes no place of which nobody knew.
        one.press("Draw…")
        one.page.check("dialog label:has(span:text-is('Draw archers with a place again')) >> input")
        self.first("Events/DrawTargets", place(mover, places[0]))
        one.page.click("dialog button.main")
        self.sees_both(mover["displayName"], places[0])
        before[mover["displayName"]] = (int(places[0][:-1]), places[0][-1])
        self.assertEqual({name: (entry["target"], entry["letter"]) for name, entry in self.entries().items()}, before)
        # Blocked places of another desk are no less.
        one.press("Blocked places and wheelchairs…")
        one.fill("Blocked places", free[-1])
        self.first("Events/SetSessionPlaces", lambda: self.api("Events/SetSessionPlaces", tournamentId=self.event, sessionId=session, blockedPlaces=[free[-2]]))
        one.page.click("dialog button.main")
        self.sees_both(free[-2], free[-1])
        self.assertEqual(self.session()["blockedPlaces"], [free[-2]])
        self.assertEqual(self.errors, [])

    def test_the_event_itself(self) -> None:
        one = self.one

        def update(**fields: Any) -> Callable[[], object]:
            def done() -> object:
                event = self.api("Tournament/GetTournament", id=self.event)
                names = [re.sub("[A-Z]", lambda one: "_" + one[0].lower(), key) for key in fields]
                return self.api("Tournament/UpdateTournament", tournament={"id": self.event, "revision": event["revision"], **fields}, updateMask=names)

            return done

        def edit() -> None:
            one.press("Edit the event…")
            one.page.wait_for_selector("dialog")

        one.view("Overview", "The day")
        for takes_mine in (False, True):
            edit()
            one.fill("Name", f"Mine {takes_mine}")
            self.first("Tournament/UpdateTournament", update(name=f"Theirs {takes_mine}"))
            one.page.click("dialog button.main")
            self.sees_both(f"Mine {takes_mine}", f"Theirs {takes_mine}", takes_mine=takes_mine)
            one.page.wait_for_selector(f"#state:has-text('{'Done.' if takes_mine else ''}')", state="attached")
            self.assertEqual(self.api("Tournament/GetTournament", id=self.event)["name"], f"{'Mine' if takes_mine else 'Theirs'} {takes_mine}")
        # What concerns another field stays, and nobody is asked; every control reaches the server.
        edit()
        dialog = "dialog label:has(span:text-is('{}')) >> {}"
        for label in ("Everybody may watch", "In the list of events", "Everybody with an account may join", "Who scores an archer types its paper"):
            one.page.check(dialog.format(label, "input"))
        one.page.select_option(dialog.format("Names on boards", "select"), label="initials")
        one.page.select_option(dialog.format("Names of under 18 on boards", "select"), label="bibs")
        one.page.select_option(dialog.format("A correction of a full end needs", "select"), label="an organiser or a judge")
        one.fill("Last day of boards", "2027-01-31")
        self.first("Tournament/UpdateTournament", update(name="Renamed"))
        one.page.click("dialog button.main")
        one.said("Done.")
        found = self.api("Tournament/GetTournament", id=self.event)
        wanted = {"name": "Renamed", "watchable": True, "listed": True, "joinable": True, "publicNames": "PUBLIC_NAME_INITIALS", "juniorNames": "PUBLIC_NAME_BIB",
                  "lastBoardDay": 20849, "correctionConsent": "CORRECTION_CONSENT_JUDGE", "scorersTypePapers": True}  # fmt: skip
        self.assertEqual({key: found.get(key) for key in wanted}, wanted)
        # The dialog shows what is stored, and sends nothing where nothing was changed.
        edit()
        self.assertEqual(one.page.input_value(dialog.format("Last day of boards", "input")), "2027-01-31")
        self.assertEqual(one.page.input_value(dialog.format("Names of under 18 on boards", "select")), "PUBLIC_NAME_BIB")
        one.page.click("dialog button.main")
        one.page.wait_for_selector("dialog", state="detached")
        self.assertEqual(self.api("Tournament/GetTournament", id=self.event)["revision"], found["revision"])
        self.assertEqual(self.errors, [])

    def test_the_structure_the_codes_and_the_officials(self) -> None:
        one = self.one
        one.view("Categories and sessions", "Categories")
        unused = next(code for code in ("BM", "BW", "CM", "RW") if one.page.locator(f"main tr:has(th:text-is('{code}')) >> button:has-text('Delete…')").count())
        category = self.category(unused)

        def renamed() -> None:
            found = next(one for one in self.api("Events/ListEventCategories", tournamentId=self.event)["categories"] if one["id"] == category)
            self.api("Events/UpdateEventCategory", category=found | {"name": "From the other desk"})

        one.page.click(f"main tr:has(th:text-is('{unused}')) >> button:has-text('Delete…')")
        self.first("Events/DeleteEventCategory", renamed)
        one.page.click("dialog button.main")
        one.said(TOLD)
        one.page.wait_for_selector("main td:text-is('From the other desk')")
        # New codes of another desk, which has printed them, do not end.
        one.view("Line")
        one.press("Demand codes…")
        one.agree()
        one.page.wait_for_selector("main button:has-text('New codes…')")
        one.press("New codes…")
        self.first("Events/SetEventLeases", lambda: self.api("Events/SetEventLeases", tournamentId=self.event, demanded=True, newCodes=True))
        one.page.click("dialog button.main")
        one.said(TOLD)
        code = self.api("Events/CreateOfficialCode", tournamentId=self.event, role="EVENT_ROLE_JUDGE", displayName="Judge Judy")
        one.view("Officials")
        one.page.click("main tr:has-text('Judge Judy') >> button:has-text('Remove…')")
        self.first("Events/RemoveEventOfficial", lambda: self.api(
            "Events/SetEventOfficial", tournamentId=self.event, principalId=code["official"]["principalId"], role="EVENT_ROLE_CHECK_IN"))  # fmt: skip
        one.page.click("dialog button.main")
        one.said(TOLD)
        one.page.wait_for_selector("main tr:has-text('Judge Judy') >> td:text-is('check-in helper')")
        # Who shows a code has got a role from another desk meanwhile.
        person = self.running.call("Admin/CreatePrincipal", kind="PRINCIPAL_KIND_USER", displayName="Tuck")
        own = self.running.call("Admin/CreateToken", principalId=person["id"], label="phone")["secret"]
        shown = self.api("Account/GetIntroductionCode", token=own)["code"]
        one.press("Appoint…")
        one.page.fill("dialog input >> nth=0", shown)
        self.first("Events/SetEventOfficial", lambda: self.api("Events/SetEventOfficial", tournamentId=self.event, principalCode=shown, role="EVENT_ROLE_RESULTS"))
        one.page.click("dialog button.main")
        one.said("has a role already")
        one.page.wait_for_selector("main tr:has-text('Tuck') >> td:text-is('results')")
        self.assertEqual(self.errors, [])

    def test_the_steps_of_the_day(self) -> None:
        one = self.one
        self.start()
        one.view("Overview", "The day")
        pause = {"tournamentId": self.event, "reason": "archer on the line"}
        self.api("Events/PauseShooting", **pause)
        one.page.reload()
        one.page.wait_for_selector("main button:has-text('Go on shooting')")

        def another() -> None:
            self.api("Events/ResumeShooting", tournamentId=self.event)
            self.api("Events/PauseShooting", tournamentId=self.event, reason="lightning")

        # A pause that began meanwhile, for another reason, goes on.
        self.first("Events/ResumeShooting", another)
        one.press("Go on shooting")
        one.said(TOLD)
        one.page.wait_for_selector("main td:text-is('lightning')")
        self.assertEqual(self.api("Tournament/GetTournament", id=self.event)["shootingPause"]["reason"], "lightning")
        # Another desk has stopped the arrows: this one finalises nothing that it has not seen so.
        one.press("Finalise…")
        self.first("Tournament/FinaliseTournament", lambda: self.api("Tournament/PauseTournament", id=self.event))
        one.page.click("dialog button.main")
        one.said(TOLD)
        one.page.wait_for_selector("main button:has-text('Accept arrows again')")
        self.assertEqual(self.api("Tournament/GetTournament", id=self.event)["status"], "TOURNAMENT_STATUS_IN_PROGRESS")
        self.assertEqual(self.errors, [])

    def test_papers_ties_and_matches(self) -> None:
        one = self.one
        self.start()
        category = self.category()
        archers = [entry for entry in self.entries().values() if entry["categoryId"] == category][:4]
        for entry in archers:
            self.api("Events/SetTypedTotal", participantId=entry["participantId"], sums={"total": 500, "hits": 60, "golds": 10, "xCount": 5})
        for entry in self.entries().values():
            if entry["categoryId"] == category and entry["participantId"] not in [one["participantId"] for one in archers]:
                self.api("Events/SetEventEntryState", participantId=entry["participantId"], state="EVENT_ENTRY_STATE_DID_NOT_START")
        ids = [entry["participantId"] for entry in archers]
        one.view("Standings")
        one.page.select_option("main select", value=category)
        one.page.click(f"main tr:has(td:text-is('{archers[0]['displayName']}')) >> button:has-text('Card…')")
        one.page.wait_for_selector("dialog")
        one.fill("Total on paper", "499")
        self.first("Events/SetPaperTotal", lambda: self.api("Events/SetPaperTotal", participantId=ids[0], total=498))
        one.page.click("dialog button.main")
        self.sees_both("498", "499")
        self.assertEqual(self.api("Events/GetComparedCard", participantId=ids[0])["summary"]["paperTotal"], 498)
        # The order of a tie.
        one.press("Decide the tie…")
        self.first("Elimination/DecideTie", lambda: self.api(
            "Elimination/DecideTie", tournamentId=self.event, categoryId=category, participantIds=ids[::-1], decision="TIE_DECISION_COIN_TOSS"))  # fmt: skip
        one.page.click("dialog button.main")
        self.sees_both(", ".join(entry["displayName"] for entry in archers[::-1]))
        names = [row["row"]["displayName"] for row in self.api("Events/GetCategoryStandings", tournamentId=self.event, categoryId=category)["rows"]]
        self.assertEqual(names[:4], [entry["displayName"] for entry in archers[::-1]])
        # Targets of matches.
        stage = self.api("Elimination/CutCategory", tournamentId=self.event, categoryId=category, size=4, system="MATCH_SYSTEM_INDIVIDUAL_SETS")["stage"]["id"]

        def place(target: int) -> Any:
            return self.api("Elimination/PlaceMatches", stageId=stage, roundSize=4, firstTarget=target, targetsPerMatch=1)

        one.view("Matches")
        one.page.wait_for_selector("main button:has-text('Place a round on targets…')")
        one.press("Place a round on targets…")
        one.page.select_option("dialog select >> nth=0", value="4")
        self.first("Elimination/PlaceMatches", lambda: place(3))
        one.page.click("dialog button.main")
        self.sees_both("3/3, 4/4", "First target 1")
        bracket = self.api("Elimination/GetBracket", stageId=stage)
        self.assertEqual([match["sides"][0]["target"] for match in bracket["matches"] if match["roundSize"] == 4], [3, 4])
        # A cut of which another desk has placed a round, and a match of which it has ended one side.
        one.view("Matches")
        one.page.wait_for_selector("main td:has-text('Target 3')")
        one.press("Delete the cut…")
        self.first("Elimination/DeleteStage", lambda: place(5))
        one.page.click("dialog button.main")
        one.said(TOLD)
        match = next(match for match in bracket["matches"] if match["roundSize"] == 4)
        one.page.wait_for_selector("main td:has-text('Target 5')")
        one.page.click(f"main tr:has-text({match['sides'][0]['displayName']!r}) >> button:has-text('Open…')")
        one.page.wait_for_selector("dialog")
        one.page.select_option("dialog select", value="forfeit1")
        one.fill("Reason", "mine")
        self.first("Elimination/ForfeitMatch", lambda: self.api("Elimination/ForfeitMatch", matchId=match["id"], side=2, reason="theirs"))
        one.page.click("dialog button.main")
        one.said(TOLD)
        now = self.api("Elimination/GetMatch", matchId=match["id"])
        self.assertEqual([bool(side.get("forfeited")) for side in now["sides"]], [False, True])
        self.assertEqual(self.errors, [])
