"""What a tool knows about a model's text while it is edited: for MJCF, URDF and x_xy alike, without Qt.

Every function takes a `Document`, which never changes, so that any thread can call it; what it computes of a document
is kept for the next call (`kept.py`). Places are character offsets in one of the document's files; most functions take
(document, path, offset) and understand texts that are broken while they are being typed.

Read first `language.py`: one interface over the tables of the three formats.

    language.py     the kind of an element, what may stand in it, its attributes, its name
    names.py        what declares a name, what refers to it, renaming
    index.py        the same names, quick enough for every key that is typed
    attached.py     names that come from attached models
    surroundings.py the models near a file that include or attach it
    renaming.py     renaming in all of them
    in_force.py     the value of each attribute that counts, and where it comes from
    files.py        the files that attributes name, and what is in their folders
    cursor.py       what stands at an offset: a tag, an attribute, a word of a value
    completion.py   what may be written there
    hover.py        what is there, in words (describe.py)
    navigation.py   definitions, references, highlights, renaming
    outline.py      the elements of a file as symbols, and what can be folded
    meanings.py     what the values are, for colouring; units.py: the units of numbers
    colours.py      the colours of a file
    formatting.py   indentation and spacing, on request (layout.py: how a text is laid out)
"""
