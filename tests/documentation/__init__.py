"""Pages of documentation that are made from tables of the program, and tests of those that people write.

    python -m tests.documentation            writes every page that has changed
    python -m tests.documentation --check    only says which pages have changed; exit code 1 if one has

`pages.py` lists the pages with the function that makes each.
"""
