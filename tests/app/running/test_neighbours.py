"""The windows beside a window: real sockets, two windows in this process."""

import contextlib
import os
import socket

import pytest

from kinetree.app.running import message, neighbours, place
from kinetree.app.running.listener import Listener
from kinetree.app.running.neighbours import Neighbours


@pytest.fixture
def pair(windows, qapp):
    """Two windows: listener and neighbours of each, and the requests that the second one got."""
    requests = []

    def take(request):
        requests.append(request)
        return message.DONE

    listeners = [Listener(windows, take) for _ in range(2)]
    found = [Neighbours(windows, each.place) for each in listeners]
    yield listeners, found, requests
    for each in listeners:
        each.end()
    for each in found:
        each.deleteLater()


def test_each_window_tells_the_others_what_it_shows(pair, qtbot, tmp_path):
    (_one, two), (of_one, of_two), _ = pair
    assert [each.path for each in of_one.all()] == [""] and of_one.all()[0].place.file == two.place.file
    path = str(tmp_path / "a b\n\udcff.xml")
    with qtbot.waitSignal(of_one.changed):
        two.show(path)
    assert [each.path for each in of_one.all()] == [path] and [each.path for each in of_two.all()] == [""]
    with qtbot.waitSignal(of_one.changed):
        two.end()
    assert of_one.all() == []


def test_a_model_is_found_by_any_name_of_its_file(pair, tmp_path):
    (_, two), (of_one, _), _ = pair
    path, link = tmp_path / "a.xml", tmp_path / "link.xml"
    path.touch()
    link.symlink_to(path)
    two.show(str(path))
    assert of_one.showing(str(link)).path == str(path)
    assert of_one.showing(str(tmp_path / "b.xml")) is None
    two.show("")
    assert of_one.showing(str(path)) is None


def test_a_window_that_was_used_last_is_still_known_by_its_model(pair, tmp_path):
    (one, _two), (_, of_two), _ = pair
    one.show(str(tmp_path / "a.xml"))
    one.place.announce()
    assert of_two.all()[0].path == str(tmp_path / "a.xml")


def test_a_window_is_asked_to_come_to_the_front(pair, qtbot):
    (_, _two), (of_one, _), requests = pair
    heard = []
    of_one.bring_up(of_one.all()[0], heard.append)
    assert heard == []  # nobody waits
    qtbot.waitUntil(lambda: heard == [True])
    assert [each.path for each in requests] == [""]


def test_a_window_that_crashed_is_forgotten(pair, windows, qtbot):
    (_, _two), (of_one, _), _ = pair
    crashed = place.new_place(windows)
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(crashed.address)
        server.listen()
    crashed.show("/models/a.xml")
    found, heard = of_one.showing("/models/a.xml"), []
    of_one.bring_up(found, heard.append)
    qtbot.waitUntil(lambda: heard == [False])
    assert of_one.showing("/models/a.xml") is None and not os.path.exists(crashed.address)


def test_a_window_that_hangs_is_given_up(pair, windows, qtbot, monkeypatch):
    monkeypatch.setattr(neighbours, "PATIENCE", 50)
    (_, _two), (of_one, _), _ = pair
    hung = place.new_place(windows)
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(hung.address)
        server.listen()
        hung.show("/models/a.xml")
        heard = []
        of_one.bring_up(of_one.showing("/models/a.xml"), heard.append)
        qtbot.waitUntil(lambda: heard == [False])
    assert hung.file.exists()
    hung.forget()


@pytest.mark.parametrize("content", [b"", b"a.xml", b"/a\0.xml", b"x" * 100_000])
def test_what_is_no_path_is_not_shown(windows, content):
    odd = place.new_place(windows)
    odd.file.write_bytes(content)
    assert odd.shown() == ""
