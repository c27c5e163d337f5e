"""Makes the pictures of the README, the tutorial and the gallery from the real window and the real renderer.

    python -m tests.pictures                     makes all of them again
    python -m tests.pictures NAME ...            only these; tests/pictures/__main__.py lists the names
    python -m tests.pictures --list

A picture that looks the same as the one in docs/images is not written again, so that a run changes only what changed.
Look at what it wrote before you commit it.
"""
