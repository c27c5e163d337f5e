"""Panels in which the text of a model is written: tree, inspector, source, history, problems."""
