"""What else goes wrong on the score page: in each case a person reads what to do, nothing is lost, and nothing is doubled."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import tempfile

from playwright.sync_api import BrowserContext, expect

from faults import Faults, Proxy
import kit
from phones import ARGUMENTS, CHROMIUM, HOST, MILLISECONDS, Event, PageTest, Phone, Running, processes_of

NAMES = ["Anna Archer", "Benedikt", "Chiara", "Dora"]

# Storage that is full while the page says so.
CAN_BE_FULL = """for (const name of ["put", "add"]) {
  const real = IDBObjectStore.prototype[name];
  IDBObjectStore.prototype[name] = function (...values) {
    if (window.isFull) throw new DOMException("no space", "QuotaExceededError");
    return real.apply(this, values);
  };
}"""


class FaultsTest(PageTest):
    def opened(self, folder: str) -> BrowserContext:
        return self.playwright.chromium.launch_persistent_context(folder, executable_path=CHROMIUM, args=ARGUMENTS,
                                                                  locale="en-GB")  # fmt: skip

    def folder(self) -> str:
        folder = tempfile.mkdtemp(prefix="quiver-phone")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        return folder

    def kill(self, folder: str) -> None:
        for process in processes_of(folder):
            os.kill(process, signal.SIGKILL)

    def test_a_browser_that_is_killed_at_a_touch_shows_what_it_has_stored_and_no_more(self) -> None:
        event = Event(self.running, NAMES)
        folder = self.folder()
        phone = Phone(self.opened(folder), self.address(), event.codes()[7])
        phone.start()
        phone.expect_saved()
        phone.context.set_offline(True)
        phone.enter("X", "10")
        phone.expect_text("Waiting: 2")
        phone.expect_on_disk()
        # The touch, and the end of the browser: nothing in between is awaited.
        phone.page.evaluate("() => { document.querySelector('.pad [data-value=\"9\"]').click(); }")
        self.kill(folder)
        phone = Phone(self.opened(folder), self.address())
        arrows = phone.page.locator(".row").first.locator(".arrow:not(.empty)")
        expect(arrows.nth(1)).to_have_text("10", timeout=MILLISECONDS)
        if arrows.count() == 2:
            phone.enter("9")
        expect(arrows).to_have_text(["X", "10", "9"])
        phone.expect_saved()
        phone.context.close()
        self.expect_stored_once(event, {event.archers[0]: [["X", "10", "9"]]})

    def test_a_browser_that_is_killed_between_send_and_answer_sends_again_and_the_server_stores_once(self) -> None:
        event = Event(self.running, NAMES)
        folder = self.folder()
        faults = Faults()
        self.addCleanup(faults.end)
        proxy = Proxy(faults, self.running.port)
        phone = Phone(self.opened(folder), f"http://{HOST}:{proxy.port}", event.codes()[7])
        phone.start()
        phone.expect_saved()
        proxy.lose_answers()
        phone.enter("X", "9", "8", "7")
        # The server has them; the phone does not know it.
        stored = Phone(self.context(), self.address())
        stored.page.wait_for_timeout(0)
        for _ in range(300):
            if len(event.card(event.archers[1])) == 1:
                break
            stored.page.wait_for_timeout(100)
        phone.expect_text("Waiting:")
        phone.expect_on_disk()
        self.kill(folder)
        proxy.open()
        phone = Phone(self.opened(folder), f"http://{HOST}:{proxy.port}")
        phone.expect_saved()
        phone.enter("6")
        phone.expect_saved()
        phone.context.close()
        self.expect_stored_once(event, {event.archers[0]: [["X", "9", "8"]], event.archers[1]: [["7", "6"]]})
        self.assertEqual(len(event.devices()), 1)

    def test_what_the_server_says_while_storage_is_full_is_shown_when_there_is_space_again(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7], CAN_BE_FULL)
        phone.start()
        phone.enter("9")
        phone.expect_saved()
        phone.page.evaluate("() => { window.isFull = true; }")
        event.call("Events/SendEventNotice", tournamentId=event.id, text="Lunch at half past twelve")
        phone.expect_text("This phone has no space left")
        phone.page.evaluate("() => { window.isFull = false; }")
        phone.expect_text("Lunch at half past twelve")
        phone.press("Understood")
        phone.enter("8")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8"]]})

    def test_storage_that_becomes_full_between_two_arrows_is_told_and_the_arrow_is_not_shown_as_stored(self) -> None:
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7], CAN_BE_FULL)
        phone.start()
        phone.enter("9")
        phone.expect_saved()
        phone.page.evaluate("() => { window.isFull = true; }")
        phone.enter("8")
        phone.expect_text("This phone has no space left")
        arrows = phone.page.locator(".row").first.locator(".arrow")
        expect(arrows).to_have_text(["9", "·", "·"], timeout=MILLISECONDS)
        phone.page.evaluate("() => { window.isFull = false; }")
        phone.press("Understood")
        phone.enter("8", "7")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8", "7"]]})

    def test_a_server_that_another_one_has_replaced_gets_nothing_and_nothing_is_lost(self) -> None:
        running = Running("--allow-host", HOST)
        self.addCleanup(running.end)
        event = Event(running, NAMES)
        phone = self.phone(event.codes()[7], running=running)
        phone.start()
        phone.enter("9", "8")
        phone.expect_saved()
        running.server.kill()
        running.server.wait()
        phone.enter("7", "6")
        phone.expect_text("Waiting: 2")
        data = pathlib.Path(running.folder, "data")
        kept = pathlib.Path(running.folder, "kept")
        data.rename(kept)
        running.start_server()
        running.token = pathlib.Path(running.token_file).read_text().strip()
        other = Event(running, ["Somebody else"], per_target=1)
        phone.expect_text("The server does not know this phone any more. Scan the code of the target again.")
        phone.expect_text("Waiting: 2")
        self.assertEqual(other.card(other.archers[0]), {})
        # The first one comes back.
        running.server.kill()
        running.server.wait()
        shutil.rmtree(data)
        kept.rename(data)
        running.start_server()
        running.token = pathlib.Path(running.token_file).read_text().strip()
        phone.page.reload()
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8", "7"]], event.archers[1]: [["6"]]})

    def test_a_page_of_which_a_file_is_missing_says_that_it_has_to_be_loaded_again(self) -> None:
        event = Event(self.running, NAMES)
        context = self.context()
        context.route("**/score/score.js", lambda route: route.abort())
        phone = Phone(context, self.address())
        expect(phone.page.get_by_text("This page did not arrive as a whole. Load it again.")).to_be_visible(timeout=MILLISECONDS)
        context.unroute("**/score/score.js")
        phone.page.goto(f"{phone.address}/score#{event.codes()[7]}")
        # Only what stands behind # has changed: as the sentence says.
        phone.page.reload()
        phone.start()
        self.assertEqual(phone.page.get_by_text("This page did not arrive").count(), 0)

    def test_a_target_that_was_left_already_is_left(self) -> None:
        """As after a call to leave it whose reply was lost."""
        event = Event(self.running, NAMES)
        phone = self.phone(event.codes()[7])
        phone.start()
        phone.enter("9")
        phone.expect_saved()
        event.call("Events/LeaveTarget", tournamentId=event.id, sessionId=event.session, target=7, card=1)
        phone.press("Menu")
        phone.press("Leave this target")
        phone.press("Leave this target")
        expect(phone.page.locator("form.code")).to_be_visible(timeout=MILLISECONDS)
        expect(phone.page.locator(".alert")).to_have_count(0)
        phone.page.reload()
        expect(phone.page.locator("form.code")).to_be_visible(timeout=MILLISECONDS)
        self.expect_stored_once(event, {event.archers[0]: [["9"]]})

    def test_a_code_that_is_scanned_again_and_again_is_one_device_with_one_target(self) -> None:
        event = Event(self.running, NAMES)
        code = event.codes()[7]
        phone = self.phone(code)
        phone.start()
        phone.enter("9")
        for _ in range(3):
            phone.page.goto(f"{phone.address}/score#{code}")
            phone.expect_text("End 1 of 2")
        phone.enter("8")
        phone.expect_saved()
        self.expect_stored_once(event, {event.archers[0]: [["9", "8"]]})
        [device] = event.devices()
        self.assertEqual(device["leaseCount"], 1)


if __name__ == "__main__":
    kit.main()
