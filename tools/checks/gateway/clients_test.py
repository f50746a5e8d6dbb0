"""The gateway under clients that others wrote: grpcio, connect-python, curl."""

from __future__ import annotations

import base64
import http.client
import json
import os
import struct
import subprocess
import threading
import time
import unittest
import uuid

import grpc
from connectrpc.client import ConnectClientSync
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo
from connectrpc.protocol import ProtocolType
from google.protobuf import descriptor_pool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import (
    ProtoReflectionDescriptorDatabase,
)
from grpc_status import rpc_status
from quiver.v1 import diagnostics_pb2 as d
from quiver.v1 import health_pb2 as quiver_health
from quiver.v1 import account_pb2, riser_pb2, wire_pb2

import kit
from running import Running

ECHO = "quiver.v1.Diagnostics"


def method(name: str, request: type, reply: type) -> MethodInfo:
    service, short = name.split("/")
    level = IdempotencyLevel.NO_SIDE_EFFECTS
    return MethodInfo(name=short, service_name=service, input=request, output=reply,
                      idempotency_level=level)  # fmt: skip


class GRPCTests(unittest.TestCase):
    running: Running

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def setUp(self) -> None:
        self.channel = grpc.insecure_channel(self.running.address)
        self.metadata = [("authorization", "Bearer " + self.running.token)]
        self.addCleanup(self.channel.close)

    def unary(self, name: str, request, reply: type, **arguments):
        call = self.channel.unary_unary(
            "/" + name, request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=reply.FromString,
        )  # fmt: skip
        metadata = self.metadata + arguments.pop("metadata", [])
        return call.with_call(request, metadata=metadata, **{"timeout": 30, **arguments})

    def test_unary_calls(self) -> None:
        reply, call = self.unary(
            f"{ECHO}/Echo", d.EchoMessage(text="gold", number=2**63), d.EchoMessage)
        self.assertEqual((reply.text, reply.number), ("gold", 2**63))
        self.assertEqual(call.code(), grpc.StatusCode.OK)

    def test_large_messages_pass_the_windows_both_ways(self) -> None:
        payload = os.urandom(3_000_000)
        reply, _ = self.unary(f"{ECHO}/Echo", d.EchoMessage(payload=payload), d.EchoMessage)
        self.assertEqual(reply.payload, payload)

    def test_a_message_over_the_limit_is_refused(self) -> None:
        with self.assertRaises(grpc.RpcError) as caught:
            self.unary(f"{ECHO}/Echo", d.EchoMessage(payload=bytes(4_300_000)), d.EchoMessage)
        self.assertEqual(caught.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)

    def test_gzip(self) -> None:
        message = d.EchoMessage(text="arrow " * 10_000)
        reply, _ = self.unary(
            f"{ECHO}/Echo", message, d.EchoMessage, compression=grpc.Compression.Gzip)
        self.assertEqual(reply, message)

    def test_metadata_goes_both_ways(self) -> None:
        sent = [("club", "Aarau"), ("blob-bin", b"\x00\xff")]
        _, call = self.unary(f"{ECHO}/EchoMetadata", d.EchoMessage(), d.EchoMessage, metadata=sent)
        returned = list(call.initial_metadata()) + list(call.trailing_metadata())
        self.assertIn(("club", "Aarau"), returned)
        self.assertIn(("blob-bin", b"\x00\xff"), returned)

    def test_every_status_arrives_with_its_details(self) -> None:
        for code in range(1, 17):
            request = d.FailRequest(
                code=code, message="größer & 100 %\n", retry_after_ms=7,
                details=[wire_pb2.Detail(type="quiver.v1.Riser",
                                         value=riser_pb2.Riser(brand="Hoyt").SerializeToString())],
            )  # fmt: skip
            with self.assertRaises(grpc.RpcError) as caught:
                self.unary(f"{ECHO}/Fail", request, d.FailResponse)
            error = caught.exception
            self.assertEqual(error.code().value[0], code)
            self.assertEqual(error.details(), "größer & 100 %\n")
            status = rpc_status.from_call(error)
            riser = riser_pb2.Riser()
            self.assertTrue(status.details[0].Unpack(riser))
            self.assertEqual(riser.brand, "Hoyt")

    def test_a_failure_with_large_details_has_its_code_and_message(self) -> None:
        for size in (5_000, 20_000, 50_000, 65_000):
            request = d.FailRequest(
                code=10, message="the setup has changed",
                details=[wire_pb2.Detail(type="quiver.v1.Riser", value=bytes(size))])  # fmt: skip
            with self.subTest(size=size), self.assertRaises(grpc.RpcError) as caught:
                self.unary(f"{ECHO}/Fail", request, d.FailResponse, timeout=20)
            self.assertEqual(caught.exception.code(), grpc.StatusCode.ABORTED)
            self.assertEqual(caught.exception.details(), "the setup has changed")
            status = rpc_status.from_call(caught.exception)
            # More than a client of gRPC accepts in trailers is not sent.
            self.assertEqual(status is not None, size == 5_000)

    def test_a_deadline_reaches_the_server_and_ends_the_call(self) -> None:
        reply, _ = self.unary(
            f"{ECHO}/Delay", d.DelayRequest(delay_ms=1), d.DelayResponse, timeout=20)
        # grpcio rounds a timeout up.
        self.assertTrue(0 < reply.time_left_ms <= 21_000)
        with self.assertRaises(grpc.RpcError) as caught:
            self.unary(f"{ECHO}/Delay", d.DelayRequest(delay_ms=60_000), d.DelayResponse,
                       timeout=0.2)  # fmt: skip
        self.assertEqual(caught.exception.code(), grpc.StatusCode.DEADLINE_EXCEEDED)

    def open_calls(self) -> int:
        reply, _ = self.unary(
            f"{ECHO}/Connections", d.ConnectionsRequest(), d.ConnectionsResponse)
        return sum(entry.open_calls for entry in reply.connections)

    def test_a_cancelled_call_is_cancelled_at_the_server(self) -> None:
        call = self.channel.unary_unary(
            f"/{ECHO}/Delay", request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=d.DelayResponse.FromString,
        ).future(d.DelayRequest(delay_ms=600_000), metadata=self.metadata)  # fmt: skip
        self.wait_for_calls(2)
        call.cancel()
        self.wait_for_calls(1)

    def test_a_caller_of_http_1_that_goes_away_cancels_its_call(self) -> None:
        body = b'{"delayMs":600000}'
        raw = self.running.connect()
        raw.sendall(
            f"POST /{ECHO}/Delay HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
            f"authorization: Bearer {self.running.token}\r\ncontent-length: {len(body)}\r\n\r\n"
            .encode() + body)  # fmt: skip
        self.wait_for_calls(2)
        raw.close()
        self.wait_for_calls(1)

    def wait_for_calls(self, count: int) -> None:
        """Waits until the server has so many open calls, the one that asks included."""
        for _ in range(200):
            if self.open_calls() == count:
                return
            time.sleep(0.05)
        self.assertEqual(self.open_calls(), count)

    def test_streams_of_replies(self) -> None:
        call = self.channel.unary_stream(
            f"/{ECHO}/Source", request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=d.EchoMessage.FromString,
        )  # fmt: skip
        replies = call(d.SourceRequest(count=5_000, size=100), metadata=self.metadata, timeout=60)
        self.assertEqual([reply.number for reply in replies], list(range(1, 5_001)))

    def test_streams_of_requests(self) -> None:
        call = self.channel.stream_unary(
            f"/{ECHO}/Sink", request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=d.SinkResponse.FromString,
        )  # fmt: skip
        messages = (d.EchoMessage(payload=bytes(1_000)) for _ in range(3_000))
        reply = call(messages, metadata=self.metadata, timeout=60)
        self.assertEqual((reply.message_count, reply.payload_bytes), (3_000, 3_000_000))

    def test_streams_both_ways(self) -> None:
        call = self.channel.stream_stream(
            f"/{ECHO}/EchoStream", request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=d.EchoMessage.FromString,
        )  # fmt: skip
        turn = threading.Semaphore(1)

        def requests():
            for number in range(200):
                turn.acquire()
                yield d.EchoMessage(number=number)

        numbers = []
        for reply in call(requests(), metadata=self.metadata, timeout=60):
            numbers.append(reply.number)
            turn.release()
        self.assertEqual(numbers, list(range(200)))

    def test_a_failure_within_a_stream_comes_behind_its_messages(self) -> None:
        call = self.channel.unary_stream(
            f"/{ECHO}/FailSource", request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=d.FailResponse.FromString,
        )  # fmt: skip
        replies = call(
            d.FailRequest(code=10, message="late", after_messages=3), metadata=self.metadata,
            timeout=30,
        )  # fmt: skip
        count = 0
        with self.assertRaises(grpc.RpcError) as caught:
            for _ in replies:
                count += 1
        self.assertEqual((count, caught.exception.code()), (3, grpc.StatusCode.ABORTED))

    def test_a_key_has_its_effect_once(self) -> None:
        request = riser_pb2.CreateRiserRequest(
            riser=riser_pb2.Riser(brand="Win & Win", model="ATF-X", length_in=25))
        key = [("idempotency-key", str(uuid.uuid4()))]
        name = "quiver.v1.Equipment/CreateRiser"
        first, _ = self.unary(name, request, riser_pb2.Riser, metadata=key)
        second, _ = self.unary(name, request, riser_pb2.Riser, metadata=key)
        self.assertEqual(first.id, second.id)

    def test_revision_0_matches_nothing_in_another_epoch(self) -> None:
        made, _ = self.unary(
            "quiver.v1.Equipment/CreateRiser", riser_pb2.CreateRiserRequest(
                riser=riser_pb2.Riser(brand="Win & Win", model="Wiawis", length_in=25)),
            riser_pb2.Riser)
        who, _ = self.unary(
            "quiver.v1.Account/WhoAmI", account_pb2.WhoAmIRequest(), account_pb2.WhoAmIResponse)

        def delete(epoch: str) -> None:
            self.unary(
                "quiver.v1.Equipment/DeleteRiser", riser_pb2.DeleteRiserRequest(id=made.id),
                riser_pb2.DeleteRiserResponse, metadata=[("quiver-store-epoch", epoch)])

        for epoch, code in (
            (str(who.store_epoch ^ 1), grpc.StatusCode.ABORTED),
            ("now", grpc.StatusCode.INVALID_ARGUMENT),
            (str(2**64), grpc.StatusCode.INVALID_ARGUMENT),
        ):
            with self.assertRaises(grpc.RpcError) as caught:
                delete(epoch)
            self.assertEqual(caught.exception.code(), code, epoch)
        delete(str(who.store_epoch))

    def test_a_slow_reader_holds_up_its_own_stream_alone(self) -> None:
        call = self.channel.unary_stream(
            f"/{ECHO}/Source", request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=d.EchoMessage.FromString,
        )  # fmt: skip
        slow = call(d.SourceRequest(count=2_000, size=100_000), metadata=self.metadata)
        self.assertEqual(next(slow).number, 1)
        for number in range(200):
            reply, _ = self.unary(f"{ECHO}/Echo", d.EchoMessage(number=number), d.EchoMessage)
            self.assertEqual(reply.number, number)
        with open(f"/proc/{self.running.gateway.pid}/status") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        self.assertLess(resident, 200_000, "200 MB of replies must not wait in the gateway")
        slow.cancel()

    def test_a_wrong_token_is_unauthenticated(self) -> None:
        call = self.channel.unary_unary(
            f"/{ECHO}/Echo", request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=d.EchoMessage.FromString)
        for token in ["qv_" + "A" * 43, "x"]:
            with self.assertRaises(grpc.RpcError) as caught:
                call(d.EchoMessage(), metadata=[("authorization", "Bearer " + token)], timeout=30)
            self.assertEqual(caught.exception.code(), grpc.StatusCode.UNAUTHENTICATED)

    def test_an_unknown_method_is_unimplemented(self) -> None:
        with self.assertRaises(grpc.RpcError) as caught:
            self.unary("quiver.v1.Nope/Nope", d.EchoMessage(), d.EchoMessage)
        self.assertEqual(caught.exception.code(), grpc.StatusCode.UNIMPLEMENTED)

    def test_health(self) -> None:
        stub = health_pb2_grpc.HealthStub(self.channel)
        reply = stub.Check(health_pb2.HealthCheckRequest(), timeout=30)
        self.assertEqual(reply.status, health_pb2.HealthCheckResponse.SERVING)
        with self.assertRaises(grpc.RpcError) as caught:
            stub.Check(health_pb2.HealthCheckRequest(service="nope"), timeout=30)
        self.assertEqual(caught.exception.code(), grpc.StatusCode.NOT_FOUND)
        watch = stub.Watch(health_pb2.HealthCheckRequest(), timeout=30)
        self.assertEqual(next(watch).status, health_pb2.HealthCheckResponse.SERVING)
        watch.cancel()

    def test_reflection_describes_every_service(self) -> None:
        database = ProtoReflectionDescriptorDatabase(self.channel)
        names = database.get_services()
        self.assertIn("quiver.v1.Tournament", names)
        # The gateway answers it by the server's own service of health.
        self.assertIn("grpc.health.v1.Health", names)
        pool = descriptor_pool.DescriptorPool(database)
        for name in names:
            service = pool.FindServiceByName(name)
            self.assertTrue(service.methods)
        field = pool.FindMessageTypeByName("quiver.v1.Riser").fields_by_name["length_in"]
        self.assertEqual(field.type, field.TYPE_DOUBLE)

    def test_a_server_that_is_away_is_unavailable(self) -> None:
        away = Running()
        away.server.kill()
        away.server.wait()
        channel = grpc.insecure_channel(away.address)
        call = channel.unary_unary(
            "/grpc.health.v1.Health/Check", request_serializer=lambda m: m.SerializeToString(),
            response_deserializer=health_pb2.HealthCheckResponse.FromString)
        with self.assertRaises(grpc.RpcError) as caught:
            call(health_pb2.HealthCheckRequest(), timeout=30)
        self.assertEqual(caught.exception.code(), grpc.StatusCode.UNAVAILABLE)
        away.start_server()
        for _ in range(300):
            try:
                call(health_pb2.HealthCheckRequest(), timeout=30)
                break
            except grpc.RpcError as error:
                self.assertEqual(error.code(), grpc.StatusCode.UNAVAILABLE)
                time.sleep(0.1)
        call(health_pb2.HealthCheckRequest(), timeout=30)
        channel.close()
        away.end()


class ConnectTests(unittest.TestCase):
    running: Running

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def clients(self):
        for protocol in (ProtocolType.CONNECT, ProtocolType.GRPC_WEB):
            for is_json in (False, True) if protocol == ProtocolType.CONNECT else (False,):
                with self.subTest(protocol=protocol, is_json=is_json):
                    yield ConnectClientSync(
                        "http://" + self.running.address, proto_json=is_json, protocol=protocol,
                        timeout_ms=30_000)

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": "Bearer " + self.running.token}

    def test_unary_calls(self) -> None:
        message = d.EchoMessage(text="gold " * 1_000, number=2**63)
        for client in self.clients():
            reply = client.execute_unary(
                request=message, method=method(f"{ECHO}/Echo", d.EchoMessage, d.EchoMessage),
                headers=self.headers)
            self.assertEqual(reply, message)

    def test_unary_calls_by_get(self) -> None:
        client = ConnectClientSync("http://" + self.running.address, timeout_ms=30_000)
        reply = client.execute_unary(
            request=d.EchoMessage(text="ten"), use_get=True, headers=self.headers,
            method=method(f"{ECHO}/Echo", d.EchoMessage, d.EchoMessage))
        self.assertEqual(reply.text, "ten")

    def test_failures_have_their_code_and_details(self) -> None:
        request = d.FailRequest(
            code=9, message="closed", details=[wire_pb2.Detail(type="quiver.v1.Riser", value=b"")])
        for client in self.clients():
            with self.assertRaises(ConnectError) as caught:
                client.execute_unary(
                    request=request, method=method(f"{ECHO}/Fail", d.FailRequest, d.FailResponse),
                    headers=self.headers)
            self.assertEqual(caught.exception.code.value, "failed_precondition")
            self.assertEqual(caught.exception.message, "closed")
            self.assertEqual(len(caught.exception.details), 1)

    def test_streams_of_replies(self) -> None:
        for client in self.clients():
            replies = client.execute_server_stream(
                request=d.SourceRequest(count=300, size=2_000), headers=self.headers,
                method=method(f"{ECHO}/Source", d.SourceRequest, d.EchoMessage))
            self.assertEqual([reply.number for reply in replies], list(range(1, 301)))

    def test_a_failure_within_a_stream(self) -> None:
        for client in self.clients():
            replies = client.execute_server_stream(
                request=d.FailRequest(code=8, message="full", after_messages=2),
                method=method(f"{ECHO}/FailSource", d.FailRequest, d.FailResponse),
                headers=self.headers)
            with self.assertRaises(ConnectError) as caught:
                list(replies)
            self.assertEqual(caught.exception.code.value, "resource_exhausted")

    def test_streams_of_requests(self) -> None:
        for client in self.clients():
            reply = client.execute_client_stream(
                request=iter([d.EchoMessage(payload=bytes(10))] * 50), headers=self.headers,
                method=method(f"{ECHO}/Sink", d.EchoMessage, d.SinkResponse))
            self.assertEqual((reply.message_count, reply.payload_bytes), (50, 500))


class GRPCWebTextTests(unittest.TestCase):
    """Calls as the JavaScript client of gRPC-Web makes them: bodies in base64, in both directions."""

    running: Running

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running("--allow-origin", "https://club.example")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def send(self, name: str, body: bytes, **fields: str) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(*self.running.address.split(":"), timeout=30)
        self.addCleanup(connection.close)
        headers = {
            "content-type": "application/grpc-web-text", "accept": "application/grpc-web-text",
            "x-grpc-web": "1", "origin": "https://club.example",
            "authorization": "Bearer " + self.running.token,
        }  # fmt: skip
        headers |= {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request(
            "POST", f"/{ECHO}/{name}", body, headers, encode_chunked="transfer-encoding" in headers)
        return connection.getresponse()

    @staticmethod
    def envelope(message) -> bytes:
        data = message.SerializeToString()
        return b"\0" + struct.pack(">I", len(data)) + data

    @staticmethod
    def decoded(text: bytes) -> bytes:
        """Groups of four characters, each by itself, so that padding may be anywhere."""
        assert len(text) % 4 == 0, text
        groups = (text[at : at + 4] for at in range(0, len(text), 4))
        return b"".join(base64.b64decode(group, validate=True) for group in groups)

    def parts(self, body: bytes):
        """The messages, and the fields of the last envelope."""
        messages, trailers, at = [], {}, 0
        while at < len(body):
            size = struct.unpack(">I", body[at + 1 : at + 5])[0]
            part = body[at + 5 : at + 5 + size]
            if body[at] == 0x80:
                trailers = dict(line.split(": ", 1) for line in part.decode().split("\r\n") if line)
            else:
                messages.append(part)
            at += 5 + size
        self.assertEqual(at, len(body))
        return messages, trailers

    def call(self, name: str, body: bytes, **fields: str):
        reply = self.send(name, body, **fields)
        self.assertEqual(reply.status, 200)
        self.assertEqual(reply.headers["content-type"], "application/grpc-web-text+proto")
        self.assertEqual(reply.headers["access-control-allow-origin"], "https://club.example")
        self.assertIn("grpc-status", reply.headers["access-control-expose-headers"])
        messages, trailers = self.parts(self.decoded(reply.read()))
        return messages, trailers or dict(reply.headers)

    def test_unary_calls(self) -> None:
        for size in (0, 1, 2, 3, 100_000, 2_000_000):
            message = d.EchoMessage(text="gold", payload=os.urandom(size))
            messages, trailers = self.call("Echo", base64.b64encode(self.envelope(message)))
            self.assertEqual([d.EchoMessage.FromString(part) for part in messages], [message])
            self.assertEqual(trailers["grpc-status"], "0")

    def test_a_request_may_be_padded_within(self) -> None:
        message = d.EchoMessage(text="ten points")
        envelope = self.envelope(message)
        for size in (1, 2, 4, 5, 7):
            parts = (envelope[at : at + size] for at in range(0, len(envelope), size))
            messages, _ = self.call("Echo", b"".join(base64.b64encode(part) for part in parts))
            self.assertEqual(d.EchoMessage.FromString(messages[0]), message)

    def test_a_body_may_be_cut_anywhere(self) -> None:
        message = d.EchoMessage(payload=os.urandom(1_000))
        text = base64.b64encode(self.envelope(message))
        for sizes in ([512, 128, 32, 8, 1, 1, 1, 1], [384, 96, 24, 6, 1, 1, 1], [1] * len(text),
                      [3, 1, 2, 2] * 200, [5, 3] * 200):  # fmt: skip
            parts, at = [], 0
            for size in sizes:
                parts.append(text[at : at + size])
                at += size
            parts.append(text[at:])
            messages, trailers = self.call(
                "Echo", iter([part for part in parts if part]), transfer_encoding="chunked")
            self.assertEqual([d.EchoMessage.FromString(part) for part in messages], [message])
            self.assertEqual(trailers["grpc-status"], "0")

    def test_a_stream_comes_message_by_message(self) -> None:
        request = d.SourceRequest(count=300, size=1_000)
        messages, trailers = self.call("Source", base64.b64encode(self.envelope(request)))
        numbers = [d.EchoMessage.FromString(part).number for part in messages]
        self.assertEqual(numbers, list(range(1, 301)))
        self.assertEqual(trailers["grpc-status"], "0")

    def test_a_message_can_be_decoded_before_the_next_one_comes(self) -> None:
        request = quiver_health.HealthCheckRequest()
        connection = http.client.HTTPConnection(*self.running.address.split(":"), timeout=30)
        self.addCleanup(connection.close)
        connection.request(
            "POST", "/quiver.v1.Health/Watch", base64.b64encode(self.envelope(request)),
            {"content-type": "application/grpc-web-text"})
        reply = connection.getresponse()
        text = b""
        while not text or len(text) % 4 or not self.parts_or_none(text):
            text += reply.read1(1)
        messages, _ = self.parts(self.decoded(text))
        self.assertEqual(
            quiver_health.HealthCheckResponse.FromString(messages[0]).status,
            quiver_health.SERVING_STATUS_SERVING)

    def parts_or_none(self, text: bytes):
        body = self.decoded(text)
        if len(body) < 5 or len(body) < 5 + struct.unpack(">I", body[1:5])[0]:
            return None
        return self.parts(body)[0]

    def test_streams_of_requests(self) -> None:
        one = base64.b64encode(self.envelope(d.EchoMessage(payload=bytes(1_000))))
        messages, _ = self.call("Sink", one * 200)
        reply = d.SinkResponse.FromString(messages[0])
        self.assertEqual((reply.message_count, reply.payload_bytes), (200, 200_000))

    def test_a_failure_is_in_the_trailers(self) -> None:
        request = d.FailRequest(code=10, message="late", after_messages=2)
        messages, trailers = self.call("FailSource", base64.b64encode(self.envelope(request)))
        self.assertEqual((len(messages), trailers["grpc-status"]), (2, "10"))

    def test_what_is_not_base64_is_an_invalid_argument(self) -> None:
        good = base64.b64encode(self.envelope(d.EchoMessage(text="nine")))
        for body in (b"*" + good, good[:-1], good + b"\n", good[:8] + b"=" + good[9:], b"\0\0\0\0\0",
                     b"_" + good[1:], b"A"):  # fmt: skip
            for name in ("Echo", "Source", "Sink"):
                messages, trailers = self.call(name, body)
                self.assertEqual((messages, trailers["grpc-status"]), ([], "3"), (name, body))
                self.assertIn("base64", trailers["grpc-message"])

    def test_a_message_over_the_limit_is_refused(self) -> None:
        path = f"{self.running.folder}/large-text"
        with open(path, "wb") as file:
            file.write(base64.b64encode(self.envelope(d.EchoMessage(payload=bytes(4_300_000)))))
        command = ["curl", "--silent", "--dump-header", "-", "--output", "/dev/null", "--max-time",
                   "30", "-H", "authorization: Bearer " + self.running.token, "-H",
                   "content-type: application/grpc-web-text", "-H", "expect:", "--data-binary",
                   "@" + path, f"http://{self.running.address}/{ECHO}/Echo"]  # fmt: skip
        head = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()
        self.assertIn("grpc-status: 8", head.lower())

    def test_the_reply_has_the_form_that_the_caller_accepts(self) -> None:
        message = d.EchoMessage(text="eight")
        text, binary = "application/grpc-web-text+proto", "application/grpc-web+proto"
        for sent, accept, form in (
            (text, "*/*", text), (binary, "*/*", binary), (text, binary, binary),
            (binary, text, text), (text, text, text),
        ):  # fmt: skip
            body = self.envelope(message)
            body = base64.b64encode(body) if sent == text else body
            reply = self.send("Echo", body, content_type=sent, accept=accept)
            self.assertEqual(reply.headers["content-type"], form)
            body = reply.read()
            messages, _ = self.parts(self.decoded(body) if form == text else body)
            self.assertEqual(d.EchoMessage.FromString(messages[0]), message)

    def test_a_page_of_another_origin_is_allowed_as_for_the_binary_form(self) -> None:
        connection = http.client.HTTPConnection(*self.running.address.split(":"), timeout=30)
        self.addCleanup(connection.close)
        connection.request("OPTIONS", f"/{ECHO}/Echo", headers={
            "origin": "https://club.example", "access-control-request-method": "POST",
            "access-control-request-headers": "content-type,x-grpc-web,authorization"})  # fmt: skip
        reply = connection.getresponse()
        self.assertEqual(reply.status, 204)
        self.assertEqual(
            reply.headers["access-control-allow-headers"], "content-type,x-grpc-web,authorization")


class CurlTests(unittest.TestCase):
    running: Running

    @classmethod
    def setUpClass(cls) -> None:
        cls.running = Running("--allow-origin", "https://club.example")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.running.end()

    def curl(self, path: str, *arguments: str, version: str = "--http1.1") -> tuple[int, str, str]:
        command = ["curl", "--silent", "--show-error", "--include", version, "--max-time", "30",
                   f"http://{self.running.address}{path}", *arguments]  # fmt: skip
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode()
        head, _, body = text.partition("\r\n\r\n")
        if head.split()[1] == "100":
            head, _, body = body.partition("\r\n\r\n")
        return int(head.split()[1]), head.lower(), body

    def post(self, path: str, body: str, *more: str, version: str = "--http1.1"):
        return self.curl(
            path, "-H", "authorization: Bearer " + self.running.token, "-H",
            "content-type: application/json", "-d", body, *more, version=version)

    def test_both_versions_of_http(self) -> None:
        for version in ("--http1.1", "--http2-prior-knowledge"):
            code, _, body = self.post(f"/{ECHO}/Echo", '{"text":"x"}', version=version)
            self.assertEqual((code, json.loads(body)), (200, {"text": "x"}))

    def test_an_error_of_json_names_the_field(self) -> None:
        code, _, body = self.post("/quiver.v1.Equipment/CreateRiser", '{"riser":{"lengthIn":"x"}}')
        self.assertEqual(code, 400)
        self.assertEqual(json.loads(body)["code"], "invalid_argument")
        self.assertIn("riser.lengthIn must be a number", json.loads(body)["message"])

    def test_a_wrong_content_type_is_415(self) -> None:
        code, head, _ = self.curl(f"/{ECHO}/Echo", "-H", "content-type: text/xml", "-d", "<a/>")
        self.assertEqual(code, 415)
        self.assertIn("accept-post:", head)

    def test_grpc_over_http_1_is_refused(self) -> None:
        code, _, _ = self.curl(f"/{ECHO}/Echo", "-H", "content-type: application/grpc", "-d", "x")
        self.assertEqual(code, 505)

    def test_other_methods_and_paths(self) -> None:
        self.assertEqual(self.curl(f"/{ECHO}/Echo", "-X", "DELETE")[0], 405)
        self.assertEqual(self.curl("/nothing")[0], 404)
        self.assertEqual(self.curl("/%2e%2e/etc/passwd")[0], 404)

    def test_a_call_that_changes_something_is_no_get(self) -> None:
        code, _, _ = self.curl(
            "/quiver.v1.Equipment/CreateRiser?encoding=json&message=%7B%7D", "-H",
            "authorization: Bearer " + self.running.token)
        self.assertEqual(code, 501)

    def test_a_body_over_the_limit_is_refused(self) -> None:
        path = f"{self.running.folder}/large"
        with open(path, "w") as file:
            file.write('{"text":"' + "x" * 4_300_000 + '"}')
        code, _, body = self.post(f"/{ECHO}/Echo", "@" + path)
        self.assertEqual((code, json.loads(body)["code"]), (429, "resource_exhausted"))

    def test_only_configured_origins_may_call(self) -> None:
        wanted = ["-X", "OPTIONS", "-H", "access-control-request-method: POST", "-H",
                  "access-control-request-headers: authorization,content-type"]  # fmt: skip
        _, head, _ = self.curl(f"/{ECHO}/Echo", *wanted, "-H", "origin: https://club.example")
        self.assertIn("access-control-allow-origin: https://club.example", head)
        self.assertIn("access-control-allow-headers: authorization,content-type", head)
        _, head, _ = self.curl(f"/{ECHO}/Echo", *wanted, "-H", "origin: https://evil.example")
        self.assertNotIn("access-control-allow", head)


if __name__ == "__main__":
    kit.main()
