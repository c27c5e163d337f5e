"""The table of flags against the reference's, and copies of the options."""

import mujoco
import pytest

from kinetree.engine.scene.options import FLAGS, TONE_MAPPINGS, ToneMapping, VisOptions


def test_names_keys_and_starting_values_are_the_references():
    ours = [flag for flag in FLAGS if flag.kind == "visual"]
    assert len(ours) == mujoco.mjtVisFlag.mjNVISFLAG == len(mujoco.mjVISSTRING)
    for flag, (label, default, key) in zip(ours, mujoco.mjVISSTRING):
        assert flag.label.replace(" ", "").lower() == label.replace("&&", "&").replace(" ", "").lower()
        assert flag.default == (default == "1"), flag.name
        assert flag.key == key.strip(), flag.name


def test_rendering_flags_are_the_references():
    ours = [flag for flag in FLAGS if flag.kind == "rendering"]
    assert len(ours) == mujoco.mjtRndFlag.mjNRNDFLAG
    for flag, (label, default, key) in zip(ours, mujoco.mjRNDSTRING):
        assert flag.label.replace(" ", "").lower() == label.replace(" ", "").lower()
        assert flag.default == (default == "1"), flag.name
        assert flag.key == ("" if flag.name == "segment" else key.strip()), flag.name  # theirs is Activation's too


def test_every_tone_mapping_has_a_label_and_help():
    assert list(TONE_MAPPINGS) == list(ToneMapping)
    assert all(label and help and not help.endswith(".") for label, help in TONE_MAPPINGS.values())


def test_unknown_option_is_refused():
    with pytest.raises(AttributeError, match="no visual option 'shadows'"):
        VisOptions(shadows=True)


def test_every_flag_has_help():
    assert all(flag.help and flag.help[0].isupper() and not flag.help.endswith(".") for flag in FLAGS)
    keys = [flag.key for flag in FLAGS if flag.key]
    assert len(keys) == len(set(keys))
