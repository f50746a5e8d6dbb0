"""Tests that clients share no state: no function changes what belongs to a module or to a class."""

import ast
import pathlib
import unittest
import unittest.mock

SOURCES = pathlib.Path(__file__).resolve().parents[1] / "src" / "quiver"

# A module and a name of it that functions may change, with the reason.
ALLOWED = {
    ("_check", "_tables"): "what a type of the protos permits, which is the same for all clients; it is"
    " computed once for each type, and two threads that compute it at once store the same",
}

CHANGING = {
    "add", "append", "appendleft", "clear", "discard", "extend", "extendleft", "insert", "pop", "popitem",
    "popleft", "put", "put_nowait", "remove", "reverse", "rotate", "set", "setdefault", "sort", "update",
    "__setitem__",
}  # fmt: skip
CACHES = {"cache", "lru_cache", "cached_property"}
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def bound(target: ast.expr) -> set[str]:
    """The names that an assignment to a target binds."""
    return {one.id for one in ast.walk(target) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def names_of_module(tree: ast.Module) -> set[str]:
    """The variables, classes and imported names of a module; not its functions."""
    names: set[str] = set()
    for one in ast.walk(ast.Module([each for each in tree.body if not isinstance(each, Function)], [])):
        if isinstance(one, ast.Import | ast.ImportFrom):
            names |= {each.asname or each.name.split(".")[0] for each in one.names}
    for one in tree.body:
        if isinstance(one, ast.Assign):
            for target in one.targets:
                names |= bound(target)
        elif isinstance(one, ast.AnnAssign | ast.AugAssign):
            names |= bound(one.target)
        elif isinstance(one, ast.ClassDef):
            names.add(one.name)
    return names


def local_names(function: Function) -> set[str]:
    """The parameters of a function, and the names that it binds; not those that it declares global."""
    parameters = function.args
    names = {one.arg for one in [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]}
    names |= {one.arg for one in (parameters.vararg, parameters.kwarg) if one}
    declared: set[str] = set()
    for one in ast.walk(function):
        if isinstance(one, ast.Global):
            declared |= set(one.names)
        elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
            names.add(one.id)
        elif isinstance(one, ast.ExceptHandler) and one.name:
            names.add(one.name)
    return names - declared


def root(value: ast.expr) -> str:
    """The name at the beginning of `name.part[0].other`; empty where there is none."""
    while isinstance(value, ast.Attribute | ast.Subscript):
        value = value.value
    return value.id if isinstance(value, ast.Name) else ""


def changed(node: ast.AST) -> list[str]:
    """The names that a node changes, or through which it changes something."""
    if isinstance(node, ast.Global):
        return node.names
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return [root(node)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        return [root(node.func.value)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("next", "setattr", "delattr"):
        return [root(node.args[0])] if node.args else []
    return []


def findings(name: str, text: str) -> list[str]:
    """What functions of a module share, as `line: name`, without what is allowed."""
    tree = ast.parse(text)
    shared = names_of_module(tree)
    found: list[tuple[int, str]] = []
    functions = [one for one in ast.walk(tree) if isinstance(one, Function)]
    for function in functions:
        outer = [one for one in functions if function in ast.walk(one)]
        visible = (shared | {"cls"}) - set().union(*(local_names(one) - {"cls"} for one in outer))
        for one in ast.walk(function):
            found += [(one.lineno, each) for each in changed(one) if each in visible]  # type: ignore[attr-defined]
        if isinstance(function, ast.Lambda):
            continue
        for value in [*function.args.defaults, *function.args.kw_defaults]:
            if isinstance(value, ast.Dict | ast.List | ast.Set):
                found.append((value.lineno, function.name))
        for decorator in function.decorator_list:
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            word = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if word in CACHES - {"cached_property"}:
                found.append((decorator.lineno, function.name))
    return [f"{name}.py:{line}: {what}" for line, what in sorted(set(found)) if (name, what) not in ALLOWED]


EXAMPLE = '''
import itertools, functools
from ._check import _tables
LAST = 0
NAMES = {"a": 1}
NUMBERS = itertools.count()
class Client:
    most = 3
    def rename(self): self.most = 4
    @classmethod
    def all(cls): cls.most = 5
def count():
    global LAST
    LAST += 1
def note(name): NAMES[name] = 2
def forget(): NAMES.clear()
def number(): return next(NUMBERS)
def change(): Client.most = 6
def fill(key): _tables.setdefault(key, []).append(1)
@functools.lru_cache(maxsize=None)
def known(key): return key
def collect(into=[]): return into
def innocent(NAMES):
    NAMES["b"] = 1
    LAST = 3
    made = []
    made.append(LAST)
    return [one.add(1) for one in made], NUMBERS
'''


class StateTest(unittest.TestCase):
    def test_no_function_changes_what_belongs_to_a_module(self) -> None:
        modules = sorted(one for one in SOURCES.rglob("*.py") if "_pb2" not in one.name)
        self.assertGreater(len(modules), 10)
        self.assertEqual([each for one in modules for each in findings(one.stem, one.read_text())], [])

    def test_each_form_of_shared_state_is_found(self) -> None:
        lines = [one.removeprefix("example.py:") for one in findings("example", EXAMPLE)]
        self.assertEqual(lines, [
            "11: cls", "13: LAST", "15: NAMES", "16: NAMES", "17: NUMBERS", "18: Client", "19: _tables",
            "20: known", "22: collect"])  # fmt: skip

    def test_what_is_allowed_exists(self) -> None:
        for name, variable in ALLOWED:
            text = (SOURCES / f"{name}.py").read_text()
            self.assertIn(variable, names_of_module(ast.parse(text)))
            with unittest.mock.patch.dict(ALLOWED, clear=True):
                self.assertNotEqual(findings(name, text), [], "nothing changes it: it needs no exception")


if __name__ == "__main__":
    unittest.main()
