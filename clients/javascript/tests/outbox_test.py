"""The outbox in Chromium, in a secure and in an insecure context, against a real gateway and server."""

from __future__ import annotations

import functools
import http.client
import http.server
import json
import os
import pathlib
import sys
import threading
import unittest
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/checks/gateway"))
from running import Running, wait_until  # noqa: E402

MILLISECONDS = 60_000

OPEN = """async ([address, token, options]) => {
  const { connect, Outbox, scoring } = await import("/src/index.js");
  Object.assign(window, { connect, Outbox, scoring, summaries: [], outdated: 0 });
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


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


class Event:
    """An event of some archers, and what the server says of it."""

    def __init__(self, running: Running, archers: int = 2, codename: str = "wa18") -> None:
        self.running = running
        made = self.call("Tournament/CreateTournament", name="Open", format={"codename": codename})
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

    def arrows(self, archer: str) -> dict[tuple[int, int], str]:
        """The arrows that the server has, by end and arrow, as on a score sheet."""
        found = {}
        for arrow in self.call("Rounds/GetScorecard", participantId=archer).get("arrows", []):
            if arrow.get("retracted"):
                continue
            value = arrow.get("value", 0)
            text = "X" if arrow.get("isX") else "M" if value == 0 else str(value)
            found[arrow.get("endIndex", 0), arrow.get("arrowIndex", 0)] = text
        return found


class OutboxTest(unittest.TestCase):
    browser: Browser
    files: http.server.ThreadingHTTPServer

    @classmethod
    def setUpClass(cls) -> None:
        handler = functools.partial(Files, directory=str(ROOT / "clients/javascript"))
        cls.files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.files.serve_forever, daemon=True).start()
        # A name that is no loopback address to the browser: its context is insecure.
        cls.insecure = f"http://club.test:{cls.files.server_port}"
        cls.secure = f"http://localhost:{cls.files.server_port}"
        cls.running = Running("--allow-origin", cls.insecure, "--allow-origin", cls.secure)
        cls.addClassCleanup(cls.running.end)
        cls.playwright = sync_playwright().start()
        cls.addClassCleanup(cls.playwright.stop)
        cls.browser = cls.playwright.chromium.launch(
            executable_path=os.environ.get("QUIVER_CHROMIUM", "/usr/bin/chromium"),
            args=["--no-sandbox", "--host-resolver-rules=MAP club.test 127.0.0.1"])  # fmt: skip
        cls.addClassCleanup(cls.browser.close)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.files.shutdown()
        cls.files.server_close()

    def context(self) -> BrowserContext:
        context = self.browser.new_context()
        self.addCleanup(context.close)
        return context

    def page(self, context: BrowserContext, event: Event, origin: str = "", address: str = "",
             **options: object) -> Page:  # fmt: skip
        page = context.new_page()
        page.set_default_timeout(MILLISECONDS)
        page.goto((origin or self.insecure) + "/README.md")
        page.evaluate("(event) => { window.EVENT = event; }",
                      {"event": event.id, "format": event.format, "archers": event.archers})  # fmt: skip
        page.evaluate(OPEN, [address or "http://" + self.running.address, self.running.token, options])
        return page

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
                card = page.evaluate("""async () => {
                  const [card] = await outbox.cards([{ participant: EVENT.archers[0], format: EVENT.format }]);
                  return [card.tally.total, card.tally.endsCompleted, card.ends[0].arrows.map((one) => one.mark)];
                }""")
                self.assertEqual(card, [20, 1, ["synced"] * 3])


if __name__ == "__main__":
    unittest.main()
