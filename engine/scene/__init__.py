"""The scene as plain arrays: what is to be drawn, from where, and what lies under the cursor. No GL, no Qt."""
