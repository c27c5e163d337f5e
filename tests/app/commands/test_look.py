"""Arguments of `kinetree render` that say what is drawn, and how."""

import argparse

import pytest

from kinetree.app.commands.look import add_look_arguments, look_of, values_of
from kinetree.app.terminal import UsageError
from kinetree.engine.scene.effects import EFFECTS, Preset, preset_of
from kinetree.engine.scene.options import FLAGS, Frame, Label


def parsed(*arguments: str):
    parser = argparse.ArgumentParser()
    add_look_arguments(parser)
    return look_of(parser.parse_args(arguments))


@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: flag.name)
def test_every_flag_can_be_shown_and_hidden(flag):
    assert getattr(parsed("--show", flag.name), flag.name) is True
    assert getattr(parsed("--hide", flag.name), flag.name) is False


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.name)
def test_every_effect_takes_each_of_its_values(effect):
    for text, value in values_of(effect).items():
        assert getattr(parsed("--effect", f"{effect.name}={text}"), effect.name) == value


def test_labels_frames_groups_and_presets():
    look = parsed("--label", "contactforce", "--frame", "world", "--group", "geom:0,3", "--group", "site:", "--quality",
                  "performance", "--show", "fog,joint")  # fmt: skip
    assert (look.label, look.frame, look.fog, look.joint) == (Label.CONTACTFORCE, Frame.WORLD, True, True)
    assert look.geomgroup == [True, False, False, True, False, False] and not any(look.sitegroup)
    assert preset_of(look) is Preset.PERFORMANCE
    assert parsed("--samples", "7").samples == 7
    assert preset_of(parsed()) is Preset.BALANCED


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--show", "fogg"), "'fogg' is not one of convexhull, texture"),
        (("--label", "bones"), "'bones' is not one of none, body"),
        (("--group", "geom"), "'geom' is not like geom:0,1"),
        (("--group", "geom:6"), "groups from 0 to 5"),
        (("--group", "hand:0"), "'hand' is not one of geom"),
        (("--quality", "best"), "'best' is not one of performance"),
        (("--effect", "sparkle"), "'sparkle' is not one of samples"),
        (("--effect", "samples=3"), "--effect samples '3' is not one of 1, 2, 4, 8"),
    ],
)
def test_what_does_not_exist_is_named(arguments, word):
    with pytest.raises(UsageError) as error:
        parsed(*arguments)
    assert word in str(error.value)
