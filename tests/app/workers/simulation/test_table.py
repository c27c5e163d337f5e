"""Each request of the simulation has one handler, and is posted somewhere."""

import ast
import dataclasses
from pathlib import Path

import pytest

import kinetree.app.workers.simulation as package
from kinetree.app.workers.simulation import requests
from kinetree.app.workers.simulation.table import HANDLERS
from kinetree.app.workers.simulation.thread import SimulationThread

APP = Path(package.__file__).parents[2]
KINDS = {requests.SimulationRequest, requests.RunRequest, requests.ForModel}
REQUESTS = [
    each for each in vars(requests).values() if isinstance(each, type) and issubclass(each, requests.SimulationRequest)
]
MOST_METHODS = 35


def trees():
    for path in sorted(APP.rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_each_request_has_a_handler_of_its_own():
    assert set(HANDLERS) == set(REQUESTS) - KINDS
    assert len(set(HANDLERS.values())) == len(HANDLERS)


def test_every_request_is_posted_somewhere():
    made = set()
    for _, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "post":
                called = [
                    each.func for argument in node.args for each in ast.walk(argument) if isinstance(each, ast.Call)
                ]
                made |= {getattr(each, "attr", getattr(each, "id", "")) for each in called}
    assert not {each.__name__ for each in HANDLERS} - made


def test_every_handler_is_in_the_table():
    listed = {(each.__module__.rpartition(".")[2], each.__name__) for each in HANDLERS.values()}
    public = {
        (path.stem, node.name)
        for path, tree in trees()
        if path.parent.name == "handlers"
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }
    assert public == listed


def test_handlers_take_what_their_kind_of_request_gives():
    """handler(core, request), or with the loaded model in between."""
    for request, handler in HANDLERS.items():
        needed = 3 if issubclass(request, requests.RunRequest) else 2
        assert handler.__code__.co_argcount == needed, handler.__name__


def test_requests_are_frozen():
    assert all(each.__dataclass_params__.frozen for each in REQUESTS)
    values = [0.5]
    request = requests.SetValues("qpos", 0, values)
    values[0] = 9.0
    assert request.values == (0.5,)
    with pytest.raises(dataclasses.FrozenInstanceError):
        request.start = 1


def test_a_request_for_a_model_says_for_which_one():
    thread = SimulationThread(lambda: None, lambda _message, _details: None)
    with pytest.raises(ValueError, match="SetControl needs the generation"):
        thread.post(requests.SetControl(0, 1.0))


def test_no_class_of_the_simulation_grows_again():
    many = [
        f"{path.relative_to(APP)}: {node.name} has {count} methods"
        for path, tree in trees()
        if path.parent.name in ("simulation", "handlers") or path.stem == "simulation_controller"
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and (count := sum(isinstance(each, ast.FunctionDef) for each in node.body)) > MOST_METHODS
    ]
    assert not many
