"""A conversation of a phone with the gateway that is cut after its n-th byte, for all n.

A phone joins a target, follows it, enters an end of three arrows and a correction, and leaves. The first n bytes pass, both ways
together; then all connections are reset, and what the phone sends again passes. QUIVER_LONG=1 takes each n, otherwise every 997th is
taken, from one that the seed gives (QUIVER_SEED=NUMBER plays it again)."""

from __future__ import annotations

import os
import random
import sys
import time

from playwright.sync_api import Page

from faults import Faults, Proxy
import kit
from phones import HOST, Event, PageTest

IS_LONG = os.environ.get("QUIVER_LONG") == "1"
STEP = 1 if IS_LONG else 997
TABS = 16 if IS_LONG else 4
# Each conversation has an end of its own.
ENDS = 20

# Talks with the modules of the page: its own client, watch and outbox.
CONVERSATION = """async ({ code, archer, event, endIndex, number, values }) => {
  const { connect } = await import("/client/client.js");
  const { Outbox } = await import("/client/outbox.js");
  const { base64 } = await import("/client/json.js");
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const text = base64(bytes).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_");
  const client = connect("", { token: `qd_${text}` });
  const wait = (milliseconds) => new Promise((wake) => { setTimeout(wake, milliseconds); });
  // A person tries again what the client gives up.
  const call = async (method, request, options = {}) => {
    for (let count = 0; ; count += 1) {
      try {
        return await client.call(method, request, { timeout: 10_000, ...options });
      } catch (error) {
        if (!["UNAVAILABLE", "DEADLINE_EXCEEDED"].includes(error.code) || count === 20) throw error;
        await wait(50);
      }
    }
  };
  const join = () => call("Events/JoinTarget", { code, card: 1, device: `Phone ${number}`, deviceSecret: base64(bytes) }, { token: null });
  const { lease } = await join();
  const outbox = await Outbox.open(client, { name: `cut-${number}`, device: `Phone ${number}` });
  const watch = client.watch("Events/WatchTargets", { tournamentId: event });
  let format = null;
  for await (const { message } of watch) {
    const entry = (message.targets ?? []).flatMap((target) => target.entries ?? [])
      .find((one) => one.entry.participantId === archer);
    if (!entry) continue;
    format = entry.format;
    await outbox.take({ arrows: { [archer]: entry.arrows ?? [] }, storeEpoch: message.span?.storeEpoch });
    break;
  }
  const put = (arrowIndex, value, reason) => ({ kind: "arrow", event, participant: archer, format, endIndex, arrowIndex,
    arrow: { value, isX: false }, reason });
  for (const [slot, value] of values.entries()) await outbox.change(put(slot, value));
  await outbox.change(put(1, values[1] === 5 ? 4 : 5, "misheard"));
  const end = performance.now() + 60_000;
  for (;;) {
    const { waiting, held } = await outbox.summary();
    if (waiting === 0 && held === 0) break;
    if (performance.now() > end || held > 0) return { fault: JSON.stringify(await outbox.entries()) };
    await wait(20);
  }
  const ids = (await outbox.entries("stored")).map((one) => one.clientId);
  outbox.close();
  await call("Events/LeaveTarget", { tournamentId: event, sessionId: lease.sessionId ?? "0", target: lease.target, card: 1 })
    .catch((error) => { if (error.code !== "NOT_FOUND") throw error; });
  indexedDB.deleteDatabase(`cut-${number}`);
  return { ids };
}"""


class CutTest(PageTest):
    def setUp(self) -> None:
        self.faults = Faults()
        self.addCleanup(self.faults.end)
        self.values: dict[int, list[int]] = {}

    def new_event(self) -> None:
        """An archer for each tab, on a target of its own."""
        self.event = Event(self.running, [f"Archer {tab}" for tab in range(TABS)], per_target=1, first_target=1,
                           arrows=3 * ENDS)  # fmt: skip
        self.codes = self.event.codes()
        self.end = -1

    def test_a_conversation_that_is_cut_after_any_byte_stores_each_arrow_once(self) -> None:
        self.new_event()
        tabs = [(Proxy(self.faults, self.running.port), self.context().new_page()) for _ in range(TABS)]
        for proxy, page in tabs:
            page.goto(f"http://{HOST}:{proxy.port}/score")
            page.wait_for_selector("form.code")
            # Its files come from the network, and are no part of the conversation.
            page.evaluate("() => Promise.all(['client', 'outbox', 'json'].map((name) => import(`/client/${name}.js`)))")
        proxy, page = tabs[0]
        before = proxy.passed
        self.end += 1
        self.begin(page, 0, 0)
        self.finish(page, 0)
        total = proxy.passed - before
        self.assertGreater(total, 2000)
        numbers = list(range(0 if IS_LONG else random.Random(self.seed).randrange(STEP), total + 1, STEP))
        count, wrong, began = len(numbers), 0, time.monotonic()
        while numbers:
            self.end += 1
            if self.end == ENDS:
                self.new_event()
                self.end += 1
            running = []
            for tab, (proxy, page) in enumerate(tabs[: len(numbers)]):
                cut = numbers.pop(0)
                proxy.cut_after(cut)
                self.begin(page, tab, count - len(numbers))
                running.append((page, tab, cut))
            for page, tab, cut in running:
                with self.subTest(cut=cut):
                    wrong += 1
                    self.finish(page, tab)
                    wrong -= 1
            for proxy, _ in tabs:
                proxy.open()
        self.assertGreater(sum(proxy.resets for proxy, _ in tabs), 0.8 * count)
        print(f"{count} conversations of {total} bytes, cut after every {STEP}th: {wrong} differences, "
              f"{time.monotonic() - began:.0f} s", file=sys.stderr)  # fmt: skip

    def begin(self, page: Page, tab: int, number: int) -> None:
        values = [(number + slot) % 10 + 1 for slot in range(3)]
        self.values[tab] = [values[0], 4 if values[1] == 5 else 5, values[2]]
        request = {"code": self.codes[tab + 1], "archer": self.event.archers[tab], "event": self.event.id,
                   "endIndex": self.end, "number": number, "values": values}  # fmt: skip
        page.evaluate(f"(request) => {{ window.playing = ({CONVERSATION})(request); window.playing.catch(() => {{}}); }}",
                      request)  # fmt: skip

    def finish(self, page: Page, tab: int) -> None:
        """Compares the end with what was entered."""
        said = page.evaluate("() => window.playing")
        self.assertNotIn("fault", said)
        found = self.event.operations(self.event.archers[tab])
        here = [one for (end, _), one in sorted(found.items()) if end == self.end]
        self.assertEqual([text for text, _ in here], [str(one) for one in self.values[tab]])
        self.assertEqual({name for _, name in here} - set(said["ids"]), set())
        names = [name for _, name in found.values()]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    kit.main()
