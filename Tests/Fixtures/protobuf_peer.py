"""Google's protobuf as a peer of the tests: reads requests on stdin, answers on stdout.

A part is a big-endian 32-bit length and bytes. The first part is a FileDescriptorSet; then come pairs
of parts: an operation's letter with a full type name, and a payload. An answer is a byte (1: done,
0: refused), a length and bytes.
"""

import random
import struct
import sys

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory


def read_part():
    head = sys.stdin.buffer.read(4)
    if len(head) < 4:
        sys.exit(0)
    return sys.stdin.buffer.read(struct.unpack(">I", head)[0])


def answer(done, body):
    sys.stdout.buffer.write(struct.pack(">BI", done, len(body)) + body)
    sys.stdout.buffer.flush()


def random_integer(rng, bits, signed):
    value = rng.choice(
        [0, 1, 127, 128, (1 << bits) - 1, 1 << (bits - 1), rng.getrandbits(rng.randint(1, bits))]
    )
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def random_value(rng, field):
    kind = field.type
    if kind == field.TYPE_DOUBLE:
        return rng.choice([-0.0, 1.5, float("inf"), float("nan"), rng.uniform(-1e300, 1e300)])
    if kind == field.TYPE_FLOAT:
        return rng.choice([-0.0, 1.5, float("-inf"), float("nan"), float(rng.getrandbits(20))])
    if kind in (field.TYPE_INT32, field.TYPE_SINT32, field.TYPE_SFIXED32):
        return random_integer(rng, 32, True)
    if kind in (field.TYPE_UINT32, field.TYPE_FIXED32):
        return random_integer(rng, 32, False)
    if kind in (field.TYPE_INT64, field.TYPE_SINT64, field.TYPE_SFIXED64):
        return random_integer(rng, 64, True)
    if kind in (field.TYPE_UINT64, field.TYPE_FIXED64):
        return random_integer(rng, 64, False)
    if kind == field.TYPE_BOOL:
        return rng.random() < 0.5
    if kind == field.TYPE_ENUM:
        known = rng.choice([value.number for value in field.enum_type.values])
        return rng.choice([known, random_integer(rng, 32, True)])
    if kind == field.TYPE_STRING:
        return "".join(rng.choice("aé€🏹\0 z") for _ in range(rng.choice([0, 1, 15, 16, 50])))
    return rng.randbytes(rng.choice([0, 1, 16, 200]))


def repeats(field):
    """Whether a field is repeated, in old releases and new."""
    return field.is_repeated if hasattr(field, "is_repeated") else field.label == 3


def fill(rng, message):
    for field in message.DESCRIPTOR.fields:
        if rng.random() < 0.5:
            continue
        if repeats(field):
            values = getattr(message, field.name)
            for _ in range(rng.randint(0, 4)):
                if field.type == field.TYPE_MESSAGE:
                    fill(rng, values.add())
                else:
                    values.append(random_value(rng, field))
        elif field.type == field.TYPE_MESSAGE:
            child = getattr(message, field.name)
            child.SetInParent()
            fill(rng, child)
        else:
            setattr(message, field.name, random_value(rng, field))


def serve(pool, operation, name, payload):
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))()
    if operation == "R":
        message.ParseFromString(payload)
    elif operation == "G":
        fill(random.Random(int(payload)), message)
    elif operation == "J":
        message.ParseFromString(payload)
        return json_format.MessageToJson(message).encode()
    elif operation == "P":
        json_format.Parse(payload.decode(), message)
    return message.SerializeToString(deterministic=True)


def main():
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(read_part()).file:
        pool.Add(file)
    answer(1, b"ready")
    while True:
        head, payload = read_part(), read_part()
        try:
            answer(1, serve(pool, chr(head[0]), head[1:].decode(), payload))
        except Exception as error:  # a refusal is an answer
            answer(0, repr(error).encode())


main()
