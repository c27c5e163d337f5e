"""Python functions over Model and Data, computed on request. Those of `import engine` are listed there."""
