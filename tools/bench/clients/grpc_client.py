"""The same calls by grpc.aio: messages are made by grpcio-tools into the folder GRPC_MESSAGES.

usage: grpc_client.py HOST:PORT DEPTH SECONDS
"""

import asyncio
import json
import os
import sys
import time

import grpc

sys.path.insert(0, os.environ["GRPC_MESSAGES"])
from quiver.v1 import diagnostics_pb2, diagnostics_pb2_grpc, wire_pb2  # noqa: E402

MESSAGE = getattr(diagnostics_pb2, "EchoMessage", None) or wire_pb2.EchoMessage


async def main(address: str, depth: int, seconds: float) -> None:
    count = errors = 0
    async with grpc.aio.insecure_channel(address) as channel:
        stub = diagnostics_pb2_grpc.DiagnosticsStub(channel)
        loop = asyncio.get_running_loop()
        end = loop.time() + 0.3 + seconds

        async def work() -> None:
            nonlocal count, errors
            while loop.time() < end:
                try:
                    await stub.Echo(MESSAGE(payload=bytes(38)), timeout=30)
                    count += 1
                except grpc.RpcError:
                    errors += 1

        tasks = [asyncio.create_task(work()) for _ in range(depth)]
        await asyncio.sleep(0.3)
        before, used = count, time.process_time()
        await asyncio.gather(*tasks)
        used = time.process_time() - used
    print(json.dumps({"calls": count - before, "errors": errors, "cpu": used}))


asyncio.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
