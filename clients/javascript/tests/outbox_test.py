"""The outbox in Chromium, in a secure and in an insecure context, against a real gateway and server."""

from __future__ import annotations

import contextlib
import functools
import http.client
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/checks/gateway"))
from running import PROGRAMS, Running, wait_until  # noqa: E402

MILLISECONDS = 60_000

OPEN = """async ([address, token, options]) => {
  const { connect, Outbox, scoring, uuid7 } = await import("/src/index.js");
  Object.assign(window, { connect, Outbox, scoring, uuid7, summaries: [], outdated: 0 });
  window.client = connect(address, { token, timeout: 5000 });
  window.outbox = await Outbox.open(client, { device: "phone", onOutdated: () => outdated += 1,
    onChange: (summary) => summaries.push(summary), ...options });
  window.arrow = (participant, endIndex, arrowIndex, text, more = {}) => ({ kind: "arrow", event: EVENT.event,
    participant, format: EVENT.format, endIndex, arrowIndex, arrow: scoring.arrowOfText(text), ...more });
  window.until = async (holds) => {
    for (;;) {
      const summary = await outbox.summary();
      if (holds(summary)) return summary;
      await new Promise((wake) => { setTimeout(wake, 20); });
    }
  };
}"""


SCORER = re.findall("```html\n(.*?)```", (ROOT / "clients/javascript/README.md").read_text(), re.DOTALL)[0]


class Files(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path != "/scorer":
            super().do_GET()
            return
        text = SCORER.encode()
        self.send_response(200)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments: object) -> None:
        pass


class Relay:
    """Passes connections on to a port, and cuts all of them after a number of bytes."""

    def __init__(self, port: int) -> None:
        self.target = port
        self.left: int | None = None
        self.is_silent = False
        self.lock = threading.Lock()
        self.open: set[socket.socket] = set()
        self.server = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.server.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                inner, _ = self.server.accept()
                with contextlib.suppress(OSError):
                    outer = socket.create_connection(("127.0.0.1", self.target))
                    self.open |= {inner, outer}
                    for one, other in [(inner, outer), (outer, inner)]:
                        threading.Thread(target=self.copy, args=(one, other), daemon=True).start()
                    continue
                inner.close()

    def copy(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                if self.is_silent:
                    continue
                with self.lock:
                    left = self.left
                    if left is not None:
                        self.left = None if len(data) >= left else left - len(data)
                if left is None or len(data) < left:
                    other.sendall(data)
                    continue
                other.sendall(data[:left])
                self.cut()
        for socket_ in (one, other):
            with contextlib.suppress(OSError):
                socket_.shutdown(socket.SHUT_RDWR)
            self.open.discard(socket_)
            socket_.close()

    def cut(self) -> None:
        for socket_ in list(self.open):
            with contextlib.suppress(OSError):
                socket_.shutdown(socket.SHUT_RDWR)

    def arm(self, count: int) -> bool:
        """Cuts after so many more bytes; whether the last number of bytes was reached."""
        with self.lock:
            was_reached = self.left is None
            self.left = count
        return was_reached

    def close(self) -> None:
        self.server.close()
        self.cut()


class Event:
    """An event of some archers, and what the server says of it."""

    def __init__(self, running: Running, archers: int = 2, codename: str = "wa18",
                 arrows: int = 0) -> None:  # fmt: skip
        self.running = running
        made = self.call("Tournament/CreateTournament", name="Open", maxParticipants=max(archers, 2),
                         format={"codename": codename, "arrowLimit": arrows})  # fmt: skip
        self.id = made["id"]
        self.format = made["format"]
        added = self.call("Tournament/AddEntries", tournamentId=self.id,
                          entries=[{"name": f"Archer {index}"} for index in range(archers)])  # fmt: skip
        self.archers = [one["id"] for one in added["participants"]]
        self.call("Tournament/StartTournament", id=self.id, anyway=True)

    def call(self, method: str, **request: object) -> Any:
        connection = http.client.HTTPConnection("127.0.0.1", self.running.port, timeout=60)
        fields = {"content-type": "application/json", "authorization": "Bearer " + self.running.token}
        connection.request("POST", "/quiver.v1." + method, json.dumps(request), fields)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status != 200:
            raise AssertionError(f"{method}: {text}")
        return json.loads(text)

    def operations(self, archer: str) -> dict[tuple[int, int], tuple[str, str]]:
        """The arrows that the server has by end and arrow: as on a score sheet, and by which operation."""
        found = {}
        for arrow in self.call("Rounds/GetScorecard", participantId=archer).get("arrows", []):
            if arrow.get("retracted"):
                continue
            value = arrow.get("value", 0)
            text = "X" if arrow.get("isX") else "M" if value == 0 else str(value)
            slot = arrow.get("endIndex", 0), arrow.get("arrowIndex", 0)
            found[slot] = text, arrow.get("operationClientId", "")
        return found

    def arrows(self, archer: str) -> dict[tuple[int, int], str]:
        return {slot: text for slot, (text, _) in self.operations(archer).items()}


class OutboxTest(unittest.TestCase):
    browser: Browser
    insecure: str
    secure: str
    playwright: Playwright
    running: Running
    seed: int
    arguments = ["--no-sandbox", "--host-resolver-rules=MAP club.test 127.0.0.1"]
    chromium = os.environ.get("QUIVER_CHROMIUM", "/usr/bin/chromium")

    @classmethod
    def setUpClass(cls) -> None:
        handler = functools.partial(Files, directory=str(ROOT / "clients/javascript"))
        files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=files.serve_forever, daemon=True).start()
        cls.addClassCleanup(files.server_close)
        cls.addClassCleanup(files.shutdown)
        # A name that is no loopback address to the browser: its context is insecure.
        cls.insecure = f"http://club.test:{files.server_port}"
        cls.secure = f"http://localhost:{files.server_port}"
        cls.running = Running("--allow-origin", cls.insecure, "--allow-origin", cls.secure)
        cls.addClassCleanup(cls.running.end)
        playwright = sync_playwright().start()
        cls.addClassCleanup(playwright.stop)
        cls.playwright = playwright
        cls.browser = playwright.chromium.launch(executable_path=cls.chromium, args=cls.arguments)
        cls.addClassCleanup(cls.browser.close)
        cls.seed = int(os.environ.get("QUIVER_SEED", random.SystemRandom().randrange(2**32)))
        print(f"QUIVER_SEED={cls.seed}", file=sys.stderr)

    def context(self, script: str = "") -> BrowserContext:
        context = self.browser.new_context()
        self.addCleanup(context.close)
        if script:
            context.add_init_script(script)
        return context

    def relay(self) -> Relay:
        relay = Relay(self.running.port)
        self.addCleanup(relay.close)
        return relay

    def page(self, context: BrowserContext, event: Event, origin: str = "", address: str = "",
             **options: object) -> Page:  # fmt: skip
        page = context.new_page()
        page.set_default_timeout(MILLISECONDS)
        page.goto((origin or self.insecure) + "/README.md")
        page.evaluate("(event) => { window.EVENT = event; }",
                      {"event": event.id, "format": event.format, "archers": event.archers})  # fmt: skip
        page.evaluate(OPEN, [address or "http://" + event.running.address, event.running.token, options])
        return page

    def expect_stored_once(self, page: Page, event: Event) -> int:
        """Compares the server's arrows with the operations that the outbox knows as stored."""
        own = page.evaluate("""async () => (await outbox.entries("stored")).map((entry) => [entry.subject,
          entry.operation.endIndex ?? 0, entry.operation.arrowIndex ?? 0, entry.clientId])""")
        server = [[archer, *slot, name] for archer in event.archers
                  for slot, (_, name) in event.operations(archer).items()]  # fmt: skip
        self.assertEqual(sorted(own), sorted(server))
        return len(own)

    def test_arrows_are_stored_once_in_both_contexts(self) -> None:
        for origin in [self.insecure, self.secure]:
            with self.subTest(origin):
                event = Event(self.running)
                page = self.page(self.context(), event, origin)
                self.assertEqual(page.evaluate("isSecureContext"), origin == self.secure)
                page.evaluate("""async () => {
                  const [one] = EVENT.archers;
                  for (const [place, text] of ["X", "10", "M"].entries()) {
                    await outbox.change(arrow(one, 0, place, text), { cursor: { participant: one, endIndex: 0 } });
                  }
                }""")
                page.evaluate("until((summary) => summary.waiting === 0)")
                self.assertEqual(event.arrows(event.archers[0]),
                                 {(0, 0): "X", (0, 1): "10", (0, 2): "M"})  # fmt: skip
                self.assertEqual(self.expect_stored_once(page, event), 3)
                card = page.evaluate("""async () => {
                  const [card] = await outbox.cards([{ participant: EVENT.archers[0], format: EVENT.format }]);
                  return [card.tally.total, card.tally.endsCompleted, card.ends[0].arrows.map((one) => one.mark)];
                }""")
                self.assertEqual(card, [20, 1, ["synced"] * 3])

    def test_a_connection_cut_after_each_byte_of_a_conversation(self) -> None:
        """All numbers of bytes with QUIVER_EVERY_BYTE=1, else each 29th from a random one."""
        pages, step = 6, 1 if os.environ.get("QUIVER_EVERY_BYTE") else 29
        event = Event(self.running, archers=pages * (4 if step == 1 else 1), codename="wa1440_90")
        first = random.Random(self.seed).randrange(1, step + 1)
        running = []
        for number in range(pages):
            relay = self.relay()
            page = self.page(self.context(), event, address=relay.address)
            page.expose_function("arm", relay.arm)
            page.evaluate("""async ([number, pages, first, step]) => {
              const slots = EVENT.archers.filter((_, index) => index % pages === number).flatMap((archer) =>
                Array.from({ length: 144 }, (_, index) => [archer, Math.floor(index / 6), index % 6]));
              window.finished = (async () => {
                let count = 0;
                for (let cut = first + number * step; ; cut += pages * step, count += 1) {
                  await arm(cut);
                  const [archer, end, place] = slots.shift();
                  await outbox.change(arrow(archer, end, place, "9"));
                  await until((summary) => summary.waiting === 0);
                  // The whole conversation was shorter.
                  if (!await arm(1e9)) return count;
                }
              })();
            }""", [number, pages, first, step])
            running.append(page)
        cuts = [page.evaluate("finished") for page in running]
        self.assertGreater(min(cuts), 500 // (pages * step))
        own: list[Any] = []
        for page in running:
            own += page.evaluate("""async () => (await outbox.entries("stored")).map((entry) => [entry.subject,
              entry.operation.endIndex, entry.operation.arrowIndex, entry.clientId])""")
        server = [[archer, *slot, name] for archer in event.archers
                  for slot, (_, name) in event.operations(archer).items()]  # fmt: skip
        self.assertEqual(sorted(own), sorted(server))
        self.assertEqual(len(server), sum(cuts) + pages)
        print(f"{sum(cuts)} conversations were cut", file=sys.stderr)

    def test_a_browser_that_is_killed_keeps_what_it_has_said_is_stored(self) -> None:
        event = Event(self.running, archers=1, codename="wa1440_90")
        folder = tempfile.mkdtemp(prefix="quiver-browser")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        dice = random.Random(self.seed)
        relay = self.relay()
        said = 0
        for kill in range(4):
            context = self.playwright.chromium.launch_persistent_context(
                folder, executable_path=self.chromium, args=self.arguments)
            # Half of the kills: nothing arrives, or no answer comes back.
            relay.is_silent = kill % 2 == 0
            page = self.page(context, event, address=relay.address)
            stored = page.evaluate("async () => (await outbox.entries('waiting', 'stored')).length")
            self.assertGreaterEqual(stored, said)
            cursor = page.evaluate("outbox.shown('cursor')")
            self.assertEqual(cursor, stored if stored else None)
            page.evaluate("""(stored) => {
              window.said = stored;
              (async () => {
                // Four pages fill no card, however late each is killed.
                while (said < stored + 30) {
                  const next = said;
                  const change = arrow(EVENT.archers[0], Math.floor(next / 6), next % 6, "8");
                  await outbox.change(change, { cursor: next + 1 });
                  said = next + 1;
                }
              })();
            }""", stored)
            page.wait_for_function("(least) => said > least", arg=stored + dice.randrange(6))
            said = page.evaluate("said")
            for process in processes_of(folder):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            with contextlib.suppress(Exception):
                context.close()
            for name in ("SingletonLock", "SingletonSocket", "SingletonCookie"):
                pathlib.Path(folder, name).unlink(missing_ok=True)
        relay.is_silent = False
        context = self.playwright.chromium.launch_persistent_context(
            folder, executable_path=self.chromium, args=self.arguments)
        page = self.page(context, event)
        page.evaluate("until((summary) => summary.waiting === 0)")
        self.assertGreaterEqual(self.expect_stored_once(page, event), said)
        context.close()

    def test_one_of_two_tabs_sends_and_the_other_goes_on_when_it_is_closed(self) -> None:
        for origin in [self.insecure, self.secure]:
            with self.subTest(origin):
                event = Event(self.running)
                context = self.context()
                times = {"lease": 1500, "renew": 200, "patience": 1500}
                tabs = [self.page(context, event, origin, times=times) for _ in range(2)]
                for number, tab in enumerate(tabs):
                    tab.evaluate("""(number) => {
                      window.entered = (async () => {
                        for (let index = 0; index < 30; index += 1) {
                          await outbox.change(arrow(EVENT.archers[number], Math.floor(index / 3), index % 3, "7"));
                        }
                      })();
                    }""", number)
                for tab in tabs:
                    tab.evaluate("entered")
                    tab.evaluate("until((summary) => summary.waiting === 0)")
                leading = [tab.evaluate("outbox.election.isLeading") for tab in tabs]
                self.assertEqual(sorted(leading), [False, True])
                leader, other = tabs if leading[0] else tabs[::-1]
                ids = other.evaluate("""async () => (await outbox.entries("stored")).map(({ clientId }) =>
                  Array.from(atob(clientId), (one) => one.charCodeAt(0).toString(16).padStart(2, "0")).join(""))""")
                self.assertEqual(ids, sorted(set(ids)))
                leader.close()
                other.evaluate("outbox.change(arrow(EVENT.archers[0], 10, 0, '6'))")
                other.evaluate("until((summary) => summary.waiting === 0)")
                self.assertEqual(self.expect_stored_once(other, event), 61)

    def test_a_tab_that_hangs_is_passed_over(self) -> None:
        for origin in [self.insecure, self.secure]:
            with self.subTest(origin):
                event = Event(self.running)
                context = self.context()
                times = {"lease": 1000, "renew": 200, "patience": 1000}
                hanging = self.page(context, event, origin, times=times)
                hanging.evaluate("outbox.change(arrow(EVENT.archers[0], 0, 0, '6'))")
                hanging.evaluate("until((summary) => summary.waiting === 0)")
                hanging.evaluate("void setTimeout(() => { for (;;); })")
                other = self.page(context, event, origin, times=times)
                other.evaluate("outbox.change(arrow(EVENT.archers[0], 0, 1, '5'))")
                other.evaluate("until((summary) => summary.waiting === 0)")
                self.assertEqual(event.arrows(event.archers[0]), {(0, 0): "6", (0, 1): "5"})

    def test_a_clock_that_is_wrong_by_two_days_orders_nothing(self) -> None:
        event = Event(self.running)
        context = self.context("""const real = Date.now;
          Date.now = () => real() + Number(localStorage.getItem("days") ?? 0) * 86_400_000;""")
        ids: list[str] = []
        for place, days in enumerate([2, -2, 0]):
            page = self.page(context, event)
            page.evaluate("(days) => localStorage.setItem('days', days)", days)
            ids += page.evaluate("""async (place) => (await outbox.change(
              arrow(EVENT.archers[0], 0, place, "9"))).map((entry) => entry.clientId)""", place)
            page.evaluate("until((summary) => summary.waiting === 0)")
            page.close()
        page = self.page(context, event)
        numbers = [page.evaluate("(id) => Array.from(atob(id), (one) => one.charCodeAt(0))", one) for one in ids]
        self.assertEqual(numbers, sorted(numbers))
        self.assertEqual(self.expect_stored_once(page, event), 3)

    def test_storage_that_is_refused_or_full_is_told_before_the_first_arrow(self) -> None:
        event = Event(self.running)
        for script, code in [
            ("Object.defineProperty(window, 'indexedDB', { value: undefined });", "STORAGE_REFUSED"),
            ("""IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };""",
             "STORAGE_REFUSED"),
        ]:  # fmt: skip
            context = self.context(script)
            self.assertEqual(self.refusal(context, event), code)
        context = self.context()
        page = context.new_page()
        page.goto(self.insecure + "/README.md")
        session = context.new_cdp_session(page)
        session.send("Storage.overrideQuotaForOrigin", {"origin": self.insecure, "quotaSize": 1000})
        self.assertEqual(self.refusal(context, event), "STORAGE_FULL")
        session.send("Storage.overrideQuotaForOrigin", {"origin": self.insecure, "quotaSize": 4_000_000})
        page = self.page(context, event)
        page.evaluate("outbox.change(arrow(EVENT.archers[0], 0, 0, '9'), { note: 'small' })")
        code = page.evaluate("""outbox.change(arrow(EVENT.archers[0], 0, 1, "8"),
          { note: crypto.getRandomValues(new Uint8Array(60_000)).join(" ").repeat(40) })
          .catch((error) => error.code)""")
        self.assertEqual(code, "STORAGE_FULL")
        self.assertEqual(page.evaluate("outbox.shown('note')"), "small")
        page.evaluate("until((summary) => summary.waiting === 0)")
        self.assertEqual(event.arrows(event.archers[0]), {(0, 0): "9"})

    def test_sending_goes_on_after_a_verdict_could_not_be_stored(self) -> None:
        for origin in [self.insecure, self.secure]:
            with self.subTest(origin):
                event = Event(self.running)
                page = self.page(self.context(), event, origin)
                page.evaluate("""async () => {
                  const { put } = IDBObjectStore.prototype;
                  window.failures = 0;
                  IDBObjectStore.prototype.put = function (value, key) {
                    if (this.name === "entries" && value.state === "stored" && failures++ === 0) {
                      throw new DOMException("full", "QuotaExceededError");
                    }
                    return key === undefined ? put.call(this, value) : put.call(this, value, key);
                  };
                  await outbox.change(arrow(EVENT.archers[0], 0, 0, "9"));
                }""")
                page.evaluate("until((summary) => summary.waiting === 0)")
                self.assertGreater(page.evaluate("failures"), 1)
                self.assertEqual(event.arrows(event.archers[0]), {(0, 0): "9"})
                self.assertEqual(self.expect_stored_once(page, event), 1)

    def refusal(self, context: BrowserContext, event: Event) -> str:
        page = context.new_page()
        page.goto(self.insecure + "/README.md")
        code = page.evaluate("""async (address) => {
          const { connect, Outbox } = await import("/src/index.js");
          return Outbox.open(connect(address)).then(() => "", (error) => error.code);
        }""", "http://" + self.running.address)
        page.close()
        return str(code)

    def test_a_page_of_another_version_stores_nothing(self) -> None:
        event = Event(self.running)
        context = self.context()
        page = self.page(context, event)
        page.evaluate("""() => new Promise((resolve, reject) => {
          const opening = indexedDB.open("quiver", 2);
          opening.onsuccess = () => { opening.result.close(); resolve(); };
          opening.onerror = () => reject(opening.error);
        })""")
        self.assertEqual(page.evaluate("outdated"), 1)
        code = page.evaluate("outbox.change(arrow(EVENT.archers[0], 0, 0, '9')).catch((error) => error.code)")
        self.assertEqual(code, "CLOSED")
        self.assertEqual(self.refusal(context, event), "OUTDATED")

    def test_verdicts_decide(self) -> None:
        event = Event(self.running)
        first, second = event.archers
        page = self.page(self.context(), event)
        # CONFLICT: somebody else has entered another value.
        for place in range(2):
            event.call("Tournament/RecordArrow", operation={"participantId": first, "arrowIndex": place, "value": 9})
        held = page.evaluate("""async ([one]) => {
          await outbox.change([arrow(one, 0, 0, "9"), arrow(one, 0, 1, "10"), arrow(one, 0, 2, "8")]);
          await outbox.change(arrow(one, 0, 1, "7", { reason: "misheard" }));
          await until((summary) => summary.held === 1 && summary.waiting === 1);
          const [entry] = await outbox.entries("conflict");
          const [card] = await outbox.cards([{ participant: one, format: EVENT.format }]);
          const { arrow: shown, held, mark } = card.ends[0].arrows[1];
          return [entry.code, shown.value, held.value, mark, entry.sequence];
        }""", event.archers)
        # The correction waits with what it replaces, and is shown.
        self.assertEqual(held[:4], ["ABORTED", 7, 10, "conflict"])
        self.assertEqual(event.arrows(first), {(0, 0): "9", (0, 1): "9", (0, 2): "8"})
        page.evaluate("(sequence) => outbox.overwrite(sequence)", held[4])
        page.evaluate("until((summary) => summary.held === 0 && summary.waiting === 0)")
        self.assertEqual(event.arrows(first), {(0, 0): "9", (0, 1): "7", (0, 2): "8"})
        # NOT_YET: the event is paused.
        event.call("Tournament/PauseTournament", id=event.id)
        page.evaluate("outbox.change(arrow(EVENT.archers[1], 0, 0, '6'))")
        message = page.evaluate("""async () => {
          for (;;) {
            const [entry] = await outbox.entries("waiting");
            if (entry.deferrals > 0) return entry.message;
            await new Promise((wake) => { setTimeout(wake, 20); });
          }
        }""")
        self.assertIn("paused", message)
        self.assertEqual(event.arrows(second), {})
        event.call("Tournament/StartTournament", id=event.id)
        page.evaluate("until((summary) => summary.waiting === 0)")
        self.assertEqual(event.arrows(second), {(0, 0): "6"})
        # REFUSED, alone: the others of the call are stored.
        event.call("Tournament/WithdrawParticipant", participantId=second)
        page.evaluate("""async ([one, two]) => {
          await outbox.change([arrow(two, 0, 1, "6"), arrow(one, 1, 0, "6")]);
          await until((summary) => summary.held === 1 && summary.waiting === 0);
          const [entry] = await outbox.entries("refused");
          await outbox.discard(entry.sequence);
          await until((summary) => summary.held === 0);
        }""", event.archers)
        self.assertEqual(event.arrows(first)[1, 0], "6")
        # LATE: the event is final.
        event.call("Tournament/FinaliseTournament", id=event.id, anyway=True)
        page.evaluate("outbox.change(arrow(EVENT.archers[0], 1, 1, '5'))")
        page.evaluate("until((summary) => summary.held === 1 && summary.waiting === 0)")
        self.assertEqual(page.evaluate("outbox.entries('late').then((found) => found.length)"), 1)
        self.assertEqual(page.evaluate("outbox.undo(EVENT.event).catch((error) => error.code)"), "NOT_POSSIBLE")

    def test_undo_goes_back_step_by_step(self) -> None:
        event = Event(self.running)
        relay = self.relay()
        page = self.page(self.context(), event, address=relay.address)
        page.evaluate("""async ([one]) => {
          await outbox.change([arrow(one, 0, 0, "9"), arrow(one, 0, 1, "8")]);
          await until((summary) => summary.waiting === 0);
          await outbox.change(arrow(one, 0, 0, "10", { reason: "misread" }));
          await until((summary) => summary.waiting === 0);
        }""", event.archers)
        self.assertEqual(event.arrows(event.archers[0]), {(0, 0): "10", (0, 1): "8"})
        step = page.evaluate("outbox.undo(EVENT.event)")
        self.assertEqual(step, {"participant": event.archers[0], "slot": {"endIndex": 0, "arrowIndex": 0}})
        page.evaluate("until((summary) => summary.waiting === 0)")
        self.assertEqual(event.arrows(event.archers[0]), {(0, 0): "9", (0, 1): "8"})
        page.evaluate("outbox.undo(EVENT.event)")
        page.evaluate("until((summary) => summary.waiting === 0)")
        self.assertEqual(event.arrows(event.archers[0]), {})
        self.assertIsNone(page.evaluate("outbox.undo(EVENT.event)"))
        # What was never sent leaves no trace; entering again names the retraction.
        relay.is_silent = True
        kinds = page.evaluate("""async ([one]) => {
          outbox.close();
          const { Outbox } = await import("/src/index.js");
          window.outbox = await Outbox.open(client, { locks: { request: () => new Promise(() => {}),
            query: async () => ({ held: [] }) } });
          await outbox.change(arrow(one, 0, 0, "7"));
          await outbox.undo(EVENT.event);
          const gone = (await outbox.entries()).length;
          await outbox.change(arrow(one, 0, 0, "6"));
          return [gone, (await outbox.entries()).map((entry) => entry.operation.kind)];
        }""", event.archers)
        self.assertEqual(kinds, [0, ["OPERATION_KIND_CORRECT"]])

    @staticmethod
    def restore(running: Running, backup: str) -> None:
        """Begins a new epoch from a backup."""
        data = pathlib.Path(running.folder, "data")
        token = pathlib.Path(running.token_file).read_text()
        shutil.rmtree(data)
        subprocess.run([str(PROGRAMS / "quiverd"), "restore", backup, "--data", str(data)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        pathlib.Path(running.token_file).write_text(token)
        running.start_server()

    def test_what_a_device_stored_is_offered_again_to_a_restored_store(self) -> None:
        running = Running("--allow-origin", self.insecure)
        self.addCleanup(running.end)
        event = Event(running, archers=1)
        page = self.page(self.context(), event)
        page.evaluate("""() => {
          const watch = client.watch("Tournament/WatchLeaderboard", { tournamentId: EVENT.event },
            { onState: (state) => { if (state.name === "live") outbox.wake(); } });
          window.epochs = [];
          (async () => {
            for await (const { message } of watch) {
              const { storeEpoch } = message.span;
              if (epochs.at(-1) !== storeEpoch) epochs.push(storeEpoch);
              await outbox.take({ storeEpoch });
            }
          })();
        }""")
        enter = """async ([end, text]) => {
          for (let place = 0; place < 3; place += 1) await outbox.change(arrow(EVENT.archers[0], end, place, text));
          await until((summary) => summary.waiting === 0);
        }"""
        page.wait_for_function("epochs.length === 1")
        page.evaluate(enter, [0, "9"])
        backup = f"{running.folder}/backup.db"
        running.quiver("admin", "backup", backup)
        page.evaluate(enter, [1, "8"])
        running.server.kill()
        running.server.wait()
        page.evaluate("outbox.change(arrow(EVENT.archers[0], 2, 0, '7'))")
        self.restore(running, backup)
        page.wait_for_function("epochs.length === 2")
        page.evaluate("until((summary) => summary.waiting === 0 && summary.held === 0)")
        wanted = {(0, place): "9" for place in range(3)} | {(1, place): "8" for place in range(3)} | {(2, 0): "7"}
        self.assertEqual(event.arrows(event.archers[0]), wanted)
        self.assertEqual(self.expect_stored_once(page, event), 7)

    def test_sixty_phones_bring_back_every_arrow_of_an_event_whose_backup_is_restored(self) -> None:
        """Phones score while a backup is taken, and until the server is killed; a third has no network for a while.

        Then the backup is restored. Each phone has an outbox and an address of its own in one page.
        """
        count, ends = 60, 6
        running = Running("--allow-origin", self.insecure)
        self.addCleanup(running.end)
        event = Event(running, archers=count)
        relays = [Relay(running.port) for _ in range(count)]
        for relay in relays:
            self.addCleanup(relay.close)
        page = self.page(self.context(), event)
        dice = random.Random(self.seed)
        page.evaluate("""async ([addresses, token, ends, waits]) => {
          const rest = (milliseconds) => new Promise((wake) => { setTimeout(wake, milliseconds); });
          window.phones = [];
          for (const [number, address] of addresses.entries()) {
            const client = connect(address, { token, timeout: 5000 });
            const outbox = await Outbox.open(client, { name: `phone ${number}`, device: `phone ${number}` });
            const phone = { outbox, epochs: [], entered: 0 };
            phones.push(phone);
            const watch = client.watch("Tournament/WatchLeaderboard", { tournamentId: EVENT.event },
              { onState: (state) => { if (state.name === "live") outbox.wake(); } });
            (async () => {
              for await (const { message } of watch) {
                const { storeEpoch } = message.span;
                if (phone.epochs.at(-1) !== storeEpoch) phone.epochs.push(storeEpoch);
                await outbox.take({ storeEpoch });
              }
            })();
            phone.finished = (async () => {
              for (let end = 0; end < ends; end += 1) {
                for (let place = 0; place < 3; place += 1) {
                  await outbox.change(arrow(EVENT.archers[number], end, place, String((number + end + place) % 10 + 1)));
                  phone.entered += 1;
                }
                await rest(waits[number]);
              }
            })();
          }
          window.entered = () => phones.reduce((sum, phone) => sum + phone.entered, 0);
          window.acknowledged = async () => {
            const lists = await Promise.all(phones.map((phone) => phone.outbox.entries("stored")));
            return lists.reduce((sum, list) => sum + list.length, 0);
          };
        }""", [[relay.address for relay in relays], running.token, ends,
               [dice.randrange(1_000, 4_000) for _ in relays]])  # fmt: skip
        page.wait_for_function("phones.every((phone) => phone.epochs.length === 1)")
        self.assertTrue(wait_until(lambda: page.evaluate("acknowledged()") > count, 120))
        backup = f"{running.folder}/backup.db"
        running.quiver("admin", "backup", backup)
        at_backup = page.evaluate("acknowledged()")
        away = dice.sample(relays, count // 3)
        for relay in away:
            relay.is_silent = True
        self.assertTrue(wait_until(lambda: page.evaluate("acknowledged()") > at_backup + 3 * count, 120))
        running.server.kill()
        running.server.wait()
        lost = page.evaluate("acknowledged()") - at_backup
        data = pathlib.Path(running.folder, "data")
        token = pathlib.Path(running.token_file).read_text()
        shutil.rmtree(data)
        subprocess.run([str(PROGRAMS / "quiverd"), "restore", backup, "--data", str(data)], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        pathlib.Path(running.token_file).write_text(token)
        running.start_server()
        page.evaluate("Promise.all(phones.map((phone) => phone.finished))")
        for relay in away:
            relay.is_silent = False
            relay.cut()
        page.wait_for_function("phones.every((phone) => phone.epochs.length === 2)", timeout=120_000)
        settled = """async () => {
          const summaries = await Promise.all(phones.map((phone) => phone.outbox.summary()));
          return summaries.every((summary) => summary.waiting === 0 && summary.held === 0);
        }"""
        self.assertTrue(wait_until(lambda: page.evaluate(settled), 120))
        own = page.evaluate("""async () => {
          const lists = await Promise.all(phones.map((phone) => phone.outbox.entries("stored")));
          return lists.flat().map((entry) => [entry.subject, entry.operation.endIndex ?? 0,
            entry.operation.arrowIndex ?? 0, entry.clientId]);
        }""")
        server = [[archer, *slot, name] for archer in event.archers
                  for slot, (_, name) in event.operations(archer).items()]  # fmt: skip
        self.assertEqual(sorted(own), sorted(server))
        self.assertEqual(len(server), count * ends * 3)
        print(f"{lost} of {len(server)} acknowledged arrows were not in the backup", file=sys.stderr)

    def test_a_message_older_than_a_verdict_takes_nothing_off_a_card(self) -> None:
        event = Event(self.running, archers=1)
        page = self.page(self.context(), event)
        texts = page.evaluate("""async ([participant]) => {
          const read = async () => (await client.call("Rounds/GetScorecard", { participantId: participant })).arrows ?? [];
          const ends = async () => (await client.call("Events/GetComparedCard", { participantId: participant })).ends ?? [];
          const shown = async () => {
            const [card] = await outbox.cards([{ participant, format: EVENT.format }]);
            const second = (await outbox.secondCard(participant)).get(0)?.arrows ?? [];
            return [...card.ends[0].arrows.map((one) => one?.arrow ?? null), ...second]
              .map((one) => one ? scoring.arrowText(one) : "-").join(" ");
          };
          const end = (texts, reason) => ({ kind: "end", event: EVENT.event, participant, format: EVENT.format, endIndex: 0,
            arrows: texts.map(scoring.arrowOfText), reason });
          const [found, storeEpoch] = [[], "5"];
          await outbox.take({ arrows: { [participant]: [] }, ends: { [participant]: [] }, storeEpoch });
          await outbox.change([arrow(participant, 0, 0, "9"), end(["9", "9", "9"])]);
          await until((summary) => summary.waiting === 0);
          const older = [await read(), await ends()];
          await outbox.take({ arrows: { [participant]: [] }, ends: { [participant]: [] }, storeEpoch });
          found.push(await shown());
          await outbox.change([arrow(participant, 0, 0, "8", { reason: "misheard" }), end(["8", "8", "8"], "misheard")]);
          await until((summary) => summary.waiting === 0);
          await outbox.take({ arrows: { [participant]: older[0] }, ends: { [participant]: older[1] }, storeEpoch });
          found.push(await shown(), await outbox.undoable(EVENT.event));
          await outbox.undo(EVENT.event);
          await outbox.undo(EVENT.event);
          await until((summary) => summary.waiting === 0);
          await outbox.take({ arrows: { [participant]: older[0] }, ends: { [participant]: await ends() }, storeEpoch });
          found.push(await shown(), await outbox.undoable(EVENT.event));
          // Another store has what it has.
          await outbox.take({ arrows: { [participant]: [] }, ends: { [participant]: [] }, storeEpoch: "6" });
          await until((summary) => summary.waiting === 0);
          return found;
        }""", event.archers)
        step = {"participant": event.archers[0], "slot": {"endIndex": 0, "arrowIndex": 0}, "count": 1, "isSent": True}
        self.assertEqual(texts, ["9 - - 9 9 9", "8 - - 8 8 8", step, "- - - 8 8 8", None])

    def test_second_cards_and_matches_go_the_same_way(self) -> None:
        event = Event(self.running, arrows=6)
        [category] = event.call("Events/ListEventCategories", tournamentId=event.id).get("categories") or [
            event.call("Events/CreateEventCategory",
                       category={"tournamentId": event.id, "code": "RM", "name": "Recurve"})]  # fmt: skip
        for archer, value in zip(event.archers, (9, 8), strict=True):
            for end in range(2):
                event.call("Tournament/RecordEnd", operations=[
                    {"participantId": archer, "endIndex": end, "arrowIndex": place, "value": value}
                    for place in range(3)])  # fmt: skip
        page = self.page(self.context(), event)
        cards = page.evaluate("""async () => {
          const [participant] = EVENT.archers;
          const end = (endIndex, texts, more = {}) => ({ kind: "end", event: EVENT.event, participant,
            format: EVENT.format, endIndex, arrows: texts.map(scoring.arrowOfText), ...more });
          await outbox.change(end(0, ["9", "9", "9"]));
          await outbox.change(end(1, ["8", "8", "M"]));
          await until((summary) => summary.waiting === 0);
          await outbox.change(end(1, ["X", "8", "7"], { reason: "misheard" }));
          const without = await outbox.change(end(0, ["9", "9", "8"])).catch((error) => error.code);
          // It is shown at once, sent or not.
          const shown = (await outbox.secondCard(participant)).get(1).arrows.map((arrow) => arrow.value);
          await until((summary) => summary.waiting === 0);
          const card = await outbox.secondCard(participant);
          return [without, shown, card.get(0).state, card.get(1).isWaiting];
        }""")
        self.assertEqual(cards, ["NOT_POSSIBLE", [10, 8, 7], "CARD_END_STATE_AGREED", False])
        found = event.call("Events/GetComparedCard", participantId=event.archers[0])["ends"]
        self.assertEqual([[arrow.get("value", 0) for arrow in end["second"]] for end in found],
                         [[9, 9, 9], [10, 8, 7]])  # fmt: skip
        bracket = event.call("Elimination/CutCategory", tournamentId=event.id, categoryId=category["id"], size=2,
                             system="MATCH_SYSTEM_INDIVIDUAL_SETS")  # fmt: skip
        match = bracket["matches"][0]["id"]
        result = page.evaluate("""async (match) => {
          const shot = (side, index, texts, more = {}) => ({ kind: "match", event: EVENT.event, match, side, index,
            arrows: texts.map(scoring.arrowOfText), ...more });
          const missing = await outbox.change(shot(1, 0, ["9", "9", "9"])).catch((error) => error.code);
          await outbox.take({ matches: [await client.call("Elimination/GetMatch", { matchId: match })] });
          for (let index = 0; index < 5; index += 1) {
            await outbox.change([shot(1, index, ["9", "9", "9"]), shot(2, index, ["10", "9", "8"])]);
          }
          await outbox.change(shot(2, 4, ["9", "9", "9"], { reason: "read again" }));
          const off = { isShootOff: true };
          await outbox.change([shot(1, 0, ["9"], off), shot(2, 0, ["9"], off)]);
          const tied = (await outbox.match(match)).score.progress;
          await until((summary) => summary.waiting === 0);
          await outbox.change([shot(1, 0, ["9"], { ...off, distances: [120] }),
            shot(2, 0, ["9"], { ...off, distances: [45] })]);
          const here = (await outbox.match(match)).score;
          await until((summary) => summary.waiting === 0);
          const { score, places } = await outbox.match(match);
          return [missing, tied, here, score, places.length, places.some((place) => place.isWaiting)];
        }""", match)
        score = {"setPoints": [5, 6], "totals": [135, 135], "endsCounted": 5,
                 "progress": {"name": "decided", "winner": 2, "decision": "distance"}}  # fmt: skip
        self.assertEqual(result, ["NOT_POSSIBLE", {"name": "measuring", "index": 0}, score, score, 12, False])
        server = event.call("Elimination/GetMatch", matchId=match)
        self.assertEqual([server["winner"], server["decision"]], [2, "MATCH_DECISION_DISTANCE"])
        self.assertEqual([side["setPoints"] for side in server["sides"]], [5, 6])

    CALLS = """() => {
      const id = () => btoa(String.fromCharCode(...uuid7()));
      window.named = new Map();
      window.create = (subject, pounds, clientId = id()) => named.set(clientId, subject) && ({ kind: "call", subject, method: "Logbook/CreateWeightEntry",
        request: { weightEntry: { clientId, thousandths: String(pounds * 1000), unit: "WEIGHT_UNIT_POUND", day: 20000, measuredAtMs: "1728000000000" } } });
      window.change = (subject, clientId, revision, note, after) => ({ kind: "call", subject, method: "Logbook/UpdateWeightEntry", after,
        revision: "weightEntry.revision", request: { weightEntry: { clientId, revision, note }, updateMask: ["note"] } });
      window.clientIdOf = (entry) => entry.operation.request.weightEntry.clientId;
      window.log = async () => (await client.call("Logbook/ListWeightEntries")).entries ?? [];
    }"""

    def test_calls_are_done_once_and_in_their_order_however_often_they_are_sent(self) -> None:
        event = Event(self.running, archers=1)
        relay = self.relay()
        page = self.page(self.context(), event, address=relay.address)
        page.expose_function("arm", relay.arm)
        page.evaluate(self.CALLS)
        # Other tests have entries of the same user.
        before = page.evaluate("async () => (await log()).map(({ id }) => String(id))")
        # A change of what is not stored yet has its revision from the answer to the creation, cut after any byte.
        count = page.evaluate("""async () => {
          let count = 0;
          for (let cut = 40; ; cut += 331, count += 1) {
            await arm(cut);
            const [made] = await outbox.change(create("a", 170 + count));
            const again = change("a", clientIdOf(made), "0", `note ${count}`, made.clientId);
            const [changed] = await outbox.change(again);
            await outbox.change(change("a", clientIdOf(made), "0", `second ${count}`, changed.clientId));
            await until((summary) => summary.waiting === 0 && summary.held === 0);
            if (!await arm(1e9)) return count + 1;
          }
        }""")
        log = [entry for entry in page.evaluate("log()") if str(entry["id"]) not in before]
        self.assertGreater(count, 2)
        self.assertEqual(len(log), count)
        self.assertEqual({(entry["note"], entry["revision"]) for entry in log}, {(f"second {number}", "3") for number in range(count)})
        # Nothing of a call that is done stays on the device.
        self.assertEqual(page.evaluate("outbox.entries('stored')"), [])

    def test_what_comes_after_a_refused_call_waits_for_a_person(self) -> None:
        event = Event(self.running, archers=1)
        page = self.page(self.context(), event)
        page.evaluate(self.CALLS)
        found = page.evaluate("""async () => {
          const [bad] = await outbox.change(create("b", 0));
          await outbox.change([change("b", clientIdOf(bad), "0", "behind", bad.clientId), create("c", 150)]);
          await until((summary) => summary.held === 1 && summary.waiting === 1);
          const [refused] = await outbox.entries("refused");
          await outbox.discard(refused.sequence);
          const left = await outbox.summary();
          return [refused.code, refused.message, left.waiting, left.held];
        }""")
        self.assertEqual(found[0], "INVALID_ARGUMENT")
        self.assertIn("weight_entry.thousandths", found[1])
        self.assertEqual(found[2:], [0, 0])
        # A stale revision needs a person at once, and a call that was never sent can be taken out.
        found = page.evaluate("""async () => {
          const entry = (await log()).find((one) => named.get(one.clientId) === "c");
          await outbox.change(change("c", entry.clientId, "1", "first"));
          await until((summary) => summary.waiting === 0);
          await outbox.change(change("c", entry.clientId, "1", "stale"));
          await until((summary) => summary.held === 1);
          const [conflict] = await outbox.entries("conflict");
          const refusal = await outbox.overwrite(conflict.sequence).catch((error) => error.code);
          await outbox.discard(conflict.sequence);
          const [blocked] = await outbox.change({ ...create("d", 160), after: "nothing" });
          await until((summary) => summary.waiting === 0);
          const [first, second] = await outbox.change([create("e", 0), create("e", 161)]);
          await outbox.change({ ...create("f", 162), after: first.clientId });
          await until((summary) => summary.held === 1 && summary.waiting === 1);
          const [waiting] = await outbox.entries("waiting");
          const gone = [await outbox.withdraw(waiting.sequence), await outbox.withdraw(waiting.sequence)];
          return [conflict.code, refusal, gone, (await log()).filter((one) => ["b", "c", "d", "e", "f"].includes(named.get(one.clientId)))
            .map((one) => [one.thousandths, one.note ?? ""])];
        }""")
        self.assertEqual(found[:3], ["ABORTED", "NOT_POSSIBLE", [True, False]])
        self.assertCountEqual(found[3], [["150000", "first"], ["160000", ""], ["161000", ""]])

    def test_a_call_is_amended_with_what_comes_after_it_and_forgetting_keeps_what_waits(self) -> None:
        event = Event(self.running, archers=1)
        page = self.page(self.context(), event)
        page.evaluate(self.CALLS)
        found = page.evaluate("""async () => {
          const [made] = await outbox.change(create("g", 150));
          await until((summary) => summary.waiting === 0);
          const clientId = clientIdOf(made);
          const [stale] = await outbox.change(change("g", clientId, "9", "amended"));
          await outbox.change(change("g", clientId, "0", "behind", stale.clientId));
          await until((summary) => summary.held === 1 && summary.waiting === 1);
          const early = await outbox.amend(stale.sequence + 1, {}).catch((error) => error.code);
          const { request } = stale.operation;
          await outbox.amend(stale.sequence, { ...request, weightEntry: { ...request.weightEntry, revision: "1" } });
          await until((summary) => summary.waiting === 0 && summary.held === 0);
          const [entry] = (await log()).filter((one) => one.clientId === clientId);
          await outbox.keep({ seen: 1 });
          await outbox.take({ arrows: { a: [{ value: 9 }] } });
          await outbox.change({ ...create("h", 0) });
          await until((summary) => summary.held === 1);
          await outbox.forget();
          const [refused] = await outbox.entries();
          const kept = [await outbox.shown("seen") ?? null, (await outbox.entries("stored")).length, refused.subject];
          await outbox.discard(refused.sequence);
          return [early, entry.note, entry.revision, kept];
        }""")
        self.assertEqual(found, ["NOT_POSSIBLE", "behind", "3", [None, 0, "h"]])

    def test_a_call_takes_the_field_that_it_names_from_the_answer_before(self) -> None:
        event = Event(self.running, archers=1)
        context = self.context()
        page = self.page(context, event)
        page.evaluate(self.CALLS)
        context.set_offline(True)
        page.evaluate("""async () => {
          const [made] = await outbox.change(create("i", 150));
          await outbox.change({ kind: "call", subject: "i", method: "Logbook/DeleteWeightEntry", request: {}, after: made.clientId, revision: "id", from: "id" });
          window.made = clientIdOf(made);
        }""")
        context.set_offline(False)
        found = page.evaluate("""async () => {
          await until((summary) => summary.waiting === 0);
          const { held } = await outbox.summary();
          const deleted = (await client.call("Logbook/ListWeightEntries", { deleted: true })).entries ?? [];
          return [held, (await log()).some((one) => one.clientId === made), deleted.some((one) => one.clientId === made)];
        }""")
        self.assertEqual(found, [0, False, True])

    def test_calls_of_before_a_restore_are_decided_by_a_person_and_later_ones_are_done(self) -> None:
        for hours in (1, -1):
            with self.subTest(hours):
                running = Running("--allow-origin", self.insecure)
                self.addCleanup(running.end)
                event = Event(running, archers=1)
                # Keys of a clock that is ahead look newer than the restored store, and those of one that is behind older.
                context = self.context(f"const real = Date.now; Date.now = () => real() + {hours * 3_600_000};")
                page = self.page(context, event)
                page.evaluate(self.CALLS)
                page.evaluate("""async () => {
                  window.follow = async () => {
                    const { storeEpoch } = await client.call("Account/WhoAmI");
                    await outbox.take({ storeEpoch });
                  };
                  await follow();
                  await outbox.change([create("first", 150), create("second", 160)]);
                  await until((summary) => summary.waiting === 0);
                  for (const one of await log()) window[named.get(one.clientId)] = one.id;
                  window.remove = (id) => ({ kind: "call", subject: id, method: "Logbook/DeleteWeightEntry", request: { id } });
                }""")
                backup = f"{running.folder}/backup.db"
                running.quiver("admin", "backup", backup)
                running.server.kill()
                running.server.wait()
                page.evaluate("outbox.change(remove(first))")
                self.restore(running, backup)
                # It names no revision: nothing but the epoch tells that the store is another one than the person saw.
                found = page.evaluate("""async () => {
                  await until((summary) => summary.waiting === 0);
                  await follow();
                  await outbox.change(remove(second));
                  await until((summary) => summary.waiting === 0);
                  const [{ sequence, state, code }, ...others] = await outbox.entries();
                  const left = (await log()).map((one) => named.get(one.clientId));
                  await outbox.retry(sequence);
                  await until((summary) => summary.waiting === 0);
                  return [state, code, others.length, left, await log(), (await outbox.summary()).held];
                }""")
                self.assertEqual(found, ["conflict", "ABORTED", 0, ["first"], [], 0])

    def test_practice_waits_for_the_call_that_creates_it(self) -> None:
        event = Event(self.running, archers=1)
        relay = self.relay()
        page = self.page(self.context(), event, address=relay.address)
        page.evaluate(self.CALLS)
        relay.arm(10)
        card = page.evaluate("""async () => {
          const id = () => btoa(String.fromCharCode(...uuid7()));
          const participant = id();
          const [call] = await outbox.change({ kind: "call", subject: participant, method: "Rounds/CreateSession",
            request: { clientId: id(), participantClientId: participant, format: { codename: "wa18" } } });
          const { format } = EVENT;
          const shoot = (place, text, more = {}) => outbox.change({ kind: "arrow", event: "", participant, format, endIndex: 0, arrowIndex: place,
            arrow: scoring.arrowOfText(text), after: call.clientId, ...more });
          await shoot(0, "X");
          await shoot(1, "7");
          await shoot(1, "8", { reason: "line cutter" });
          await shoot(2, "M");
          await outbox.undo("");
          await until((summary) => summary.waiting === 0);
          const { arrows } = await client.call("Rounds/GetScorecard", { participantClientId: participant });
          const [card] = await outbox.cards([{ participant, format }]);
          return [arrows.map((one) => one.value), card.tally.total, card.ends[0].arrows.map((one) => one?.arrow ? one.mark : null), await outbox.undoable("")];
        }""")
        self.assertEqual(card[:3], [[10, 8], 18, ["synced", "synced", None]])
        self.assertEqual(card[3]["count"], 1)

    def test_the_scorer_of_the_readme_scores(self) -> None:
        self.assertLessEqual(len(SCORER.partition("<script")[2].splitlines()), 30)
        event = Event(self.running, arrows=6)
        relay = self.relay()
        page = self.context().new_page()
        page.set_default_timeout(MILLISECONDS)
        page.goto(self.insecure + "/scorer#" + urllib.parse.urlencode({
            "address": relay.address, "token": self.running.token, "event": event.id,
            "participant": event.archers[0]}))  # fmt: skip
        shown = page.locator("p")

        def tap(text: str, after: str) -> None:
            page.get_by_role("button", name=text, exact=True).click()
            expect(shown.first).to_have_text(after)

        expect(shown.first).to_have_text("– – –, 0")
        tap("10", "10 – –, 10")
        expect(shown.last).to_have_text("0 waiting, 0 to decide")
        relay.is_silent = True
        tap("9", "10 9 –, 19")
        tap("M", "– – –, 19")
        tap("Undo", "10 9 –, 19")
        tap("X", "– – –, 29")
        page.reload()
        expect(shown.first).to_have_text("– – –, 29")
        for text, after in [("8", "8 – –, 37"), ("7", "8 7 –, 44"), ("6", "8 7 6, 50")]:
            tap(text, after)
        self.assertEqual(event.arrows(event.archers[0]), {(0, 0): "10"})
        relay.is_silent = False
        relay.cut()
        expect(shown.last).to_have_text("0 waiting, 0 to decide", timeout=MILLISECONDS)
        self.assertEqual(list(event.arrows(event.archers[0]).values()), ["10", "9", "X", "8", "7", "6"])

    def test_another_server_gets_nothing_with_a_token_that_it_does_not_know(self) -> None:
        event = Event(self.running)
        page = self.page(self.context(), event)
        other = Running("--allow-origin", self.insecure)
        self.addCleanup(other.end)
        state = page.evaluate("""async (address) => {
          outbox.use(connect(address, { token: "qv_unknown" }));
          await outbox.change(arrow(EVENT.archers[0], 0, 0, "9"));
          return (await until((summary) => summary.sender.name === "signedOut")).waiting;
        }""", "http://" + other.address)
        self.assertEqual(state, 1)
        page.evaluate("outbox.use(client)")
        page.evaluate("until((summary) => summary.waiting === 0)")
        self.assertEqual(self.expect_stored_once(page, event), 1)


def processes_of(folder: str) -> list[int]:
    """The processes of the browser that has its data in a folder."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if f"--user-data-dir={folder}".encode() in (path / "cmdline").read_bytes():
                found.append(int(path.name))
    return found


if __name__ == "__main__":
    unittest.main()
