"""Dialogs and popups: settings, keys, the palette of commands, pictures, conversion."""
