"""The table of effects and its presets."""

import pytest

from kinetree.engine.scene.effects import EFFECTS, PRESETS, Effects, Preset, preset_of, set_preset, with_preset
from kinetree.engine.scene.options import FLAG_BY_NAME, VisOptions


@pytest.mark.parametrize("effect", EFFECTS, ids=lambda effect: effect.name)
def test_every_effect_accepts_its_presets_and_has_help(effect):
    assert all(effect.accepts(effect.of(preset)) for preset in Preset)
    assert not effect.accepts("no such value") and not effect.accepts(None)
    assert effect.label and effect.help[0].isupper() and not effect.help.endswith(".")
    assert effect.name not in FLAG_BY_NAME


def test_presets_have_labels_and_help():
    assert set(PRESETS) == set(Preset)
    assert all(label and help and not help.endswith(".") for label, help in PRESETS.values())


def test_options_begin_balanced_and_take_a_preset():
    options = VisOptions()
    assert preset_of(options) is Preset.BALANCED
    for preset in Preset:
        assert preset_of(with_preset(options, preset)) is preset
    assert preset_of(options) is Preset.BALANCED
    set_preset(options, Preset.QUALITY)
    options.samples = 1
    assert preset_of(options) is None
    assert Effects(options).samples == 1 and Effects().samples == 4
