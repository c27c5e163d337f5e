"""Builds wheel, sdist, archive and Debian package; packaging/build.py is its command.

`source` (the files of a commit) -> `distributions` (wheel, sdist) -> `payload` (a folder with interpreter, packages and
Kinetree) -> `archive` (.tar.xz) and `deb`. `recipes` fills in the recipes of other packagers.
"""
