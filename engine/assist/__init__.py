"""Editing assistance for the text of a model (MJCF, URDF and x_xy): completion, hover, navigation, renaming. Without
Qt.

Every function takes a `Document`, which never changes, so that any thread can call it; results are cached for each
document (`kept.py`). Places are character offsets in one of the document's files; most functions take (document, path,
offset) and understand texts that are broken while they are being typed.

Read first `language.py`: one interface over the tables of the three formats.

    language.py     the kind of an element, its children, its attributes, its name
    names.py        declarations and references of names, renaming
    index.py        the same names, quick enough for every key that is typed
    attached.py     names that come from attached models
    surroundings.py the models near a file that include or attach it
    renaming.py     renaming in all of them
    in_force.py     the effective value of each attribute, and its origin
    files.py        the files that attributes name, and what is in their folders
    cursor.py       the syntax at an offset: a tag, an attribute, a word of a value
    completion.py   proposals for an offset
    hover.py        help for an offset as Markdown (describe.py)
    navigation.py   definitions, references, highlights, renaming
    outline.py      the elements of a file as symbols, and its foldable lines
    meanings.py     the kinds of values, for colouring; units.py: the units of numbers
    colours.py      the colours of a file
    formatting.py   indentation and spacing, on request (layout.py: how a text is laid out)
"""

from typing import TYPE_CHECKING

from kinetree.engine.lazy import lazy_modules

if TYPE_CHECKING:
    from kinetree.engine.assist import files, language, surroundings  # noqa: F401
else:
    __getattr__ = lazy_modules(__name__)
