"""The score page in Chromium against a real gateway and server, in an insecure context as on the LAN of a club."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

from playwright.sync_api import BrowserContext, expect

import kit
from phones import ARGUMENTS, CHROMIUM, HOST, MILLISECONDS, PROGRAMS, Event, PageTest, Phone, Running, bring_module, processes_of, wait_until

NAMES = ["Anna Archer", "Benedikt Bogenschütz-Hohenfels", "كريم عبد الله", "Dora"]


def clock_ahead(seconds: int) -> str:
    """A script that sets the clock of a page."""
    return f"""{{ const now = Date.now; const Real = Date; Date.now = () => now() + {seconds * 1000};
      window.Date = class extends Real {{
        constructor(...values) {{ super(...(values.length > 0 ? values : [Real.now()])); }}
      }}; window.Date.now = Real.now; }}"""


class ScoreTest(PageTest):
    def test_a_phone_joins_by_a_code_and_scores_an_end(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7])
        phone.expect_text("Who shoots here")
        # History keeps fragments: the code is gone from it.
        self.assertEqual(phone.page.evaluate("[location.hash, history.length, isSecureContext]"), ["", 2, False])
        phone.start()
        phone.enter("X", "9", "8", "10", "10", "7", "6", "5", "M", "4", "3")
        expect(phone.page.locator(".row.next .who > bdi")).to_have_text("Dora")
        phone.enter("2")
        expect(phone.page.locator(".row").first.locator(".arrow")).to_have_text(["X", "9", "8"])
        phone.agree()
        phone.expect_text("End 2 of 2")
        phone.expect_saved()
        self.expect_stored_once(event, dict(zip(event.archers, [
            [["X", "9", "8"]], [["10", "10", "7"]], [["6", "5", "M"]], [["4", "3", "2"]]], strict=True)))  # fmt: skip
        [device] = event.devices()
        self.assertEqual(device["leaseCount"], 1)
        self.assertEqual(phone.hosts, {phone.address.removeprefix("http://")})

    def test_a_target_that_is_ahead_of_the_line_is_told_so_at_the_end_of_an_end(self) -> None:
        event = Event(self.running, NAMES[:3], per_target=1, arrows=9)
        phone = self.phone(event.codes()[7])
        phone.start()
        ahead = phone.page.locator(".ahead")
        for _ in range(2):
            expect(ahead).to_have_count(0)
            phone.enter("9", "8", "7")
            phone.agree()
        expect(ahead).to_have_text("2 ends ahead of most targets. Was an end entered that is not shot?")
        phone.enter("9")
        expect(ahead).to_have_count(0)

    def test_nothing_is_said_to_be_entered_while_the_round_is_not_known(self) -> None:
        event = Event(self.running, NAMES)
        context = self.context()
        context.route("**/quiver.v1.Events/WatchTargets", lambda route: route.abort())
        phone = Phone(context, self.address(), event.codes()[7])
        phone.begin()
        phone.expect_text("Loading")
        phone.expect_text("What happened?")
        expect(phone.page.locator("#page")).not_to_contain_text("All arrows are entered")
        context.unroute("**/quiver.v1.Events/WatchTargets")
        phone.expect_text("End 1 of 2")
        self.assertEqual(phone.faults, [])

    def test_values_show_highest_first_and_an_arrow_is_replaced_or_taken_back(self) -> None:
        event = Event(self.running, NAMES[:2], per_target=2)
        phone = self.phone(event.codes()[7])
        phone.start()
        phone.enter("7", "X", "9")
        arrows = phone.page.locator(".row").first.locator(".arrow")
        expect(arrows).to_have_text(["X", "9", "7"])
        arrows.nth(2).click()
        phone.enter("8")
        expect(arrows).to_have_text(["X", "9", "8"])
        phone.press("Undo")
        expect(arrows).to_have_text(["X", "9", "7"])
        phone.press("Undo")
        expect(arrows).to_have_text(["X", "7", "·"])
        phone.page.keyboard.press("m")
        expect(arrows).to_have_text(["X", "7", "M"])
        phone.expect_saved()
        self.assertEqual(sorted(event.card(event.archers[0]).values()), ["7", "M", "X"])

    def test_arrows_wait_without_a_connection_and_are_delivered_once(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7])
        phone.start()
        phone.enter("9")
        phone.expect_saved()
        phone.context.set_offline(True)
        phone.enter("8", "7", "10", "9", "8")
        phone.expect_text("Waiting: 5")
        phone.expect_text("No connection since")
        phone.press("What happened?")
        phone.press("Call judge")
        phone.expect_text("the call waits for a connection")
        self.assertEqual(len(event.card(event.archers[0])), 1)
        phone.context.set_offline(False)
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8", "7"]], event.archers[1]: [["10", "9", "8"]]})
        calls = event.call("Events/ListTargetCalls", tournamentId=event.id)["calls"]
        self.assertEqual([call["kind"] for call in calls], ["TARGET_CALL_KIND_JUDGE"])
        event.call("Events/ResolveTargetCall", tournamentId=event.id, callId=calls[0]["id"], decision="It is a 9")
        phone.expect_text("It is a 9")

    def test_a_browser_that_is_killed_before_it_sends_delivers_when_it_is_opened_again(self) -> None:
        event = Event(self.running, NAMES)
        folder = tempfile.mkdtemp(prefix="quiver-phone")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)

        def opened() -> BrowserContext:
            return self.playwright.chromium.launch_persistent_context(
                folder, executable_path=CHROMIUM, args=ARGUMENTS, locale="en-GB")  # fmt: skip

        phone = Phone(opened(), self.address(), event.codes()[7])
        phone.start()
        phone.expect_saved()
        phone.context.set_offline(True)
        phone.enter("X", "10", "9", "8")
        phone.expect_text("Waiting: 4")
        phone.expect_on_disk()
        for process in processes_of(folder):
            os.kill(process, signal.SIGKILL)
        phone = Phone(opened(), self.address())
        expect(phone.page.locator(".row").first.locator(".arrow")).to_have_text(["X", "10", "9"], timeout=MILLISECONDS)
        phone.expect_saved()
        phone.enter("7")
        phone.expect_saved()
        phone.context.close()
        self.expect_stored_once(event, {event.archers[0]: [["X", "10", "9"]], event.archers[1]: [["8", "7"]]})
        self.assertEqual(len(event.devices()), 1)

    def test_two_tabs_are_one_device_and_show_the_same(self) -> None:
        event = Event(self.running, NAMES)
        code = event.codes()[7]
        phone = self.phone(code)
        phone.start()
        first = phone.page
        phone.page = phone.tab(code)
        phone.enter("9")
        expect(first.locator(".row").first.locator(".arrow")).to_have_text(["9", "·", "·"], timeout=MILLISECONDS)
        first.locator('.pad [data-value="8"]').click()
        expect(phone.page.locator(".row").first.locator(".arrow")).to_have_text(["9", "8", "·"], timeout=MILLISECONDS)
        phone.enter("7")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8", "7"]]})
        self.assertEqual(len(event.devices()), 1)

    def test_a_complete_end_is_corrected_by_those_whom_the_event_demands(self) -> None:
        event = Event(self.running, NAMES[:2], per_target=2)
        event.demand("WITNESS")
        phone = self.phone(event.codes()[7])
        phone.start()
        phone.enter("9", "8")
        phone.expect_saved()
        # The end is not complete: nobody has to agree.
        phone.press("Undo")
        phone.enter("8", "7")
        phone.expect_saved()
        for value, press in (("6", "Undo"), ("5", "Anna Archer: 6")):
            phone.press(press)
            phone.expect_text("The right value")
            phone.enter(value)
            phone.press("misheard")
            phone.page.get_by_role("button", name="B Benedikt").click()
            phone.expect_text("End 1 of 2")
            phone.expect_saved()
            self.assertEqual(phone.page.locator(".alert").count(), 0)
        self.expect_stored_once(event, {event.archers[0]: [["9", "8", "5"]]})
        event.demand("JUDGE")
        phone.page.reload()
        phone.expect_saved()
        phone.press("Anna Archer: 5")
        phone.expect_text("Only a judge may correct it")
        phone.press("Back")
        phone.enter("9", "9", "9")
        phone.agree()
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8", "5"]], event.archers[1]: [["9", "9", "9"]]})

    def test_another_phone_keeps_the_second_card_and_differences_are_resolved(self) -> None:
        event = Event(self.running, NAMES[:2], per_target=2, arrows=3)
        event.demand("WITNESS")
        code = event.codes()[7]
        one, two = self.phone(code), self.phone()
        one.start()
        two.page.goto(f"{two.address}/score#{code}")
        two.expect_text("Another phone has this card.")
        two.press("Keep the second card")
        two.start()
        one.enter("X", "9", "8", "7", "6", "M")
        two.enter("X", "9", "8", "7", "7")
        two.press("Undo")
        two.enter("6", "6")
        one.agree()
        two.agree()
        # The first phone has B 7 6 M, the second one 7 6 6.
        one.page.locator(".row").nth(1).locator(".total").click()
        one.expect_text("The cards differ")
        one.expect_text("Here 7 6 M – Other card 7 6 6")
        one.page.locator('[data-end="0"] button').click()
        one.page.locator(".choice button").nth(2).click()
        one.enter("6")
        one.press("misheard")
        one.page.get_by_role("button", name="A Anna Archer").click()
        expect(one.page.locator(".alert")).to_have_count(0, timeout=MILLISECONDS)
        one.expect_saved()
        reason = event.call("Events/GetComparedCard", participantId=event.archers[1])
        self.assertEqual(reason["ends"][0]["state"], "CARD_END_STATE_AGREED")
        self.assertEqual(event.second(event.archers[1]), {0: ["7", "6", "6"]})
        # 7 6 6 of three arrows; nobody has said of which class the archer could be.
        wa18 = {"codename": "wa18", "arrowLimit": 3}
        handicap = event.call("Comparison/GetScoreHandicap", format=wa18, score=19).get("handicap", 0)
        for role in ("Archer", "Scorer"):
            one.press("Sign" if role == "Archer" else f"Sign ✓ Archer")
            one.press(role)
            one.expect_text(f"Handicap {handicap}")
            one.press("Sign by button instead of drawing")
            one.expect_text("Card of")
            one.expect_text(f"✓ {'Archer' if role == 'Archer' else 'Archer, Scorer'}")
        card = event.call("Events/GetComparedCard", participantId=event.archers[1])
        self.assertEqual(card["summary"]["status"], "CARD_STATUS_CONFIRMED")

    def test_distances_are_compared_with_the_paper_and_signed_by_themselves(self) -> None:
        passes = [{"arrows": 3, "arrowsPerEnd": 3, "distance": distance, "unit": "DISTANCE_UNIT_METRE",
                   "face": "FACE_10_ZONE", "diameterCm": 122} for distance in (50, 30)]  # fmt: skip
        event = Event(self.running, NAMES[:1], per_target=1, passes=passes)
        event.let_scorers_type_papers()
        phone = self.phone(event.codes()[7])
        phone.start()
        phone.enter("X", "10", "8")
        phone.agree()
        phone.press("The same on paper")
        phone.expect_saved()
        phone.page.locator(".row").first.locator(".total").click()
        phone.press("Type the paper of 50 m · 122 cm")
        fields = phone.page.get_by_role("textbox")
        for place, text in enumerate(("27", "2", "1")):
            fields.nth(place).fill(text)
        phone.press("Store")
        # The total on paper is lower, and the counts are the same.
        phone.expect_text("The paper of 50 m · 122 cm has Total 27 · 10s 2 · Xs 1 – Here Total 28 · 10s 2 · Xs 1")
        for role in ("Archer", "Scorer"):
            phone.press("Sign 50 m · 122 cm" if role == "Archer" else "Sign 50 m · 122 cm ✓ Archer")
            phone.press(role)
            phone.press("Sign by button instead of drawing")
            phone.expect_text(f"✓ {'Archer' if role == 'Archer' else 'Archer, Scorer'}")
        card = event.call("Events/GetComparedCard", participantId=event.archers[0])
        self.assertEqual([part.get("paper", {}).get("total") for part in card["parts"]], [27, None])
        self.assertTrue(card["parts"][0]["archerConfirmed"] and card["parts"][0]["scorerConfirmed"])
        self.assertEqual([card["total"], card["summary"]["deducted"]], [27, 1])
        # A distance that both have signed is not changed here.
        expect(phone.page.locator('[data-end="0"] button')).to_be_disabled(timeout=MILLISECONDS)
        phone.press("Back")
        phone.enter("9", "9", "9")
        phone.agree()
        phone.press("The same on paper")
        phone.expect_saved()
        phone.page.get_by_role("button", name="Card of").first.click()
        phone.expect_text("Sign 30 m · 122 cm")
        phone.page.get_by_role("button", name="Sign", exact=True).click()
        phone.press("Sign by button instead of drawing")
        phone.expect_text("Card of")
        card = event.call("Events/GetComparedCard", participantId=event.archers[0])
        self.assertTrue(card["summary"]["archerConfirmed"])

    def test_a_target_that_is_taken_over_says_so_and_loses_nothing(self) -> None:
        event = Event(self.running, NAMES)
        code = event.codes()[7]
        phone, other = self.phone(code), self.phone()
        phone.start()
        phone.enter("9", "9", "9")
        phone.expect_saved()
        phone.context.set_offline(True)
        phone.enter("8", "8", "8")
        phone.expect_text("Waiting: 3")
        other.page.goto(f"{other.address}/score#{code}")
        other.press("Take this card over")
        other.expect_text("silent for 3 minutes")
        # An organiser need not wait.
        event.call("Events/JoinTarget", code=code, device="organiser", card=1, takeOver=True)
        event.call("Events/LeaveTarget", tournamentId=event.id, sessionId=event.session, target=7, card=1)
        other.press("Take this card over")
        expect(other.page.locator(".row").first.locator(".arrow")).to_have_text(["9", "9", "9"], timeout=MILLISECONDS)
        phone.context.set_offline(False)
        phone.expect_text("Another phone scores this target now")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9"] * 3], event.archers[1]: [["8"] * 3]})

    def test_owed_arrows_are_known_to_the_phone_that_takes_a_target_over(self) -> None:
        event = Event(self.running, NAMES[:2], per_target=2)
        code = event.codes()[7]
        phone, other = self.phone(code), self.phone()
        phone.start()
        phone.enter("9")
        phone.press("What happened?")
        phone.press("Owes arrows")
        phone.page.get_by_role("button", name="A Anna Archer").click()
        phone.enter("8", "8", "8")
        phone.agree()
        phone.expect_text("owes 2 in end 1")
        phone.expect_text("End 2 of 2")
        phone.enter("7")
        phone.expect_saved()
        card = event.call("Events/GetComparedCard", participantId=event.archers[0])
        self.assertEqual([(one.get("endIndex", 0), one["arrowCount"]) for one in card["owed"]], [(0, 2)])
        event.call("Events/JoinTarget", code=code, device="organiser", card=1, takeOver=True)
        event.call("Events/LeaveTarget", tournamentId=event.id, sessionId=event.session, target=7, card=1)
        other.page.goto(f"{other.address}/score#{code}")
        # The other phone goes on in the second end, and knows of the first one.
        other.expect_text("owes 2 in end 1")
        other.expect_text("End 2 of 2")
        other.page.locator(".row").first.locator(".total").click()
        other.expect_text("owes 2 in end 1")
        other.press("Back")
        other.press("Enter now")
        other.enter("6", "5")
        expect(other.page.get_by_text("in end 1")).to_have_count(0, timeout=MILLISECONDS)
        other.enter("7", "7")
        other.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "6", "5"], ["7", "7", "7"]],
                                        event.archers[1]: [["8", "8", "8"]]})  # fmt: skip
        self.assertNotIn("owed", event.call("Events/GetComparedCard", participantId=event.archers[0]))

    def test_a_server_that_is_killed_is_waited_for(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7])
        phone.start()
        phone.enter("9")
        phone.expect_saved()
        self.running.server.kill()
        self.running.server.wait()
        phone.enter("8", "7", "6")
        phone.expect_text("Waiting: 3")
        self.running.start_server()
        phone.expect_saved()
        phone.enter("5")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8", "7"]], event.archers[1]: [["6", "5"]]})

    def test_a_phone_joins_a_restored_server_by_itself_and_offers_what_it_has(self) -> None:
        running = Running("--allow-host", HOST)
        self.addCleanup(running.end)
        event = Event(running, NAMES)
        code = event.codes()[7]
        backup = f"{running.folder}/backup.db"
        running.quiver("admin", "backup", backup)
        # A clock that is behind makes keys that look older than the restored store.
        phone = self.phone(code, clock_ahead(-600), running=running)
        phone.start()
        phone.enter("9", "8", "7", "6")
        phone.expect_saved()
        running.server.kill()
        running.server.wait()
        phone.enter("5")
        token = pathlib.Path(running.token_file).read_text()
        data = pathlib.Path(running.folder, "data")
        shutil.rmtree(data)
        subprocess.run([str(PROGRAMS / "quiverd"), "restore", backup, "--data", str(data)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        pathlib.Path(running.token_file).write_text(token)
        running.start_server()
        phone.expect_saved()
        wanted = {event.archers[0]: [["9", "8", "7"]], event.archers[1]: [["6", "5"]]}
        self.assertTrue(wait_until(lambda: len(event.card(event.archers[1])) == 2))
        self.expect_stored_once(event, wanted)
        self.assertEqual(len(event.devices()), 1)
        phone.press("Menu")
        phone.press("Leave this target")
        phone.press("Leave this target")
        expect(phone.page.locator("form.code")).to_be_visible(timeout=MILLISECONDS)

    def test_a_phone_that_the_organiser_has_ended_scans_the_code_again(self) -> None:
        event = Event(self.running, NAMES)
        code = event.codes()[7]
        phone = self.phone(code)
        phone.start()
        phone.enter("9")
        phone.expect_saved()
        [device] = event.devices()
        event.call("Events/EndDevice", tournamentId=event.id, principalId=device["principalId"])
        phone.expect_text("the organiser has ended this one")
        phone.page.goto(f"{phone.address}/score#{code}")
        expect(phone.page.locator(".row").first.locator(".arrow")).to_have_text(["9", "·", "·"], timeout=MILLISECONDS)
        phone.enter("8")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8"]]})
        self.assertEqual(len(event.devices()), 2)

    def test_a_clock_that_is_wrong_by_two_days_changes_nothing(self) -> None:
        for days in (-2, 2):
            with self.subTest(days):
                event = Event(self.running, NAMES)
                phone = self.phone(event.codes()[7], clock_ahead(days * 86_400))
                phone.start()
                phone.enter("9", "8", "7", "6")
                phone.press("Undo")
                phone.enter("5")
                phone.expect_saved()
                self.expect_stored_once(event, {event.archers[0]: [["9", "8", "7"]], event.archers[1]: [["5"]]})

    def test_names_are_text(self) -> None:
        names = ['<img src=x onerror="alert(1)">', "</bdi><script>alert(1)</script>", "{name} & ${total}", "\u05d0\u05d1\u05d2 (1)"]
        event = Event(self.running, names)
        phone = self.phone(event.codes()[7])
        phone.page.on("dialog", lambda dialog: phone.faults.append(dialog.message))
        for name in names:
            phone.expect_text(name)
        phone.start()
        self.assertEqual(phone.page.locator("img, #page script").count(), 0)
        phone.enter("9", "9", "9", "8")
        phone.expect_text("</bdi><script>alert(1)</script>: arrow 2 of 3".replace("</bdi>", "\u2068</bdi>").replace("</script>:", "</script>\u2069:"))
        self.assertEqual(phone.page.locator(".who > bdi").all_inner_texts(), names)

    def test_codes_that_are_wrong_or_old_are_told_and_scanned_again(self) -> None:
        event = Event(self.running, NAMES)
        old = event.codes()[7]
        phone = self.phone("ABCDEFGH")
        phone.expect_text("This code is not valid")
        event.call("Events/SetEventLeases", tournamentId=event.id, demanded=True, newCodes=True)
        phone.page.goto(f"{phone.address}/score#{old}")
        phone.expect_text("This code is not valid, or it was replaced")
        phone.page.get_by_role("textbox").fill(f"{phone.address}/score#{event.codes()[7]}")
        phone.press("Join")
        phone.expect_text("Who shoots here")

    def test_a_phone_goes_to_another_event_with_another_device(self) -> None:
        one, two = Event(self.running, NAMES), Event(self.running, NAMES)
        phone = self.phone(one.codes()[7])
        phone.start()
        phone.enter("9")
        phone.expect_saved()
        phone.page.goto(f"{phone.address}/score#{two.codes()[7]}")
        phone.start()
        phone.enter("8")
        phone.expect_saved()
        self.expect_stored_once(one, {one.archers[0]: [["9"]]})
        self.expect_stored_once(two, {two.archers[0]: [["8"]]})
        self.assertEqual([len(one.devices()), len(two.devices())], [1, 1])

    def test_a_phone_keeps_several_targets(self) -> None:
        event = Event(self.running, [f"Archer {index}" for index in range(4)], per_target=2)
        codes = event.codes()
        phone = self.phone(codes[7])
        phone.start()
        phone.enter("9")
        phone.page.goto(f"{phone.address}/score#{codes[8]}")
        phone.start()
        phone.enter("8")
        phone.press("Menu")
        phone.page.get_by_role("button", name="Target 7").click()
        phone.enter("7")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "7"]], event.archers[2]: [["8"]]})
        [device] = event.devices()
        self.assertEqual(device["leaseCount"], 2)

    def test_storage_that_is_refused_or_full_is_told_before_the_first_arrow(self) -> None:
        event = Event(self.running, NAMES)
        refused = self.phone(event.codes()[7], "Object.defineProperty(window, 'indexedDB', { value: undefined });")
        refused.expect_text("This browser stores nothing for this page")
        full = self.phone(event.codes()[7], """IDBObjectStore.prototype.put = () => {
          throw new DOMException("no space", "QuotaExceededError"); };""")
        full.expect_text("This phone has no space left")

    def test_what_a_newer_server_says_is_not_guessed(self) -> None:
        event = Event(self.running, NAMES)
        change = """{ const real = fetch; window.fetch = async (url, options) => {
          const reply = await real(url, options);
          if (!String(url).endsWith("WatchTargets")) return reply;
          const to = new TransformStream({ transform(bytes, control) {
            const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
              .replaceAll("STATUS_IN_PROGRESS", "STATUS_IN_PROGRESX").replaceAll("FACE_10_ZONE", "FACE_99_ZONE");
            control.enqueue(Uint8Array.from(text, (one) => one.charCodeAt(0)));
          } });
          return new Response(reply.body.pipeThrough(to), { status: reply.status, headers: reply.headers });
        }; }"""
        phone = self.phone(event.codes()[7], change)
        phone.expect_text("The event is in a state that this page does not know")
        phone.begin()
        phone.expect_text("This page does not know this round")
        self.assertEqual(phone.page.locator(".pad").count(), 0)

    def test_exceptions_of_the_line(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7])
        phone.start()

        def happened(what: str | re.Pattern[str], whom: str) -> None:
            phone.press("What happened?")
            phone.page.get_by_role("button", name=what).click()
            phone.page.locator("main").get_by_role("button", name=whom).click()

        happened("Not here", "D Dora")
        phone.enter("9", "9")
        happened(re.compile("^Ow.s arrows$"), "A Anna")
        phone.expect_text(" 1 in end 1")
        phone.enter("8", "8", "8", "7", "7", "7")
        happened("Too many arrows", "B Benedikt")
        phone.enter("10", "8", "8", "6")
        phone.press("Keep 8 8 6")
        phone.agree()
        phone.press("Enter now")
        phone.enter("5")
        phone.enter("4", "4", "4")
        expect(phone.page.locator(".row.next .letter")).to_have_text("B")
        phone.expect_saved()
        self.expect_stored_once(event, dict(zip(event.archers, [
            [["9", "9", "5"], ["4", "4", "4"]], [["8", "8", "6"]], [["7", "7", "7"]], []], strict=True)))  # fmt: skip
        calls = event.call("Events/ListTargetCalls", tournamentId=event.id)["calls"]
        self.assertEqual([(call["kind"], call.get("displayName"), next((count for name, count in call.items() if name.endswith("Arrows")), 0)) for call in calls],
                         [("TARGET_CALL_KIND_EQUIPMENT_FAILURE", NAMES[0], 1),
                          ("TARGET_CALL_KIND_ABSENT_ARCHER", NAMES[3], 0)])  # fmt: skip

    def test_a_tap_at_once_after_arrows_were_kept_is_the_next_archers(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7])
        phone.start()
        phone.enter("9", "9", "9")
        phone.press("What happened?")
        phone.press("Too many arrows")
        phone.page.locator("main").get_by_role("button", name="B Benedikt").click()
        phone.enter("10", "8", "8", "6")
        phone.page.evaluate("""() => {
          [...document.querySelectorAll("button")].find((one) => one.textContent === "Keep 8 8 6").click();
          document.querySelector('.pad [data-value="7"]').click();
        }""")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9"] * 3], event.archers[1]: [["8", "8", "6"]],
                                        event.archers[2]: [["7"]]})  # fmt: skip

    def test_ends_are_exchanged_as_one_act_and_taken_back(self) -> None:
        event = Event(self.running, NAMES[:2], per_target=2, arrows=9)
        phone = self.phone(event.codes()[7])
        phone.start()
        phone.enter("X", "9", "8", "7", "6", "M")
        phone.agree()

        def repair(*buttons: str) -> None:
            phone.press("What happened?")
            phone.press("Repair")
            for name in buttons:
                phone.page.locator("main").get_by_role("button", name=name).first.click()

        def cards() -> list[list[str]]:
            phone.expect_saved()
            return [[text for _, text in sorted(event.card(archer).items())] for archer in event.archers]

        repair("A Anna", "1: X 9 8", "B Benedikt")
        phone.expect_text("Done. Undo takes all of it back.")
        self.assertEqual(cards(), [["7", "6", "M"], ["X", "9", "8"]])
        phone.press("Take it back")
        phone.expect_text("End 2 of 3")
        self.assertEqual(cards(), [["X", "9", "8"], ["7", "6", "M"]])
        repair("A Anna", "1: X 9 8", "Ends 1 to 1: one later")
        phone.expect_text("Done. Undo takes all of it back.")
        phone.expect_saved()
        self.assertEqual(event.card(event.archers[0]), {(1, 0): "X", (1, 1): "9", (1, 2): "8"})

    def phone_of_a_match(self) -> tuple[Event, Phone, str]:
        """An event with a match of two archers, whose phone has begun, and the match."""
        event = Event(self.running, NAMES[:2], per_target=2, arrows=3)
        event.call("Events/SetEventLeases", tournamentId=event.id, demanded=False)
        for archer, value in zip(event.archers, (9, 8), strict=True):
            event.call("Tournament/RecordEnd", operations=[
                {"participantId": archer, "arrowIndex": place, "value": value} for place in range(3)])  # fmt: skip
        [category] = event.call("Events/ListEventCategories", tournamentId=event.id)["categories"]
        bracket = event.call("Elimination/CutCategory", tournamentId=event.id, categoryId=category["id"], size=2,
                             system="MATCH_SYSTEM_INDIVIDUAL_SETS")  # fmt: skip
        event.call("Elimination/PlaceMatches", stageId=bracket["stage"]["id"], roundSize=2, firstTarget=7, targetsPerMatch=1)
        phone = self.phone(event.plates()[7])
        if phone.page.get_by_text("What is shot now?").count() > 0:
            phone.page.get_by_role("button", name="–").click()
        phone.start()
        return event, phone, bracket["matches"][0]["id"]

    def test_a_match_is_scored_to_its_end(self) -> None:
        event, phone, identity = self.phone_of_a_match()
        for _ in range(5):
            phone.enter("9", "9", "9", "10", "9", "8")
            phone.agree()
        phone.expect_text("5 : 5")
        phone.expect_text("Shoot-off 1")
        phone.enter("9", "9")
        phone.agree()
        fields = phone.page.get_by_role("textbox")
        fields.nth(0).fill("12.5")
        fields.nth(1).fill("4,5")
        phone.press("Store")
        phone.expect_text("wins")
        phone.expect_saved()
        for _ in range(2):
            phone.page.get_by_role("button", name="confirms").first.click()
            phone.page.wait_for_timeout(300)
        match = event.call("Elimination/GetMatch", matchId=identity)
        self.assertEqual([match["state"], match["winner"], match["decision"]],
                         ["MATCH_STATE_CONFIRMED", 2, "MATCH_DECISION_DISTANCE"])  # fmt: skip

    def test_an_end_of_a_match_is_corrected_with_the_archer_of_the_other_side(self) -> None:
        event, phone, identity = self.phone_of_a_match()
        event.demand("WITNESS")
        phone.page.reload()
        phone.enter("9", "9", "9")
        phone.expect_saved()
        # An arrow of the complete end, the last arrow, and an arrow of the card after it was agreed.
        for values, press in (("8", "Anna Archer: 9"), ("7", "Undo")):
            phone.page.get_by_role("button", name=press).first.click()
            phone.expect_text("The right value")
            phone.enter(values)
            phone.press("misheard")
            phone.page.get_by_role("button", name="B Benedikt").click()
            phone.expect_text("End 1 of 5")
            phone.expect_saved()
        phone.enter("9", "9", "9")
        phone.expect_saved()
        self.assertEqual(phone.page.locator(".alert").count(), 0)
        match = event.call("Elimination/GetMatch", matchId=identity)
        self.assertEqual(match["correctionConsent"], "CORRECTION_CONSENT_WITNESS")
        first, second = ([(sum(arrow.get("value", 0) for arrow in entry["arrows"]), entry.get("witnessId"), entry.get("witnessName"))
                          for entry in side["entries"]] for side in match["sides"])  # fmt: skip
        self.assertEqual(first, [(24, event.archers[1], NAMES[1])])
        self.assertEqual(second, [(27, None, None)])
        event.demand("JUDGE")
        phone.page.reload()
        phone.expect_saved()
        phone.page.get_by_role("button", name="Anna Archer: 9").first.click()
        phone.expect_text("Only a judge may correct it")

    def test_a_match_that_is_decided_before_its_last_end_asks_for_no_more_arrows(self) -> None:
        event, phone, identity = self.phone_of_a_match()
        for number in range(4):
            # Three ends are won, one is shared.
            phone.enter("9", "9", "9", "9", "9", "9" if number == 1 else "8")
            phone.agree()
        phone.expect_text("7 : 1")
        phone.expect_text("wins")
        self.assertEqual(phone.page.locator(".pad").count(), 0)
        phone.expect_text("End 4 of 5")
        phone.expect_saved()
        confirm = phone.page.get_by_role("button", name="confirms")
        for left in (1, 0):
            confirm.first.click()
            expect(confirm).to_have_count(left)
        match = event.call("Elimination/GetMatch", matchId=identity)
        self.assertEqual([match["state"], match["winner"], match["decision"]],
                         ["MATCH_STATE_CONFIRMED", 1, "MATCH_DECISION_ARROWS"])  # fmt: skip

    def test_a_touch_presses_only_the_button_on_which_it_began(self) -> None:
        """What the server sends meanwhile can put another button to the same place."""
        phone = self.phone("")
        bring_module(phone.page, "score/score_dom.js")
        said = phone.page.evaluate("""async () => {
          const { h, morph } = await import('/score/score_dom.js');
          const root = document.createElement('div');
          const pressed = [];
          const button = (name, more = {}) => h('button', { ...more, onclick: () => pressed.push(name) }, name);
          morph(root, [h('p', {}, 'before'), button('Sighters'), button('Rules')]);
          const [, sighters, rules] = root.childNodes;
          morph(root, [h('p', {}, 'after'), button('Start'), button('Sighters'), button('Rules')]);
          const same = root.childNodes[2] === sighters && root.childNodes[3] === rules;
          sighters.click();
          morph(root, [h('p', {}, 'after'), button('Start'), button('Rules')]);
          const texts = [...root.childNodes].map((one) => one.textContent);
          sighters.click();
          const total = () => root.querySelector('[data-key=total]');
          morph(root, [button('10', { 'data-key': 'total' })]);
          const kept = total();
          morph(root, [button('20', { 'data-key': 'total' })]);
          return { pressed, same, texts, isKept: total() === kept && kept.textContent === '20' };
        }""")
        self.assertEqual(said["pressed"], ["Sighters", "Sighters"])
        self.assertTrue(said["same"], "a button that stays is the same element")
        self.assertEqual(said["texts"], ["after", "Start", "Rules"])
        self.assertTrue(said["isKept"], "a button with a key stays while its text changes")

    def test_an_end_is_entered_within_the_time_of_a_touch(self) -> None:
        """Prints the figures; the wall clock asserts nothing."""
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7])
        session = phone.context.new_cdp_session(phone.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        phone.start()
        expect(phone.page.locator(".pad")).to_be_visible(timeout=MILLISECONDS)
        times: list[float] = phone.page.evaluate("""async () => {
          const times = [];
          for (let index = 0; index < 10; index += 1) {
            const button = document.querySelector('.pad [data-value="9"]');
            const start = performance.now();
            button.click();
            await new Promise((wake) => requestAnimationFrame(() => { setTimeout(wake, 0); }));
            times.push(performance.now() - start);
            await new Promise((wake) => { setTimeout(wake, 200); });
          }
          return times;
        }""")
        print(f"touch to paint with a CPU slowed four times: median {sorted(times)[5]:.0f} ms, "
              f"most {max(times):.0f} ms")  # fmt: skip


if __name__ == "__main__":
    kit.main()
