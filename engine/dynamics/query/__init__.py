"""Python functions over Model and Data, computed on request. Those of `import kinetree` are listed there."""
