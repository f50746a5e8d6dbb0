#!/usr/bin/env python3
"""Scores a tournament that survives lost connections and restarts of the server.

usage: scorer.py [ARCHERS [ENDS]]     the server and the token are those of the environment, or of quiver login

Every arrow has a client_id, so that it may be sent until it is acknowledged and counts once. The program
prints each end, compares the standings with its own sums, and exits with 1 if they differ.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

import quiver
from quiver import CallOptions, RPCError, StatusCode, v1

Result = TypeVar("Result")


async def until_acknowledged(call: Callable[[CallOptions], Awaitable[Result]]) -> Result:
    """Makes a call with one key until the server answers."""
    options = CallOptions(key=os.urandom(16), wait_for_ready=True, timeout=10)
    while True:
        try:
            return await call(options)
        except RPCError as error:
            if error.code not in (StatusCode.UNAVAILABLE, StatusCode.DEADLINE_EXCEEDED):
                raise
            print(f"again: {error}", file=sys.stderr)
            await asyncio.sleep(0.2)


async def score(client: quiver.Client, archers: int, ends: int) -> bool:
    """Plays the event; whether the standings are the sums of the arrows."""
    service = client.tournament
    event_id = quiver.uuid7()
    event = await until_acknowledged(
        lambda options: service.create_tournament(
            name="Indoor evening", format=v1.FormatReference(codename="wa18"),
            client_id=event_id, options=options,
        )  # fmt: skip
    )
    drafts = [v1.EntryDraft(client_id=quiver.uuid7(), name=f"Archer {n}") for n in range(1, archers + 1)]
    entered = await until_acknowledged(
        lambda options: service.add_entries(
            tournament_id=event.id, entries=drafts, options=options
        )
    )
    await until_acknowledged(lambda options: service.start_tournament(id=event.id, options=options))
    totals = {one.id: 0 for one in entered.participants}
    for end in range(ends):
        for participant in totals:
            values = [random.randint(6, 10) for _ in range(3)]
            arrows = [
                v1.ScoringOperation(
                    client_id=quiver.uuid7(), kind=v1.OPERATION_KIND_RECORD,
                    participant_id=participant, end_index=end, arrow_index=index, value=value,
                )  # fmt: skip
                for index, value in enumerate(values)
            ]
            await until_acknowledged(
                lambda options, arrows=arrows: service.record_end(  # type: ignore[misc]
                    operations=arrows, options=options
                )
            )
            totals[participant] += sum(values)
        print(f"end {end + 1}: {sum(totals.values())}", flush=True)
    standings = await service.get_standings(
        tournament_id=event.id, options=CallOptions(wait_for_ready=True)
    )
    stored = {row.participant_id: row.total for row in standings.rows}
    return stored == totals


async def main(archers: int = 4, ends: int = 10) -> int:
    async with quiver.connect() as client:
        is_equal = await score(client, archers, ends)
    print("the standings are those of the arrows" if is_equal else "the standings differ")
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*(int(word) for word in sys.argv[1:]))))
