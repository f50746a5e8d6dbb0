#!/usr/bin/env python3
"""Explores all states of the model of `rules.py`, and finds the bugs that are seeded in it.

usage: explore.py [--operations N]        N: of the first setup, 3 unless given

Prints the number of states of each setup and of the steps between them, and for each seeded bug the
shortest history that shows it. The exit code is 1 if a promise is broken without a seeded bug, if a
bug is not found, or if a gap of `docs/known-limits.md` is no longer one.
"""
import argparse
import sys
from collections import deque

import rules as model
from rules import Rules, Setup, name


def explore(setup, rules, check=model.violation):
    """Goes through all states, breadth first: (states, steps, history of the first violation)."""
    start = model.first_state(setup)
    before, queue, count = {start: None}, deque([start]), 0
    while queue:
        state = queue.popleft()
        following = model.steps(state, setup, rules)
        while True:
            try:
                words, behind = next(following)
            except StopIteration:
                break
            except model.Violation as broken:
                return len(before), count, history(before, state) + [str(broken)]
            count += 1
            broken = check(behind, rules)
            if broken:
                return len(before), count, history(before, state) + [words, broken]
            behind = model.advanced(behind, setup, rules)
            if behind not in before:
                before[behind] = (state, words)
                queue.append(behind)
    return len(before), count, None


def history(before, state):
    """The steps from the first state to this one."""
    found = []
    while before[state]:
        state, words = before[state]
        found.append(words)
    return found[::-1]


def sentence(step):
    if isinstance(step, str):
        return step
    kind, *numbers = step
    if kind == "create":
        return f"{name(numbers[0])}, a creation, is sent to server {numbers[1]}"
    if kind == "edit":
        return f"{name(numbers[0])}, an edit of what {name(numbers[1])} created, is sent to server {numbers[2]}"
    if kind == "repeat":
        return f"{name(numbers[0])} has no answer and is sent again, to server {numbers[1]}"
    if kind.startswith("run"):
        what = kind.removeprefix("run").removeprefix(", ")
        return f"server {numbers[1]} runs {name(numbers[0])}" + (f": {what}" if what else " and answers")
    if kind == "follow":
        return f"device {'AB'[numbers[0]]} learns of the epoch and follows it"
    if kind == "start":
        return f"server {numbers[0]} starts"
    if kind == "replicated":
        return "the replica has the commit"
    commits = "1 commit" if numbers[0] == 1 else f"{numbers[0]} commits"
    return {"failover": "the replica is promoted", "set back": "the database is set back"}[kind] + (
        f": it has {commits}")


def alone(servers):
    return Setup(servers=servers, guided=False, failovers=0)


SETUPS = (
    ("2 servers, 2 devices, 3 operations with client_ids, a set-back with `epoch new`, a failover", Setup()),
    ("the same with 2 operations that have nothing but keys", Setup(operations=2, client_ids=False)),
    ("2 servers, 2 devices, 3 operations of which edits name revision 0, a set-back",
     Setup(failovers=0, any_revision=True)),
    ("the same with 3 operations that have nothing but keys, from clocks that are behind",
     Setup(failovers=0, client_ids=False, any_revision=True, clock="behind")),
    ("1 server, 2 devices, 2 operations, a set-back that the server has to notice",
     alone(1)._replace(operations=2)),
)

# The rule that is broken, the setup that shows it, and what is found.
BUGS = (
    ("the key is stored behind the commit of its effect", "key_in_commit",
     Setup(client_ids=False), "has had its effect twice"),
    ("a repeated call has another key", "same_key", Setup(client_ids=False), "has had its effect twice"),
    ("a key of before that is not stored has its effect", "key_epoch",
     Setup(operations=2, client_ids=False), "was shown as missing"),
    ("an edit of before that names revision 0 has its effect", "key_epoch",
     Setup(failovers=0, any_revision=True), "was shown as missing"),
    ("a new epoch does not move ids and revisions", "base", Setup(failovers=0, clock="ahead"), "and hits what"),
    ("edits do not name a revision", "revision", Setup(failovers=0), "has not seen"),
    ("a watch of another epoch resumes at its position", "watch_epoch", Setup(), "which the store lacks"),
    ("the position of an answer is not stated", "position", Setup(), "lacks its own"),
    ("answers do not wait for the replica", "synchronous", Setup(), "was acknowledged and is lost"),
    ("devices forget what is acknowledged", "offers", Setup(), "was acknowledged and is lost"),
    ("a server does not note what it answers", "notes_answers", alone(1), "which the store lacks"),
    ("a server does not note what it finds when it starts", "notes_start", alone(1),
     "which the store lacks"),
)

# What the programs do not keep yet: docs/known-limits.md says so.
GAPS = (
    ("a server that noted nothing of what is missing starts first, without `epoch new`", alone(2), Rules()),
    ("a caller states no epoch, and its clock is ahead",
     Setup(operations=2, client_ids=False, clock="ahead"), Rules()),
)


def show(steps):
    for number, step in enumerate(steps, 1):
        print(f"    {number}. {sentence(step)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--operations", type=int, default=3)
    operations, failed = parser.parse_args().operations, 0
    for words, setup in SETUPS:
        if words == SETUPS[0][0]:
            setup = setup._replace(operations=operations)
        states, steps, broken = explore(setup, Rules())
        print(f"{words}: {states} states, {steps} steps, "
              f"{'a promise is broken' if broken else 'every promise kept'}", flush=True)
        if broken:
            show(broken)
            failed = 1
    for words, rule, setup, wanted in BUGS:
        states, _, broken = explore(setup, Rules(**{rule: False}), only(wanted))
        print(f"seeded bug, {words}: " + (f"found in {states} states" if broken else "NOT FOUND"), flush=True)
        if broken:
            show(broken)
        failed |= not broken
    for words, setup, rules in GAPS:
        _, _, broken = explore(setup, rules)
        print(f"known limit, {words}:" + ("" if broken else " NOT FOUND, docs/known-limits.md says so"))
        show(broken or [])
        failed |= not broken
    return failed


def only(words):
    """Looks for one kind of violation."""
    def check(state, rules):
        broken = model.violation(state, rules)
        return broken if broken and words in broken else None
    return check


if __name__ == "__main__":
    sys.exit(main())
