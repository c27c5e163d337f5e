# Sets $python to a Python that Kinetree supports (requires-python in pyproject.toml). $root is the checkout; sourced by
# ./run and ./test. A .venv that works is kept, whatever its version; else $PYTHON, then the newest that is found.
while IFS= read -r line; do
    case $line in
    'requires-python = ">=3.'*',<3.'*'"'*)
        line=${line#*>=3.}
        oldest=${line%%,*}
        newest=${line#*<3.}
        newest=$((${newest%%\"*} - 1))
        break
        ;;
    esac
done <"$root/pyproject.toml"

# False too for a shim whose version is not installed, and for what our dependencies have no wheels for: PyPy, and builds
# without the lock or for debugging.
supports() {
    "$1" -I -S -c "import sys
version, other = sys.version_info, sys.implementation.name != 'cpython' or sys.abiflags != ''
sys.exit(other or not (3, $oldest) <= version[:2] <= (3, $newest))" >/dev/null 2>&1 </dev/null
}

python=
venv=$root/.venv/bin/python
if [ -x "$venv" ] && { [ -f "$root/.venv/stamp-run" ] || supports "$venv"; }; then
    python=$venv # the quick way: some python3 on PATH are slow scripts
else
    names=
    minor=$newest
    while [ "$minor" -ge "$oldest" ]; do
        names="$names python3.$minor /usr/bin/python3.$minor"
        minor=$((minor - 1))
    done
    for candidate in "$PYTHON" $names python3; do
        if [ -n "$candidate" ] && command -v "$candidate" >/dev/null && supports "$candidate"; then
            python=$candidate
            break
        fi
    done
fi
if [ -z "$python" ]; then
    echo "kinetree: needs Python 3.$oldest to 3.$newest, and found none (Debian: apt-get install python3; elsewhere: PYTHON=/path/to/python3.$newest $0)" >&2
    exit 1
fi
