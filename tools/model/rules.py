"""The rules by which Quiver gives an operation its effect once, as a model that can be executed.

The model has the parts on which these rules depend and nothing else: a database that several servers
share, with a synchronous replica; servers; devices with an outbox; and what may happen to them. A
state is a tuple, `steps` gives the states that can follow it, and `violation` says which promise one
breaks. `docs/exactly-once.md` explains the model, and names the source of each rule.

An entry of the log is a commit: an object that is created, an edit, or the beginning of an epoch.
Objects, keys, client_ids and positions are what the log says, so a database that was set back is one
whose log was cut short.
"""
from collections import namedtuple
from functools import lru_cache

# An operation of a device: `number` is that of the device times ten, plus its place there. `target` is the operation that created the object which it edits (-1: it
# creates one); `id` and `revision` are what its request names; `key` tells the calls that have one
# idempotency key from others, and modulo STEP it is the epoch that the call states. Its status is one of those below.
Op = namedtuple("Op", "number device target id revision key status")
PENDING = "pending"            # sent, and no answer has come
ACKNOWLEDGED = "acknowledged"
REFUSED = "refused"            # answered so: the person is shown why
SHOWN = "shown"                # a new epoch began, the store lacks it, and the person decides
LISTED = "listed"              # the same, and the store has it

# A device: the epoch and the position up to which it has followed the store, what it lists, as (id,
# revision, creating operation), and the epoch and position that it states in its calls.
Device = namedtuple("Device", "epoch position listed stated")

# `noted`: for each server the latest entry that it has answered, as (place, entry, epoch), which is
# outside of the database. `doubt`: the last entry waits for the replica, and no server knows of its
# commit. `copies`: calls on their way, as (operation, key, server). `left`: how many set-backs and
# failovers may still happen.
State = namedtuple("State", "epoch log doubt up noted devices ops copies left")

CREATE, EDIT, EPOCH = "create", "edit", "epoch"

# `guided`: whoever sets the database back stops all servers, and runs `quiverd epoch new` before one
# starts. Otherwise each server compares what it has noted when it starts. `client_ids`: creations have
# one, as those of devices do; otherwise they have nothing but their key. `any_revision`: edits name
# revision 0, which matches any. `clock`: what tells in which epoch a key was made. "stated": the call says it;
# "behind" and "ahead": no call does, and the time in the keys is that of a clock which is wrong by an hour.
Setup = namedtuple(
    "Setup", "servers devices operations setbacks failovers guided client_ids any_revision clock",
    defaults=(2, 2, 3, 1, 1, True, True, False, "stated"))

Rules = namedtuple("Rules", (
    "key_in_commit",     # a key is stored in the commit of its effect
    "same_key",          # a repeated call has the key of the first one
    "key_epoch",         # a key of before the epoch that is not stored is refused
    "base",              # a new epoch moves ids and revisions
    "revision",          # an edit is refused unless it names the current revision
    "watch_epoch",       # a watch of another epoch begins again with a snapshot
    "position",          # an answer's position is stated in later calls
    "synchronous",       # an answer waits for the replica
    "offers",            # a device offers again what it had stored and the store lacks
    "notes_answers",     # a server notes what it answers, outside of the database
    "notes_start"),      # a server that starts notes the latest entry of the database
    defaults=(True,) * 11)

STEP = 100                     # stands for 2^32


class Violation(Exception):
    """A step that breaks a promise."""


def name(number):
    """The operations of device A are A1, A2 and so on."""
    return f"{'AB'[number // 10]}{number % 10 + 1}"


def first_state(setup):
    return State(
        epoch=0, log=(), doubt=False, up=(True,) * setup.servers, noted=(None,) * setup.servers,
        devices=(Device(0, 0, (), (0, 0)),) * setup.devices, ops=(), copies=frozenset(),
        left=(setup.setbacks, setup.failovers))


# The database.

@lru_cache(maxsize=None)
def objects(log, has_base):
    """The objects by id, as (revision, creating operation)."""
    found, base = {}, 0
    for kind, op, _, number in log:
        if kind == CREATE:
            found[number] = (base + 1, op)
        elif kind == EDIT:
            found[number] = (found[number][0] + 1, found[number][1])
        elif has_base:
            base = number * STEP
            found = {key: (base + it[0] % STEP, it[1]) for key, it in found.items()}
    return found


@lru_cache(maxsize=None)
def listed(log, has_base):
    return tuple(sorted((key, *it) for key, it in objects(log, has_base).items()))


def place(log, op, key=None):
    """Where the log has the effect of an operation, by its key if that is given; None: nowhere."""
    for index, entry in enumerate(log):
        if entry[0] != EPOCH and entry[1] == op and (key is None or entry[2] == key):
            return index
    return None


def next_id(state, rules):
    last = max((entry[3] for entry in state.log if entry[0] == CREATE), default=0)
    return max(last, state.epoch * STEP if rules.base else 0) + 1


def is_of_before(state, key, setup):
    """Whether a server takes a key for one that was made before the epoch."""
    if state.epoch == 0 or setup.clock == "ahead":
        return False
    return setup.clock == "behind" or key % STEP != state.epoch


def call(state, number, key, setup, rules):
    """The log behind a call, and its reply, as (id, revision, creating operation); None: refused."""
    op, log = op_of(state, number), state.log
    kept = place(log, number, key)
    if kept is not None:
        log, at = log[:kept + 1], log[kept][3]
        return state.log, (at, *objects(log, rules.base)[at])
    if rules.key_epoch and is_of_before(state, key, setup) and not (op.target < 0 and setup.client_ids):
        return log, None
    if op.target < 0:
        known = place(log, number) if setup.client_ids else None
        if known is None:
            log += ((CREATE, number, key, next_id(state, rules)),)
        at = log[-1 if known is None else known][3]
        return log, (at, *objects(log, rules.base)[at])
    there = objects(log, rules.base).get(op.id)
    if there is None or (rules.revision and op.revision and there[0] != op.revision):
        return log, None
    if there[1] != op.target:
        raise Violation(
            f"{name(number)} edits what {name(op.target)} created, and hits what {name(there[1])} created")
    if op.revision != there[0] and not setup.any_revision:
        raise Violation(f"{name(number)} replaces an edit that its device has not seen")
    log += ((EDIT, number, key, op.id),)
    return log, (op.id, *objects(log, rules.base)[op.id])


def begin_epoch(state, up):
    """A new epoch; calls on their way end with the servers that have them."""
    epoch = state.epoch + 1
    return state._replace(
        epoch=epoch, log=state.log + ((EPOCH, -1, 0, epoch),), up=up, copies=frozenset())


# Devices.

def op_of(state, number):
    return next(op for op in state.ops if op.number == number)


def with_op(state, number, **changes):
    return state._replace(ops=tuple(
        op._replace(**changes) if op.number == number else op for op in state.ops))


def with_device(state, index, device):
    return state._replace(devices=state.devices[:index] + (device,) + state.devices[index + 1:])


def answer(state, number, key, reply, rules):
    """A device takes the reply to a call: what it lists changes, and the position that it states."""
    op = op_of(state, number)
    if op.status != PENDING or op.key != key:
        return state
    if reply is None:
        return with_op(state, number, status=REFUSED)
    device = state.devices[op.device]
    if rules.position:
        device = device._replace(stated=(state.epoch, len(state.log)))
    others = [item for item in device.listed if item[0] != reply[0]]
    device = device._replace(listed=tuple(sorted(others + [reply])))
    return with_device(with_op(state, number, status=ACKNOWLEDGED), op.device, device)


def follow(state, index, setup, rules):
    """A device asks which store it calls, and goes on with its watch."""
    device, end = state.devices[index], (state.epoch, len(state.log))
    now = listed(state.log, rules.base)
    if device.epoch != state.epoch and not rules.watch_epoch:
        new = {item[0]: item for item in device.listed}
        known = {item[0]: item for item in now}
        new.update((entry[3], known[entry[3]]) for entry in state.log[device.position:]
                   if entry[0] != EPOCH)
        now = tuple(sorted(new.values()))
    following = with_device(state, index, Device(*end, now, end))
    if device.epoch == state.epoch:
        return following
    for op in state.ops:
        if op.device != index:
            continue
        is_missing = op.status == ACKNOWLEDGED and place(state.log, op.number) is None
        if op.status == PENDING or (is_missing and rules.offers):
            # A creation with a client_id is safe to send again in any epoch.
            is_safe = op.target < 0 and setup.client_ids
            shown = SHOWN if place(state.log, op.number) is None else LISTED
            following = with_op(
                following, op.number, key=state.epoch, status=PENDING if is_safe else shown)
    return following


# What can happen.

def steps(state, setup, rules):
    """The steps from a state, each with its words and the state behind it.

    Servers keep nothing of a call, so that one which is killed has started again at once, and only
    what it has noted tells it from another one. A call that is lost on its way is one whose turn never
    comes. Devices follow the epoch that they know at once: an edit of what was seen before is one that is
    on its way for long.
    """
    yield from sends(state, setup, rules)
    for copy in sorted(state.copies):
        yield from executions(state, copy, setup, rules)
    for index, device in enumerate(state.devices):
        if device.epoch != state.epoch and any(state.up) and not state.doubt:
            yield ("follow", index), follow(state, index, setup, rules)
    if state.doubt:
        yield ("replicated",), state._replace(doubt=False)
    for server, is_up in enumerate(state.up):
        if not is_up:
            yield ("start", server), started(state, server, setup, rules)
    yield from failovers(state, rules)
    yield from setbacks(state, setup)


def servers_of(state, index, setup, is_repeat):
    """The servers that a device may call: where they are alike, its own, and another for repeats."""
    if setup.guided:
        return [(index + is_repeat) % setup.servers]
    return [server for server, is_up in enumerate(state.up) if is_up]


def sends(state, setup, rules):
    for index, device in enumerate(state.devices):
        pending = [op for op in state.ops if op.device == index and op.status == PENDING]
        if pending:
            yield from repeats(state, pending[0], setup, rules)
        elif len(state.ops) < setup.operations and (state.ops or index == 0):
            # Devices are alike: the first operation is that of the first one.
            yield from created(state, index, setup)
            yield from edited(state, index, setup)


def created(state, index, setup):
    for server in servers_of(state, index, setup, False):
        state_behind, number = sent(state, index, server, -1, 0, 0)
        yield ("create", number, server), state_behind


def edited(state, index, setup):
    for at, revision, creator in state.devices[index].listed:
        for server in servers_of(state, index, setup, False):
            named = 0 if setup.any_revision else revision
            state_behind, number = sent(state, index, server, creator, at, named)
            yield ("edit", number, creator, server), state_behind


def sent(state, index, server, target, at, revision):
    number = index * 10 + sum(op.device == index for op in state.ops)
    op = Op(number, index, target, at, revision, state.devices[index].epoch, PENDING)
    return state._replace(
        ops=tuple(sorted(state.ops + (op,))), copies=state.copies | {(number, op.key, server)}), number


def repeats(state, op, setup, rules):
    """A device that has no answer sends the call again, and may do so while the first is on its way."""
    key = op.key if rules.same_key or op.key >= STEP else op.key + STEP
    for server in servers_of(state, op.device, setup, True):
        copy = (op.number, key, server)
        if copy not in state.copies and len(state.copies) < 2:
            again = with_op(state, op.number, key=key)
            yield ("repeat", op.number, server), again._replace(copies=state.copies | {copy})


def executions(state, copy, setup, rules):
    number, key, server = copy
    if state.doubt:
        return
    log, reply = call(state, number, key, setup, rules)
    behind = state._replace(log=log, copies=state.copies - {copy})
    if log == state.log:
        yield ("run", number, server), answer(behind, number, key, reply, rules)
        return
    noted = noting(behind, server, setup) if rules.notes_answers else behind
    yield ("run", number, server), answer(noted, number, key, reply, rules)
    yield ("run, reply lost", number, server), noted
    killed = behind._replace(doubt=state.left[1] > 0)
    if not rules.key_in_commit:
        killed = killed._replace(log=state.log + ((log[-1][0], number, -1, log[-1][3]),))
    if rules.notes_start:
        killed = noting(killed, server, setup)
    yield ("run, server killed", number, server), killed


def noting(state, server, setup):
    """The state with the latest entry of the database noted at a server."""
    if setup.guided or not state.log:
        return state
    entry = (len(state.log) - 1, state.log[-1], state.epoch)
    return state._replace(noted=state.noted[:server] + (entry,) + state.noted[server + 1:])


def started(state, server, setup, rules):
    up = state.up[:server] + (True,) + state.up[server + 1:]
    noted = state.noted[server]
    if noted is not None and noted[2] == state.epoch:
        at, entry, _ = noted
        if at >= len(state.log) or state.log[at] != entry:
            # Other servers notice the new epoch and end.
            state = begin_epoch(state, up)
            up = tuple(index == server for index in range(len(up)))
    state = state._replace(up=up)
    return noting(state, server, setup) if rules.notes_start else state


def failovers(state, rules):
    """The replica becomes the database: it has all that a server was answered."""
    setbacks, left = state.left
    if not left or not state.log:
        return
    behind = state._replace(left=(setbacks, left - 1), doubt=False)
    if state.doubt:
        yield ("failover", len(state.log)), behind
        yield ("failover", len(state.log) - 1), behind._replace(log=state.log[:-1])
    elif not rules.synchronous:
        for length in range(len(state.log)):
            if all(entry[0] != EPOCH for entry in state.log[length:]):
                yield ("failover", length), behind._replace(log=state.log[:length])


def setbacks(state, setup):
    """A copy of an earlier time takes the place of the database; its servers are stopped."""
    left, failovers = state.left
    if not left or not state.log:
        return
    for length in range(len(state.log)):
        behind = state._replace(
            log=state.log[:length], doubt=False, copies=frozenset(), left=(left - 1, failovers))
        if setup.guided:
            yield ("set back", length), begin_epoch(behind, state.up)
        else:
            yield ("set back", length), behind._replace(up=(False,) * len(state.up))


def advanced(state, setup, rules):
    """The state in which devices have followed their epoch, without what cannot matter any more."""
    seen = state.log[:-1] if state.doubt else state.log
    devices = []
    for index, device in enumerate(state.devices):
        done = [place(state.log, op.number) for op in state.ops
                if op.device == index and op.status == ACKNOWLEDGED]
        own = max((at for at in done if at is not None), default=-1) + 1
        if device.stated[0] != state.epoch:
            device = device._replace(stated=(-1, 0))
        elif device.stated[1] > own:
            device = device._replace(stated=(state.epoch, own))
        if len(state.ops) == setup.operations:
            device = device._replace(position=0, listed=())
        elif device.epoch == state.epoch and any(state.up):
            device = device._replace(
                position=0 if rules.watch_epoch else len(seen), listed=listed(seen, rules.base))
        elif rules.watch_epoch:
            device = device._replace(position=0)
        devices.append(device)
    # A call whose key is stored is answered by a repetition in the same way.
    copies = frozenset(copy for copy in state.copies if place(seen, copy[0], copy[1]) is None)
    under_way = {number for number, _, _ in copies}
    ops = tuple(
        op if op.status == PENDING or op.number in under_way else op._replace(
            id=0, revision=0, key=0, target=min(op.target, 0))
        for op in state.ops)
    return state._replace(devices=tuple(devices), ops=ops, copies=copies)


# What is promised.

def violation(state, rules):
    """Which promise a state breaks; None: it keeps all."""
    effects = [entry[1] for entry in state.log if entry[0] != EPOCH]
    if len(effects) != len(set(effects)):
        return "an operation has had its effect twice"
    there = objects(state.log, rules.base)
    for index, device in enumerate(state.devices):
        if device.epoch != state.epoch or not any(state.up):
            continue
        for number, _, creator in device.listed:
            if number not in there or there[number][1] != creator:
                return f"device {'AB'[index]} lists the object {number}, which the store lacks"
    for op in state.ops:
        number, device = op.number, state.devices[op.device]
        if op.status == REFUSED and number in effects:
            return f"{name(number)} was refused and has had its effect"
        if op.status == SHOWN and number in effects:
            return f"{name(number)} was shown as missing and had its effect later"
        if op.status != ACKNOWLEDGED or device.epoch != state.epoch or not any(state.up):
            continue
        at = place(state.log, number)
        if at is None:
            return f"{name(number)} was acknowledged and is lost"
        # Replicas may be behind by any number of commits: one may answer that has the position.
        if device.stated[0] == state.epoch and device.stated[1] <= at:
            return f"device {'AB'[op.device]} may read a replica that lacks its own {name(number)}"
    return None
