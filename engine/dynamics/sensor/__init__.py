"""Values of sensors, and rays. Read first: sensor.py."""
