"""The server and the token of a client: of an argument, else the environment, else a context.

The contexts are those of `quiver login`. docs/operations.md describes their file, and
clients/logins/cases.txt has the rule as cases.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_SERVER = "127.0.0.1:7450"
# No file of contexts is larger.
LARGEST_FILE = 1 << 20


@dataclass(frozen=True)
class Login:
    """What a client uses; None: nothing."""

    server: str
    token_file: str | None = None
    authorities: str | None = None
    certificate: str | None = None
    private_key: str | None = None
    server_name: str | None = None


def _path(environment: Mapping[str, str]) -> str | None:
    if folder := environment.get("XDG_CONFIG_HOME"):
        return os.path.join(folder, "quiver", "contexts.json")
    if home := environment.get("HOME"):
        return os.path.join(home, ".config", "quiver", "contexts.json")
    return None


def _contexts(environment: Mapping[str, str]) -> tuple[str | None, dict[str, dict[str, str]]]:
    """The name of the current context, and all by their names; none without the file."""
    path = _path(environment)
    if path is None:
        return None, {}
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None, {}
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from None
    wrong = ValueError(
        f"{path} does not contain contexts; correct it, or remove it and log in again"
    )
    try:
        if len(data) > LARGEST_FILE:
            raise wrong
        contents = json.loads(data)
        current, named = contents.get("current"), contents["named"]
        texts = ("server", "tokenFile", "authorities", "certificate", "key", "serverName")
        contexts = {
            name: {key: context[key] for key in texts if context.get(key) is not None}
            for name, context in named.items()
        }
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        raise wrong from None
    for context in contexts.values():
        if not all(isinstance(value, str) for value in context.values()):
            raise wrong
        if "server" not in context or "tokenFile" not in context:
            raise wrong
    if current is not None and not isinstance(current, str):
        raise wrong
    return current, contexts


def find_login(
    server: str | None,
    context: str | None,
    has_token: bool,
    environment: Mapping[str, str] = os.environ,
) -> Login:
    """What an argument does not name is that of the environment, else of the context.

    A context that an argument names comes before the environment. Its token goes to its own server only.
    The file is not read where the arguments name a server and a token, and no context.
    """

    def variable(name: str) -> str | None:
        return environment.get(name) or None

    is_chosen = context is not None
    name = context or variable("QUIVER_CONTEXT")
    contexts: dict[str, dict[str, str]] = {}
    if is_chosen or server is None or not has_token:
        current, contexts = _contexts(environment)
        if name is not None and name not in contexts:
            raise ValueError(f"there is no context {name}; quiver contexts lists them")
        name = name or current
    stored = contexts.get(name) if name is not None else None
    used = server or (stored["server"] if stored and is_chosen else None)
    used = used or variable("QUIVER_SERVER") or (stored["server"] if stored else DEFAULT_SERVER)
    if stored is not None and stored["server"] != used:
        if is_chosen:
            raise ValueError(f"context {name} is for {stored['server']}, and not for {used}")
        stored = None
    stored = stored or {}
    token_file, authorities = variable("QUIVER_TOKEN_FILE"), variable("QUIVER_CA")
    if is_chosen:
        token_file, authorities = None, None
    if has_token:
        token_file = None
    else:
        token_file = token_file or stored.get("tokenFile")
    return Login(
        server=used,
        token_file=token_file,
        authorities=authorities or stored.get("authorities"),
        certificate=stored.get("certificate"),
        private_key=stored.get("key"),
        server_name=stored.get("serverName"),
    )
