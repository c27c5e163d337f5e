"""The language server behind `kinetree lsp`: other editors get what engine/assist knows. Start with server.py."""
