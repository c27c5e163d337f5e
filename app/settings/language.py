"""The language of the window: the catalogue of Kinetree, and that of Qt for the buttons and dialogs that are Qt's."""

from __future__ import annotations

import os

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QTranslator

from kinetree.engine import translation
from kinetree.engine.platforms import languages


def apply(application: QCoreApplication, chosen: str) -> str:
    """Translate the window and the processes that it starts. `chosen` is the value of the setting: "system" or a
    language. Returns the language. Call it before the first widget is made."""
    language = translation.install(languages.wanted() if chosen == "system" else [chosen])
    os.environ["LANGUAGE"] = language  # for processes that are started from here
    translator = QTranslator(application)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if language != translation.ENGLISH and translator.load(f"qtbase_{language}", folder):
        application.installTranslator(translator)
    return language
