"""The languages that the desktop asks for, by the rules of each system."""

from __future__ import annotations

import ctypes

import pytest

from kinetree.engine.platforms import languages


def nobody() -> list[str]:
    raise AssertionError("the environment goes first")


@pytest.mark.parametrize("system", ["linux", "macos", "windows"])
def test_the_environment_goes_first(system):
    answer = {"of_windows": nobody, "of_macos": nobody}
    assert languages.wanted(system, {"LANG": "de_DE.UTF-8"}, **answer) == ["de_DE.UTF-8"]
    assert languages.wanted(system, {"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, **answer) == ["C"]
    assert languages.wanted(system, {"LANG": "de", "LANGUAGE": "fr:de"}, **answer) == ["fr", "de"]


def test_without_it_the_settings_of_the_desktop():
    assert languages.wanted("linux", {}) == []
    assert languages.wanted("windows", {"LANG": ""}, of_windows=lambda: 0x0407) == ["de_DE"]
    assert languages.wanted("windows", {}, of_windows=lambda: 0xFFFF) == []
    assert languages.wanted("macos", {}, of_macos=lambda: ["de-AT", "en"]) == ["de-AT", "en"]


def test_the_languages_of_macos_are_asked_with_the_types_of_its_functions():
    """Functions of C with the declared types, that answer as Core Foundation does."""
    names, array, released = {101: b"de-AT", 102: b"en"}, 1 << 40, []

    def text(item, memory, size, encoding):
        assert (size, encoding) == (64, 0x08000100)
        ctypes.memmove(memory, names[item] + b"\0", len(names[item]) + 1)
        return True

    class CoreFoundation:
        CFLocaleCopyPreferredLanguages = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: array)
        CFArrayGetCount = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_void_p)(lambda of: len(names) if of == array else 0)
        CFArrayGetValueAtIndex = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long)(
            lambda _, k: list(names)[k]
        )
        CFStringGetCString = ctypes.CFUNCTYPE(
            ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long, ctypes.c_uint32
        )(text)
        CFRelease = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(released.append)

    assert languages.preferred(CoreFoundation()) == ["de-AT", "en"]
    assert released == [array]


def test_elsewhere_macos_is_not_asked():
    assert languages.preferred() == [] or languages.HERE == "macos"
