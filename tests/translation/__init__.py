"""Catalogues of translations: how they follow the sources, and their tests.

    python -m tests.translation             writes the template; new sentences come into the catalogues, old ones go
    python -m tests.translation missing     lists the sentences that are not translated; writes nothing
    python -m tests.translation pseudo      makes the pseudo-language, which the settings then offer

`sentences.py` finds the sentences, `pseudo.py` makes the pseudo-language, `packaging/catalogues.py` compiles what
translators wrote for the program. docs/translation.md tells the rest.
"""
