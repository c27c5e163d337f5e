"""Content of the settings file, also after edits by hand."""

import pytest

from kinetree.app.settings.settings import Settings, parsed
from kinetree.app.settings.table import PAGES, SETTING_BY_NAME, SETTINGS, Setting

EDITED = {bool: ["perhaps", "", "1"], int: ["many", "", "1e400"], float: ["many", "nan?"], str: ["none of them"]}


def test_rows_are_whole():
    assert len(SETTING_BY_NAME) == len(SETTINGS)
    for row in SETTINGS:
        assert row.title and row.help.endswith(".") and row.page in PAGES, row
        assert row.value(row.text(row.default)) == row.default, row


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row.name)
def test_a_setting_is_kept_and_an_edited_file_gives_the_default(tmp_path, row: Setting):
    settings = Settings(str(tmp_path))
    assert settings.value(row.name) == row.default
    other = others(row)[0]
    heard = []
    settings.changed.connect(heard.append)
    settings.set(row.name, other)
    settings.set(row.name, other)
    assert settings.value(row.name) == other and heard == [row.name]
    settings.save()
    assert Settings(str(tmp_path)).value(row.name) == other
    for text in EDITED[type(row.default)]:
        settings._store.setValue(row.key, text)
        settings.save()
        if not isinstance(row.default, str) or row.choices:
            assert Settings(str(tmp_path)).value(row.name) == row.default


def others(row: Setting) -> list:
    """Values of a setting that are not its default."""
    if isinstance(row.default, bool):
        return [not row.default]
    if isinstance(row.default, str):
        return [value for value, _ in row.choices if value != row.default] or ["other"]
    return [type(row.default)(each) for each in (row.most, row.least) if each != row.default]


@pytest.mark.parametrize(
    "row", [row for row in SETTINGS if not isinstance(row.default, (str, bool))], ids=lambda row: row.name
)
def test_a_number_is_kept_within_its_limits(tmp_path, row: Setting):
    settings = Settings(str(tmp_path))
    for value, read in ((row.least - 1, row.least), (row.most + 1, row.most)):
        settings.set(row.name, value)
        assert settings.value(row.name) == read
        settings._store.setValue(row.key, str(value))
        settings.save()
        assert Settings(str(tmp_path)).value(row.name) == read


def test_settings_that_cannot_be_written_are_told_once_and_written_later(tmp_path):
    folder = tmp_path / "config"
    folder.write_text("a file in place of the folder")
    settings, told = Settings(str(folder)), []
    settings.failed.connect(told.append)
    settings.set("step_size", 7)
    settings.save()
    assert len(told) == 1 and str(folder) in told[0]
    folder.unlink()
    settings.save()
    assert len(told) == 1
    assert Settings(str(folder)).value("step_size") == 7
    assert (folder / "kinetree.ini").exists()


def test_records_of_panels_have_finite_numbers():
    assert parsed('{"a": [1, 2.5, true, null]}') == {"a": [1, 2.5, True, None]}
    for text in ("", "{", "NaN", "[Infinity]", "[1e999]", "1" + "0" * 400, "[" * 5000):
        assert parsed(text) is None
