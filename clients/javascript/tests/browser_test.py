"""The client in Chromium, on a page without TLS and of another origin than the gateway's."""

from __future__ import annotations

import functools
import http.server
import os
import pathlib
import sys
import threading
import unittest

from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools/checks/gateway"))
from running import Running  # noqa: E402

MILLISECONDS = 60_000

CALLS = """async ([address, token]) => {
  const { connect, uuid7 } = await import("/src/index.js");
  window.client = connect(address, { token });
  const riser = { brand: "Hoyt", model: "Formula XD", clientId: uuid7() };
  const { id } = await client.call("Equipment/CreateRiser", { riser });
  const fail = { code: 14, message: "shut", notProcessed: true, retryAfterMs: 7 };
  const error = await client.call("Diagnostics/Fail", fail).catch((error) => error);
  return [isSecureContext, typeof id, error.code, error.message, error.notProcessed,
    error.retryAfterMilliseconds];
}"""

WATCH = """() => {
  window.states = [];
  window.updates = [];
  const watch = client.watch("Equipment/WatchItems", {},
    { onState: (state) => states.push(state.name), times: { again: 100 } });
  window.left = (async () => {
    for await (const { message, startsSnapshot } of watch) {
      updates.push([startsSnapshot, message.changed.length]);
      if (updates.length === 2) break;
    }
  })();
}"""

CHANGE = """async () => {
  await client.call("Equipment/CreateRiser", { riser: { brand: "Win&Win", model: "M" } });
  await left;
}"""


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


class BrowserTest(unittest.TestCase):
    def test_calls_and_a_watch_over_a_restart_of_the_gateway(self) -> None:
        handler = functools.partial(Files, directory=str(ROOT / "clients/javascript"))
        files = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(files.server_close)
        threading.Thread(target=files.serve_forever, daemon=True).start()
        self.addCleanup(files.shutdown)
        # A name that is no loopback address to the browser: its context is insecure.
        origin = f"http://club.test:{files.server_port}"
        running = Running("--allow-origin", origin)
        self.addCleanup(running.end)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=os.environ.get("QUIVER_CHROMIUM", "/usr/bin/chromium"),
                args=["--no-sandbox", "--host-resolver-rules=MAP club.test 127.0.0.1"])  # fmt: skip
            page = browser.new_page()
            page.set_default_timeout(MILLISECONDS)
            page.goto(origin + "/README.md")
            found = page.evaluate(CALLS, ["http://" + running.address, running.token])
            self.assertEqual(found, [False, "string", "UNAVAILABLE", "shut", True, 7])

            page.evaluate(WATCH)
            page.wait_for_function("updates.length === 1")
            running.gateway.kill()
            running.gateway.wait()
            page.wait_for_function("states.at(-1) === 'lost'")
            running.start_gateway()
            page.wait_for_function("states.at(-1) === 'live'")
            page.evaluate(CHANGE)
            self.assertEqual(page.evaluate("updates"), [[True, 1], [False, 1]])
            self.assertEqual(page.evaluate("states"), ["live", "lost", "live"])
            browser.close()


if __name__ == "__main__":
    unittest.main()
