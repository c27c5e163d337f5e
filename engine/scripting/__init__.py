"""The text of a model for scripts: `kinetree.Document`. Read first: `document.py`."""
