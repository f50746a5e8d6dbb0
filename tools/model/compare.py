#!/usr/bin/env python3
"""Plays histories of the model of `rules.py` with a real server, and compares each step.

usage: compare.py --programs DIR [--histories N] [--steps N] [--seed N] [--plant]

A seed draws histories with one server on SQLite and two devices, which are sessions of the client for
Python. By turns their creations have client_ids, or nothing but keys. Each call states the epoch of its key. A call whose reply is lost is one whose reply the device does not use; a server is killed
between the commit and the use of the reply; a backup that is restored sets the store back. Behind each
step the items of the store, their content and revisions, and its epoch are those of the model, and the
outcome of each call is the model's. Ids and revisions are compared by which of them are equal. With
--plant each set-back restores what was there before it, which has to be found.
"""
import argparse
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile

import quiver
import quiver.sync
from quiver import v1

import rules as model
from explore import sentence
from rules import Rules, Setup

SETUP = Setup(servers=1, operations=5, setbacks=1, failovers=0)
SETUPS = (SETUP, SETUP._replace(client_ids=False))
RULES = Rules()
REFUSALS = ("ABORTED", "NOT_FOUND", "FAILED_PRECONDITION")


class Difference(Exception):
    """The server does something else than the model."""


class Server:
    """A real server with a directory for each history that its store was in."""

    def __init__(self, programs, folder):
        self.programs, self.folder, self.number = programs, folder, 0
        self.address = f"unix:{folder}/socket"
        self.process = self.client = None
        self.start("--init")
        self.token = f"{folder}/token"
        shutil.copy(f"{self.data}/admin.token", self.token)
        self.connect()

    @property
    def data(self):
        return f"{self.folder}/data{self.number}"

    def start(self, *flags):
        with open(f"{self.folder}/log", "ab") as log:
            self.process = subprocess.Popen(
                [f"{self.programs}/quiverd", "--data", self.data, "--listen", self.address,
                 "--shards", "1", *flags], stdout=log, stderr=log)
        subprocess.run(
            [f"{self.programs}/quiver", "--server", self.address, "health", "--wait", "120"],
            check=True, stdout=subprocess.DEVNULL)

    def connect(self):
        self.client = quiver.sync.connect(self.address, token_file=self.token)

    def end(self, kill=False):
        self.client.close()
        if kill:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(120)

    def kill(self):
        self.end(kill=True)
        self.start()
        self.connect()

    def backup(self, file):
        for name in (file, f"{file}.sha256"):
            if os.path.exists(name):
                os.remove(name)
        self.client.admin.backup(file=file)

    def restore(self, file):
        self.end()
        self.number += 1
        subprocess.run(
            [f"{self.programs}/quiverd", "restore", file, "--data", self.data], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.start()
        self.connect()

    def epoch(self):
        return self.client.account.who_am_i().store_epoch

    def items(self):
        return list(self.client.equipment.list_items(page_size=100).items)


class Names:
    """Which value of the model is which of the server: equal ones stay equal, others stay others."""

    def __init__(self):
        self.real, self.modelled = {}, {}

    def check(self, modelled, real, words):
        if self.real.setdefault(modelled, real) != real or self.modelled.setdefault(real, modelled) != modelled:
            raise Difference(f"{words}: {real}, which is not that of {modelled} in the model")


class History:
    """One history, drawn step by step."""

    def __init__(self, server, folder, draw, setup, is_planted):
        self.server, self.folder, self.draw, self.is_planted = server, folder, draw, is_planted
        self.setup = setup
        self.state = model.first_state(setup)
        self.ids, self.revisions, self.epochs = Names(), Names(), Names()
        self.client_ids, self.requests = {}, {}
        self.taken, self.calls, self.of_before = [], 0, 0
        server.backup(self.backup_of(0))
        self.compare()

    def backup_of(self, length):
        return f"{self.folder}/backup{length}"

    def step(self):
        """Takes one step with both; returns false if the model has none."""
        found = list(model.steps(self.state, self.setup, RULES))
        if not found:
            return False
        # Each kind of step is as likely as any other one, though calls have many forms.
        kinds = sorted({words[0] for words, _ in found})
        kind = self.draw.choice(kinds)
        words, behind = self.draw.choice([it for it in found if it[0][0] == kind])
        self.taken.append(words)
        if kind.startswith("run"):
            self.run(words[1], next(it[1] for it in sorted(self.state.copies) if it[0] == words[1]), kind)
        elif kind == "set back":
            self.server.restore(self.backup_of(len(self.state.log) if self.is_planted else words[1]))
        length = len(self.state.log)
        self.state = behind
        if len(behind.log) != length or kind == "set back":
            self.server.backup(self.backup_of(len(behind.log)))
        self.compare()
        self.state = model.advanced(self.state, self.setup, RULES)
        return True

    def run(self, number, key, kind):
        """Makes the call, and compares its outcome."""
        _, wanted = model.call(self.state, number, key, self.setup, RULES)
        op = model.op_of(self.state, number)
        options = quiver.CallOptions(
            key=hashlib.sha256(f"{self.folder} {number} {key}".encode()).digest()[:16],
            store_epoch=self.epochs.real[key % model.STEP])
        self.calls += 1
        self.of_before += key % model.STEP != self.state.epoch
        try:
            if op.target < 0:
                client_id = self.client_ids.setdefault(number, quiver.uuid7()) if self.setup.client_ids else b""
                reply = self.server.client.equipment.create_riser(
                    riser=v1.Riser(client_id=client_id, brand="Hoyt", model=model.name(number)),
                    options=options)
            else:
                # What the device saw, in the server's numbers.
                request = self.requests.setdefault(number, v1.Riser(
                    id=self.ids.real[op.id, op.target], model=model.name(number),
                    revision=self.revisions.real[op.id, op.target, op.revision][1]))
                reply = self.server.client.equipment.update_riser(
                    riser=request, update_mask=["model"], options=options)
        except quiver.RPCError as error:
            if wanted is not None or error.code.name not in REFUSALS:
                raise Difference(f"{model.name(number)} ended {error.code.name}: {error.message}") from error
        else:
            if wanted is None:
                raise Difference(f"{model.name(number)} was answered, and the model refuses it")
            self.compare_item(wanted, reply)
        if kind.endswith("server killed"):
            self.server.kill()

    def compare_item(self, wanted, item):
        at, revision, creator = wanted
        self.ids.check((at, creator), item.id, f"the id of what {model.name(creator)} created")
        self.revisions.check(
            (at, creator, revision), (item.id, item.revision),
            f"the revision of what {model.name(creator)} created")

    def compare(self):
        """The store's objects, their content, and the epoch."""
        self.epochs.check(self.state.epoch, self.server.epoch(), "the epoch")
        latest = {entry[3]: model.name(entry[1]) for entry in self.state.log if entry[0] != model.EPOCH}
        there = {item.display_model: item for item in self.server.items()}
        if sorted(latest.values()) != sorted(there):
            raise Difference(f"the store has {sorted(there)}, the model {sorted(latest.values())}")
        for wanted in model.listed(self.state.log, RULES.base):
            self.compare_item(wanted, there[latest[wanted[0]]])


def play(programs, seed, number, most, is_planted):
    """Plays one history; returns the numbers of its steps, calls, calls of before, set-backs and kills."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(programs, folder)
        history = None
        try:
            setup = SETUPS[number % len(SETUPS)]
            history = History(server, folder, random.Random(f"{seed} {number}"), setup, is_planted)
            while len(history.taken) < most and history.step():
                pass
        except Difference as difference:
            print(f"history {number} of seed {seed}:")
            for place, words in enumerate(history.taken if history else [], 1):
                print(f"    {place}. {sentence(words)}")
            raise SystemExit(f"    {difference}")
        finally:
            server.end(kill=True)
        kinds = [words[0] for words in history.taken]
        return (len(kinds), history.calls, history.of_before, kinds.count("set back"),
                kinds.count("run, server killed"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", required=True)
    parser.add_argument("--histories", type=int, default=4)
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--plant", action="store_true")
    arguments = parser.parse_args()
    totals = [0] * 5
    for number in range(arguments.histories):
        counts = play(arguments.programs, arguments.seed, number, arguments.steps, arguments.plant)
        totals = [one + other for one, other in zip(totals, counts)]
    print(f"seed {arguments.seed}: {arguments.histories} histories with {totals[0]} steps, {totals[1]} calls, of which "
          f"{totals[2]} are of a former epoch, {totals[3]} set-backs and {totals[4]} kills are the same at a server")
    return 0


if __name__ == "__main__":
    sys.exit(main())
