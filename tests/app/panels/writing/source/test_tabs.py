"""Tabs of files are told apart by their names, with folders where these are the same."""

from kinetree.app.panels.writing.source.panel import short_names


def test_names_are_as_short_as_they_can_be() -> None:
    paths = ["/r/robot.xml", "/r/left/leg.xml", "/r/right/leg.xml", "/s/right/leg.xml", "/r/arm.xml"]
    assert short_names(paths) == ["robot.xml", "left/leg.xml", "r/right/leg.xml", "s/right/leg.xml", "arm.xml"]
    assert short_names(["/leg.xml", "leg.xml", "leg.xml"]) == ["/leg.xml", "leg.xml", "leg.xml"]
    assert short_names([]) == []
