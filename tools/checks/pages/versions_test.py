"""The score page with TLS: it starts without a connection, and a new version of it loses nothing.

The certificate is of an authority of the test, which the browser is told to accept by its key."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

from playwright.sync_api import BrowserContext, Page, expect

import kit
from kit import WITH_WINDOWS
from phones import ARGUMENTS, CHROMIUM, HOST, MILLISECONDS, PROGRAMS, ROOT, Event, Phone, Running, processes_of

NAMES = ["Anna Archer", "Benedikt", "Chiara", "Dora"]

# Resolves when the worker of the page has stored all of it, and serves it.
IS_KEPT = """async () => {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((wake) => { setTimeout(wake, 50); });
  return (await caches.keys()).length;
}"""


def public_key_hash(certificate: str) -> str:
    """The hash of the key of a certificate, as a flag of Chromium names it."""
    key = subprocess.run(["openssl", "x509", "-in", certificate, "-pubkey", "-noout"], check=True, stdout=subprocess.PIPE)
    der = subprocess.run(["openssl", "pkey", "-pubin", "-outform", "der"], input=key.stdout, check=True,
                         stdout=subprocess.PIPE)  # fmt: skip
    return base64.b64encode(hashlib.sha256(der.stdout).digest()).decode()


def with_other_pages(folder: str, **texts: str) -> pathlib.Path:
    """A gateway whose pages differ: texts in the scripts of all pages are replaced by others of the same length."""
    content = (PROGRAMS / "quiver-gateway").read_bytes()
    for old, new in texts.values():
        assert len(old) == len(new) and old.encode() in content, old
        content = content.replace(old.encode(), new.encode())
    path = pathlib.Path(tempfile.mkdtemp(dir=folder), "quiver-gateway")
    path.write_bytes(content)
    path.chmod(0o755)
    return path


class VersionsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.mkdtemp(prefix="quiver-versions")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        subprocess.run([ROOT / "tools/dev-certificates", "--out", cls.folder, "--name", HOST], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        cls.certificate = f"{cls.folder}/server.pem"
        cls.playwright = kit.shared_playwright()
        words = ("All saved", "Alles gesichert")
        cls.newer = with_other_pages(cls.folder, words=(f'"{words[0]}", "{words[1]}"', f'"All sAved", "{words[1]}"'))
        cls.newest = with_other_pages(cls.folder, words=(f'"{words[0]}", "{words[1]}"', f'"All SAVED", "{words[1]}"'),
                                      schema=("const schemaVersion = 1;", "const schemaVersion = 2;"))  # fmt: skip

    def setUp(self) -> None:
        self.running = Running("--allow-host", HOST, tls=(self.certificate, f"{self.folder}/server.key"))
        self.addCleanup(self.running.end)
        self.event = Event(self.running, NAMES)
        self.code = self.event.codes()[7]
        self.profile = tempfile.mkdtemp(dir=self.folder)

    def open(self, program: str = CHROMIUM) -> BrowserContext:
        context = self.playwright.chromium.launch_persistent_context(
            self.profile, executable_path=program, locale="en-GB", viewport={"width": 390, "height": 844},
            args=[*ARGUMENTS, f"--ignore-certificate-errors-spki-list={public_key_hash(self.certificate)}"])  # fmt: skip
        self.addCleanup(context.close)
        return context

    def phone(self, context: BrowserContext, code: str = "") -> Phone:
        phone = Phone(context, f"https://{HOST}:{self.running.tls_port}", code)
        self.addCleanup(lambda: self.assertEqual(phone.faults, []))
        return phone

    def stop_gateway(self) -> None:
        self.running.gateway.terminate()
        self.running.gateway.wait(60)

    def replace_gateway(self, program: pathlib.Path) -> None:
        self.stop_gateway()
        self.running.gateway_program = program
        self.running.start_gateway()

    def expect_stored_once(self, *cards: list[str]) -> None:
        names = []
        for archer, wanted in zip(self.event.archers, cards, strict=False):
            found = self.event.operations(archer)
            self.assertEqual([text for _, (text, _) in sorted(found.items())], wanted)
            names += [name for _, name in found.values()]
        self.assertEqual(len(names), len(set(names)))

    def expect_kept(self, page: Page) -> None:
        self.assertEqual(page.evaluate(IS_KEPT), 1)

    def test_the_page_starts_without_a_connection_and_delivers_each_arrow_once(self) -> None:
        phone = self.phone(self.open(), self.code)
        phone.start()
        phone.enter("X", "9", "8", "10", "9", "8", "7", "7", "7", "6", "6", "6")
        phone.agree()
        phone.expect_saved()
        self.expect_kept(phone.page)
        self.assertTrue(phone.page.evaluate("isSecureContext"))
        self.stop_gateway()
        phone.page.close()
        # As from the home screen: the address of the manifest, nothing behind it.
        phone.page = phone.tab()
        phone.expect_text("End 2 of 2")
        phone.enter("5", "5", "5", "4")
        phone.expect_text("Waiting: 4")
        phone.expect_text("No connection since")
        phone.expect_on_disk()
        for process in processes_of(self.profile):
            os.kill(process, signal.SIGKILL)
        phone = self.phone(self.open())
        phone.expect_text("Waiting: 4")
        phone.enter("4", "4", "3", "3", "3", "M", "2", "1")
        phone.press("Menu")
        phone.expect_text("This page also starts without a connection")
        phone.press("Back")
        phone.agree()
        self.running.start_gateway()
        phone.expect_saved()
        self.expect_stored_once(["X", "9", "8", "5", "5", "5"], ["10", "9", "8", "4", "4", "4"],
                                ["7", "7", "7", "3", "3", "3"], ["6", "6", "6", "M", "2", "1"])  # fmt: skip
        self.assertEqual(len(self.event.devices()), 1)

    def test_a_browser_offers_to_install_the_page(self) -> None:
        phone = self.phone(self.open(WITH_WINDOWS), self.code)
        self.expect_kept(phone.page)
        session = phone.context.new_cdp_session(phone.page)
        found = session.send("Page.getAppManifest")
        self.assertEqual(found["errors"], [])
        self.assertEqual(json.loads(found["data"])["start_url"], "/score")
        self.assertEqual(session.send("Page.getInstallabilityErrors")["installabilityErrors"], [])
        scopes = phone.page.evaluate("""async () => (await navigator.serviceWorker.getRegistrations()).map((one) =>
          [new URL(one.scope).pathname, one.updateViaCache])""")
        self.assertEqual(scopes, [["/score", "none"]])

    def test_a_new_version_is_taken_between_two_ends_and_loses_nothing(self) -> None:
        phone = self.phone(self.open(), self.code)
        phone.start()
        self.expect_kept(phone.page)
        phone.enter("X", "9", "8", "7")
        phone.expect_saved()
        phone.page.evaluate("window.isSame = true")
        self.stop_gateway()
        phone.enter("7", "6")
        phone.expect_text("Waiting: 2")
        self.running.gateway_program = self.newer
        self.running.start_gateway()
        phone.expect_text("A new version of this page is ready")
        phone.expect_saved()
        # Longer than the page waits for a touch: the end is not complete.
        phone.page.wait_for_timeout(17_000)
        self.assertTrue(phone.page.evaluate("window.isSame"))
        phone.enter("5", "5", "5", "4", "4", "4")
        phone.agree()
        expect(phone.page.locator("#state")).to_have_text("All sAved", timeout=MILLISECONDS)
        self.assertIsNone(phone.page.evaluate("window.isSame ?? null"))
        phone.expect_text("End 2 of 2")
        phone.enter("3", "3", "3")
        expect(phone.page.locator("#state")).to_have_text("All sAved", timeout=MILLISECONDS)
        self.expect_stored_once(["X", "9", "8", "3", "3", "3"], ["7", "7", "6"], ["5"] * 3, ["4"] * 3)
        self.assertEqual(len(self.event.devices()), 1)

    def test_a_version_that_stores_otherwise_closes_the_older_one_and_takes_what_waits(self) -> None:
        phone = self.phone(self.open(), self.code)
        phone.start()
        self.expect_kept(phone.page)
        phone.enter("X")
        phone.expect_saved()
        self.running.server.kill()
        self.running.server.wait()
        phone.enter("9", "8", "7")
        phone.expect_text("Waiting: 3")
        self.replace_gateway(self.newest)
        other = self.phone(phone.context)
        other.page.goto(f"{other.address}/score?new")
        other.expect_text("Waiting: 3")
        self.assertEqual(other.page.url, f"{other.address}/score")
        phone.expect_text("This page is of an older version")
        self.assertEqual(phone.page.locator(".pad").count(), 0)
        # What the worker of the older version has stored does not open what the newer one stores.
        other.enter("6")
        self.running.start_server()
        expect(other.page.locator("#state")).to_have_text("All SAVED", timeout=MILLISECONDS)
        phone.press("Load again")
        expect(phone.page.locator("#state")).to_have_text("All SAVED", timeout=MILLISECONDS)
        phone.enter("5")
        expect(phone.page.locator("#state")).to_have_text("All SAVED", timeout=MILLISECONDS)
        self.expect_stored_once(["X", "9", "8"], ["7", "6", "5"], [], [])

    def test_an_older_page_that_the_browser_kept_says_what_to_do_with_and_without_a_connection(self) -> None:
        phone = self.phone(self.open(), self.code)
        phone.start()
        self.expect_kept(phone.page)
        phone.enter("X", "9")
        phone.expect_saved()
        # The newer page runs once, and its worker is not there: as if its files could not all be stored.
        self.replace_gateway(self.newest)
        phone.context.route("**/score/worker.js", lambda route: route.abort())
        phone.page.goto(f"{phone.address}/score?new")
        expect(phone.page.locator("#state")).to_have_text("All SAVED", timeout=MILLISECONDS)
        self.stop_gateway()
        phone.page.goto(f"{phone.address}/score")
        phone.expect_text("This page is of an older version")
        phone.press("Load again")
        phone.expect_text("There is no connection to the event now")
        self.running.start_gateway()
        phone.press("Load again")
        phone.expect_text("Benedikt")
        phone.enter("8")
        expect(phone.page.locator("#state")).to_have_text("All SAVED", timeout=MILLISECONDS)
        self.expect_stored_once(["X", "9", "8"], [], [], [])

    def test_a_tab_that_does_not_let_go_is_named(self) -> None:
        context = self.open()
        frozen = context.new_page()
        frozen.set_default_timeout(MILLISECONDS)
        frozen.add_init_script("Object.defineProperty(IDBDatabase.prototype, 'onversionchange', { set() {} });")
        frozen.goto(f"https://{HOST}:{self.running.tls_port}/score#{self.code}")
        frozen.get_by_role("button", name="Start entering").click()
        self.expect_kept(frozen)
        self.replace_gateway(self.newest)
        phone = self.phone(context)
        phone.page.goto(f"{phone.address}/score?new")
        phone.expect_text("Another tab of this browser has an older version of this page. Close it")
        frozen.close()
        phone.enter("9", "8", "7")
        expect(phone.page.locator("#state")).to_have_text("All SAVED", timeout=MILLISECONDS)
        self.expect_stored_once(["9", "8", "7"], [], [], [])

if __name__ == "__main__":
    kit.main()
