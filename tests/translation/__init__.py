"""Catalogues of translations: how they are made from the sources, and their tests.

    python -m tests.translation             the template and the catalogues follow the sources
    python -m tests.translation pseudo      makes the pseudo-language too, which the settings then offer

`sentences.py` finds the sentences, `pseudo.py` makes the pseudo-language. docs/translation.md tells the rest.
"""
