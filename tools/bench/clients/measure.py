"""Runs the clients in turns and prints a table: see tools/bench/clients/run."""

import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time

DEPTHS = (1, 64)
GOALS = [
    # client, peer, the largest ratio of their CPU time
    ("Python", "grpc.aio", 0.5),
    ("C", "raw epoll", 1.3),
]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(600):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit(f"nothing listens on port {port}")


def usage_of(command: list[str], environment: dict[str, str]) -> dict[str, float]:
    """What a client prints; with the CPU time of its process where it does not say."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
    assert process.stdout is not None
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command[:4]} ended with {process.returncode}")
    found = json.loads(printed)
    found.setdefault("cpu", used.ru_utime + used.ru_stime)
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("--build", "--programs", "--root", "--json"):
        parser.add_argument(name)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    build = pathlib.Path(options.build)
    pins = bool(shutil.which("taskset")) and (os.cpu_count() or 1) > 1
    on_server = ["taskset", "-c", "0"] if pins else []
    on_client = ["taskset", "-c", "1"] if pins else []
    folder = tempfile.mkdtemp()
    quiver_port, grpc_port = free_port(), free_port()
    token_file = f"{folder}/data/admin.token"
    servers = [
        subprocess.Popen(
            [*on_server, f"{options.programs}/quiverd", "--init", "--data", f"{folder}/data",
             "--listen", f"127.0.0.1:{quiver_port}", "--diagnostics"],
            stderr=open(f"{folder}/log", "wb"),
        ),
        subprocess.Popen([*on_server, str(build / "grpc_echo"), "serve", str(grpc_port)]),
    ]  # fmt: skip
    try:
        wait_for(quiver_port)
        wait_for(grpc_port)
        environment = os.environ | {
            "QUIVER_SERVER": f"127.0.0.1:{quiver_port}", "QUIVER_TOKEN_FILE": token_file,
            "GRPC_MESSAGES": str(build / "messages"),
        }  # fmt: skip
        clients = str(pathlib.Path(options.root) / "tools/bench/clients")
        python, seconds = str(build / "venv/bin/python"), str(options.seconds)
        jars = f"{build}/java/quiver.jar:/usr/share/java/protobuf.jar:{build}/classes"

        def load(program: str, port: int, depth: int, *more: str) -> list[str]:
            return [str(build / program), *(["load"] if program == "grpc_echo" else []), "--connect",
                    f"127.0.0.1:{port}", "--connections", "1", "--depth", str(depth), "--warmup", "0",
                    "--seconds", seconds, *more]  # fmt: skip

        commands = {
            # Its messages have the names of those for gRPC: not in the same environment.
            "Python": lambda depth: [
                "env", f"PYTHONPATH={build}/site", python, f"{clients}/quiver_client.py", str(depth), seconds],
            "grpc.aio": lambda depth: [
                python, f"{clients}/grpc_client.py", f"127.0.0.1:{grpc_port}", str(depth), seconds],
            "C": lambda depth: [str(build / "quiver_client"), str(depth), seconds],
            "raw epoll": lambda depth: load("load", quiver_port, depth, "--token-file", token_file),
            "gRPC C++": lambda depth: load("grpc_echo", grpc_port, depth),
            "Java": lambda depth: ["java", "-cp", jars, "QuiverClient", str(depth), seconds],
        }  # fmt: skip
        found: dict[tuple[str, int], list[float]] = {}
        rates: dict[tuple[str, int], list[float]] = {}
        for _ in range(options.rounds):
            for depth in DEPTHS:
                for name, command in commands.items():
                    used = usage_of([*on_client, *command(depth)], environment)
                    if used.get("errors") or not used["calls"]:
                        raise SystemExit(f"{name}, {depth} in flight: {used}")
                    key = (name, depth)
                    found.setdefault(key, []).append(used["cpu"] / used["calls"] * 1e6)
                    rates.setdefault(key, []).append(used["calls"] / options.seconds)
    finally:
        for server in servers:
            server.send_signal(signal.SIGTERM)
        for server in servers:
            server.wait()
        shutil.rmtree(folder)

    print("| client | 1 call in flight | 64 calls in flight | calls a second, 1 and 64 |")
    print("|---|---|---|---|")
    for name in commands:
        cells = []
        for depth in DEPTHS:
            values = found[name, depth]
            cells.append(f"{statistics.median(values):.1f} µs ({min(values):.1f} to {max(values):.1f})")
        speeds = " and ".join(f"{statistics.median(rates[name, depth]):,.0f}" for depth in DEPTHS)
        print(f"| {name} | {cells[0]} | {cells[1]} | {speeds} |")
    print()
    for client, peer, goal in GOALS:
        for depth in DEPTHS:
            ratio = statistics.median(found[client, depth]) / statistics.median(found[peer, depth])
            verdict = "met" if ratio <= goal else "missed"
            print(f"{client} to {peer}, {depth} in flight: {ratio:.2f} (goal {goal}): {verdict}")
    if options.json:
        listed = [{"client": name, "depth": depth, "cpuMicroseconds": values}
                  for (name, depth), values in found.items()]  # fmt: skip
        pathlib.Path(options.json).write_text(json.dumps(listed, indent=1) + "\n")


main()
