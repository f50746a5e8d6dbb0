"""Judges and helpers at check-in on phones in a network without encryption, as `quiverd --web lan --web-open-officials` permits it."""

from __future__ import annotations

import http.client
import json
import pathlib
import re
import shutil
import socket
import subprocess
import tempfile
import unittest
from typing import Any

import kit
from playwright.sync_api import Page, expect
from running import PROGRAMS, free_port, wait_until


def network_address() -> str:
    """The address of this machine in its network: nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])


class OpenOfficialsTest(unittest.TestCase):
    def start(self, *arguments: str) -> None:
        """A server as a club starts it, with an event."""
        self.folder = tempfile.mkdtemp(prefix="quiver-open")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.port = free_port()
        self.near, self.far = f"http://127.0.0.1:{self.port}", f"http://{network_address()}:{self.port}"
        log = pathlib.Path(self.folder, "log")
        with log.open("ab") as output:
            server = subprocess.Popen(
                [str(PROGRAMS / "quiverd"), "--init", "--data", f"{self.folder}/data", "--listen", f"unix:{self.folder}/socket",
                 "--web", self.far.removeprefix("http://"), *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=output)  # fmt: skip
        self.addCleanup(server.wait, 60)
        self.addCleanup(server.terminate)
        self.assertTrue(wait_until(lambda: " event=web-serving" in log.read_text(), 60), log.read_text())
        self.token = pathlib.Path(self.folder, "data/admin.token").read_text().strip()
        self.event = self.call("Tournament/CreateTournament", name="Hall", isPublic=True, maxParticipants=20, format={"codename": "wa18"})["id"]
        self.session = self.call("Events/CreateEventSession", session={
            "tournamentId": self.event, "name": "One", "firstTarget": 1, "lastTarget": 2, "archersPerTarget": 4})["id"]  # fmt: skip
        self.call("Events/ImportEventEntries", tournamentId=self.event, entries=[
            {"name": name, "bib": str(number), "sessionId": self.session} for number, name in enumerate(("Ann", "Ben"), 1)])
        self.errors: list[str] = []

    def call(self, method: str, /, **request: Any) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/quiver.v1." + method, json.dumps(request),
                           {"content-type": "application/json", "authorization": f"Bearer {self.token}"})  # fmt: skip
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        self.assertEqual(answer.status, 200, text)
        return json.loads(text)

    def page(self, **options: Any) -> Page:
        context = kit.shared_browser().new_context(locale="en-GB", **options)
        self.addCleanup(context.close)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        return page

    def phone(self) -> Page:
        return self.page(viewport={"width": 320, "height": 568})

    def desk(self) -> Page:
        page = self.page(viewport={"width": 1100, "height": 900})
        page.goto(f"{self.near}/desk")
        page.evaluate("(token) => localStorage.setItem('quiver.desk.token', token)", self.token)
        page.goto(f"{self.near}/desk#/{self.event}/officials")
        page.reload()
        page.get_by_role("button", name="Give a code…").wait_for()
        return page

    def give(self, desk: Page, name: str, role: str, accepts: bool) -> str:
        """The link of a code that the organiser gives."""
        desk.get_by_role("button", name="Give a code…").click()
        desk.get_by_label("Name").fill(name)
        desk.locator("dialog select").select_option(label=role)
        box = desk.get_by_label("I accept that")
        if accepts:
            expect(desk.locator("dialog .bad").first).to_contain_text("is not encrypted. Whoever listens in this network can read the sign-in")
            desk.locator("dialog button.main").click()
            expect(desk.locator("dialog [role=alert]")).to_have_text("Accept it, or use an address with https.")
            box.check()
        else:
            expect(box).to_be_hidden()
        desk.locator("dialog button.main").click()
        code = desk.locator("dialog code")
        code.wait_for()
        self.assertEqual(desk.get_by_text("Nobody can sign in by").count(), 0 if accepts else 1)
        link = next(text for text in desk.locator("dialog small").all_inner_texts() if code.inner_text() in text)
        desk.locator("dialog button.main").click()
        desk.locator("dialog").wait_for(state="detached")
        return link

    def test_a_judge_and_a_helper_work_on_their_phones_until_they_are_removed(self) -> None:
        self.start("--web-open-officials")
        desk = self.desk()
        link = self.give(desk, "Judge Judy", "judge", accepts=True)
        self.assertRegex(link, "^" + re.escape(self.far) + "/judge#U-")
        judge = self.phone()
        judge.goto(link)
        self.assertFalse(judge.evaluate("isSecureContext"))
        expect(judge.locator("main")).to_contain_text("Others in this network can read what you send, and do the same; the organiser has accepted that.")
        self.assertEqual(kit.violations(judge), [])
        judge.get_by_role("button", name="Sign in").click()
        expect(judge.get_by_text("Nobody calls.")).to_be_visible()
        self.call("Events/RaiseTargetCall", tournamentId=self.event, sessionId=self.session, target=1, kind="TARGET_CALL_KIND_JUDGE")
        judge.get_by_role("button", name="Decide…").click()
        judge.get_by_role("button", name="Done at the target.").click()
        judge.locator("dialog button.main").click()
        expect(judge.locator("#state")).to_have_text("Decided.")
        helper = self.phone()
        helper.goto(self.give(desk, "Helper Hans", "check-in helper", accepts=True))
        helper.get_by_role("button", name="Sign in").click()
        helper.get_by_label("Bib or name").fill("2")
        helper.keyboard.press("Enter")
        expect(helper.locator("#state")).to_have_text("Ben is here.")
        # Whoever is removed may do nothing from then on, and nobody who has read its token.
        desk.goto(f"{self.near}/desk#/{self.event}/overview")
        desk.goto(f"{self.near}/desk#/{self.event}/officials")
        desk.locator("main tbody tr", has_text="Judge Judy").get_by_role("button").click()
        desk.locator("dialog button.main").click()
        expect(desk.locator("main tbody tr", has_text="Judge Judy")).to_have_count(0)
        judge.reload()
        expect(judge.get_by_role("button", name="Sign in")).to_be_visible()
        self.assertEqual(self.errors, [])

    def test_nobody_else_signs_in_there(self) -> None:
        self.start("--web-open-officials")
        link = self.give(self.desk(), "Olga", "organiser", accepts=False)
        sent: list[str] = []
        phone = self.phone()
        phone.on("request", lambda request: sent.append(request.url))
        for page in (link, link.replace("/desk#", "/judge#")):
            phone.goto("about:blank")
            phone.goto(page)
            if "/judge" in page:
                phone.get_by_role("button", name="Sign in").click()
                expect(phone.locator("#state.bad")).to_contain_text("only judges and helpers at check-in sign in here")
            else:
                expect(phone.locator("#state.bad")).to_contain_text("this address is not encrypted")
                self.assertFalse([url for url in sent if "SignInOfficial" in url])
        # The code of an invite is not sent: the reply would have the token of a user.
        phone.goto("about:blank")
        phone.goto(f"{self.far}/judge#ABCD-EFGH-JKMN-PQRS")
        phone.get_by_label("Your name").fill("Robin")
        phone.get_by_role("button", name="Sign in").click()
        expect(phone.locator("#state.bad")).to_contain_text("this address is not encrypted")
        self.assertFalse([url for url in sent if "RedeemInvite" in url])
        # The code of the organiser works where nobody reads it.
        own = self.page()
        own.goto(link.replace(self.far, self.near))
        expect(own.get_by_role("link", name="Hall")).to_be_visible()
        self.assertEqual(self.errors, [])

    def test_without_the_option_no_code_and_no_token_is_sent(self) -> None:
        self.start()
        link = self.give(self.desk(), "Judge Judy", "judge", accepts=False)
        phone = self.phone()
        sent: list[str] = []
        phone.on("request", lambda request: sent.append(request.url))
        phone.goto(link)
        phone.get_by_role("button", name="Sign in").click()
        expect(phone.locator("#state.bad")).to_contain_text("this address is not encrypted")
        self.assertEqual([url for url in sent if "quiver.v1" in url], [])
        self.assertEqual(self.errors, [])
