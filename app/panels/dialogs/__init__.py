"""What comes up on demand: settings, keys, the palette of commands, pictures, conversion."""
