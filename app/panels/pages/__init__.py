"""Pages and messages in place of the picture or above it: the start page, errors, messages."""
