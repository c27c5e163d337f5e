# Sets $python to a Python 3.11 that can run bootstrap.py. $root is the checkout; sourced by ./run and ./test.
is_311() { "$1" -I -S -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null; }

python=
if [ -x "$root/.venv/bin/python" ] && [ -f "$root/.venv/stamp-run" ]; then
    python=$root/.venv/bin/python # the quick way: some python3 on PATH are slow scripts
else
    for candidate in "$PYTHON" python3.11 /usr/bin/python3.11 python3; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null && is_311 "$candidate"; then
            python=$candidate
            break
        fi
    done
fi
if [ -z "$python" ]; then
    echo "kinetree: needs Python 3.11, and found none (Debian 12: apt-get install python3; elsewhere: PYTHON=/path/to/python3.11 $0)" >&2
    exit 1
fi
