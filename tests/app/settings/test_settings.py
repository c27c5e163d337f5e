"""What the settings file holds, also when somebody edited it."""

from app.settings.settings import HISTORY_MEMORY, Settings


def test_history_memory_is_kept_within_its_range(tmp_path):
    least, default, most = HISTORY_MEMORY
    settings = Settings(str(tmp_path))
    assert settings.history_memory == default
    for value, read in ((500, 500), (0, least), (10**9, most), ("many", default)):
        settings._store.setValue("history_memory", value)
        settings._store.sync()
        assert Settings(str(tmp_path)).history_memory == read
