"""Edits of a model as wishes about its text: what panels, gizmos and tools do. No window needed."""
