"""Calls Diagnostics/Echo with so many calls in flight for so many seconds, by the Python client.

usage: quiver_client.py DEPTH SECONDS     prints the calls and the CPU seconds of the process
"""

import asyncio
import json
import sys
import time

import quiver
from quiver import v1


async def main(depth: int, seconds: float) -> None:
    count = errors = 0
    async with quiver.connect() as client:
        loop = asyncio.get_running_loop()
        end = loop.time() + 0.3 + seconds

        async def work() -> None:
            nonlocal count, errors
            while loop.time() < end:
                try:
                    await client.diagnostics.echo(v1.EchoMessage(payload=bytes(38)))
                    count += 1
                except quiver.RPCError:
                    errors += 1

        tasks = [asyncio.create_task(work()) for _ in range(depth)]
        await asyncio.sleep(0.3)
        before, used = count, time.process_time()
        await asyncio.gather(*tasks)
        used = time.process_time() - used
    print(json.dumps({"calls": count - before, "errors": errors, "cpu": used}))


asyncio.run(main(int(sys.argv[1]), float(sys.argv[2])))
