#!/usr/bin/env python3
"""Puts the rounds of sample.csv into a running server, through the command line alone.

usage: load.py [QUIVER]     QUIVER is the program, default `quiver`; it finds server and token
"""
import base64
import csv
import json
import os
import subprocess
import sys
import time

QUIVER = sys.argv[1] if len(sys.argv) > 1 else "quiver"
DAY_MS = 86_400_000
# An arrow a minute.
ARROW_MS = 60_000
OPERATIONS = 900


def call(method, request):
    run = subprocess.run(
        [QUIVER, "call", method, "-d", "@-", "--compact"], input=json.dumps(request), text=True,
        stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)


def client_id(milliseconds):
    raw = bytearray(milliseconds.to_bytes(6, "big") + os.urandom(10))
    raw[6] = 0x70 | raw[6] & 0x0F
    raw[8] = 0x80 | raw[8] & 0x3F
    return base64.b64encode(bytes(raw)).decode()


def operations(participant, points, start):
    for index, (x, y) in enumerate(points):
        yield {
            "clientId": client_id(start),
            "kind": "OPERATION_KIND_RECORD",
            "participantId": participant,
            "endIndex": index // 3,
            "arrowIndex": index % 3,
            "x": x,
            "y": y,
            "scoredAtMs": start + index * ARROW_MS,
        }


def main():
    now = int(time.time() * 1_000)
    setups = {}
    waiting = []
    with open(os.path.join(os.path.dirname(__file__), "sample.csv"), newline="") as file:
        rounds = list(csv.reader(file))[1:]
    for name, days_ago, *places in rounds:
        if name not in setups:
            setups[name] = call("CreateBowSetup", {"bowSetup": {"name": name}})["id"]
        numbers = [float(place) for place in places]
        points = list(zip(numbers[::2], numbers[1::2]))
        session = call("CreateSession", {
            "format": {"codename": "wa18", "arrowLimit": len(points)}, "setupId": setups[name]})
        start = now - int(days_ago) * DAY_MS
        waiting += operations(session["rounds"][0]["participantId"], points, start)
    for first in range(0, len(waiting), OPERATIONS):
        answer = call("Rounds/ApplyOperations", {"operations": waiting[first:first + OPERATIONS]})
        bad = [v for v in answer["verdicts"] if v["verdict"] != "VERDICT_STORED"]
        if bad:
            sys.exit(f"an arrow was not stored: {bad[0]}")
    print(f"{len(rounds)} rounds of {len(setups)} setups, {len(waiting)} arrows")


main()
