#!/usr/bin/env python3
"""Writes rescue.json: operations that a device signs, and the text that it shows of them.

usage: rescue_vectors.py [--check]

It needs protoc and Python's protobuf, and uses no code of Quiver. The fields of each message are in the order of
their numbers, and values that are the standard ones are left out, as all encoders here write them.
"""
import base64
import hashlib
import hmac
import json
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory

here = pathlib.Path(__file__).resolve().parent
protos = here.parents[2] / "Protos"


def messages():
    with tempfile.NamedTemporaryFile() as out:
        files = sorted(str(path.relative_to(protos)) for path in (protos / "quiver" / "v1").glob("*.proto"))
        subprocess.run(["protoc", "--include_imports", f"--descriptor_set_out={out.name}", *files], cwd=protos, check=True)
        described = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(out.name).read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in described.file:
        pool.Add(file)
    return lambda name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"quiver.v1.{name}"))


def identifier(number):
    return base64.b64encode(bytes([1, 152, 1, 2, 3, 4, 0x70, number, 0x80, 5, 6, 7, 8, 9, 10, number])).decode()


def url_text(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def arrow(number, **fields):
    return {"clientId": identifier(number), "kind": "OPERATION_KIND_RECORD", "participantId": "71",
            "scoredAtMs": "1790000000000", **fields}


CASES = [
    {"name": "three arrows of an end", "secret": bytes(range(32)), "deviceId": "12", "device": "phone 1",
     "operations": [arrow(1, value=10, isX=True), arrow(2, arrowIndex=1, value=9), arrow(3, arrowIndex=2, value=0)]},
    {"name": "a correction, and an arrow by its position", "secret": bytes(range(100, 132)),
     "deviceId": "9007199254740993", "device": "Zoë’s phone ☎",
     "operations": [
         {"clientId": identifier(4), "kind": "OPERATION_KIND_CORRECT", "participantId": "71", "endIndex": 300,
          "arrowIndex": 5, "value": 8, "input": "INPUT_MODE_BUTTONS", "replacesClientId": identifier(1),
          "reason": "called wrong", "device": "another", "shaft": 12,
          "witnessId": "73"},
         arrow(5, x=-0.25, y=0.125, input="INPUT_MODE_TARGET"),
         {"clientId": identifier(6), "kind": "OPERATION_KIND_RETRACT", "participantClientId": identifier(9),
          "replacesId": "5", "reason": "bouncer"}]},
    {"name": "ends of second cards and of matches", "secret": bytes([255] * 31 + [1]), "deviceId": "2147483648",
     "device": "",
     "cardOperations": [
         {"clientId": identifier(7), "participantId": "72", "endIndex": 1,
          "arrows": [{"value": 10, "isX": True}, {"value": 10}, {}], "scoredAtMs": "1790000000001"},
         {"clientId": identifier(8), "participantId": "72", "replacesClientId": identifier(7), "reason": "empty",
          "witnessId": "71"}],
     "matchOperations": [
         {"clientId": identifier(10), "matchId": "5", "side": 2, "participantId": "72", "device": "phone 3",
          "entry": {"shootOff": True, "index": 1, "arrows": [{"value": 10}], "distances": [123, 0],
                    "isCloser": True}},
         {"clientId": identifier(11), "matchId": "5", "side": 1, "entry": {"arrows": [{"value": 9}]},
          "replacesClientId": identifier(12), "reason": "misheard", "witnessId": "72"}]},
]


def made():
    rescued = messages()("RescuedOperations")
    cases = []
    for case in CASES:
        kinds = {kind: case.get(kind, []) for kind in ("operations", "cardOperations", "matchOperations")}
        message = json_format.ParseDict({"deviceId": case["deviceId"], "device": case["device"], **kinds}, rescued())
        payload = message.SerializeToString(deterministic=True)
        token = "qd_" + url_text(case["secret"])
        key = hashlib.sha256(token.encode()).digest()
        tag = hmac.new(key, b"quiver rescue 1\0" + payload, hashlib.sha256).digest()[:16]
        cases.append({"name": case["name"], "token": token, "deviceId": case["deviceId"], "device": case["device"],
                      **kinds, "text": "qr_" + url_text(payload + tag)})
    return json.dumps({"cases": cases}, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    file = here / "rescue.json"
    if sys.argv[1:] == ["--check"]:
        sys.exit(0 if file.read_text() == made() else "rescue.json is not what rescue_vectors.py writes")
    file.write_text(made())
