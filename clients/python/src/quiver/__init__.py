"""A client of Quiver servers.

    async with quiver.connect("127.0.0.1:7450", token_file="data/admin.token") as client:
        riser = await client.equipment.create_riser(riser=v1.Riser(brand="Hoyt", model="Formula XD"))

`quiver.sync.connect` has the same methods for programs without asyncio. `quiver.v1` has the messages.
"""

from ._channel import DuplexStream, Method, Position, Reply, ReplyStream, WatchStream
from ._core import Limits
from .client import Client, connect
from ._uuid import uuid7
from .errors import Detail, Metadata, RPCError, StatusCode
from .options import CallOptions, ChannelOptions, RetryPolicy

__all__ = [
    "CallOptions", "ChannelOptions", "Client", "Detail", "DuplexStream", "Limits", "Metadata",
    "Method", "Position", "RPCError", "Reply", "ReplyStream", "RetryPolicy", "StatusCode",
    "WatchStream", "connect", "uuid7",
]  # fmt: skip
