"""The source editor: the texts of the project, one tab for each file. Start with panel.py."""
