"""Requirements that archive and .deb leave to the system. payload.py checks that there are no others."""

from __future__ import annotations

GLIBC = (2, 36)
"""The newest version of glibc that a file may ask for: that of Debian 12. Ubuntu 24.04 has 2.39."""

LIBC = f"libc6 (>= {GLIBC[0]}.{GLIBC[1]})"
# Library -> the package that has it on Debian 12 and on Ubuntu 24.04, where some names end in t64.
LIBRARIES = {
    "ld-linux-x86-64.so.2": LIBC,
    "libc.so.6": LIBC,
    "libdl.so.2": LIBC,
    "libm.so.6": LIBC,
    "libpthread.so.0": LIBC,
    "libresolv.so.2": LIBC,
    "librt.so.1": LIBC,
    "libgcc_s.so.1": "libgcc-s1",
    "libstdc++.so.6": "libstdc++6",
    "libzstd.so.1": "libzstd1",
}
# The window needs these; the commands without one do not.
WINDOW = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0t64 | libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb.so.1": "libxcb1",
}
# Beside libraries: the drivers of OpenGL, and the keyboard layouts that libxkbcommon reads.
BESIDE = ("libgl1-mesa-dri | libgl1-nvidia-glvnd-glx", "xkb-data")
# Files that load only where the system has their libraries; nothing fails without them.
OPTIONAL = {
    "libqgtk3.so": "GTK's file dialogs and colours, on desktops with GTK",
    "omppool.cpython-311-x86_64-linux-gnu.so": "threads of numba; Kinetree has its own (engine/jit/threads.py)",
    "tbbpool.cpython-311-x86_64-linux-gnu.so": "the same",
}


def depends() -> list[str]:
    """The Depends of the .deb."""
    return sorted({*LIBRARIES.values(), *WINDOW.values(), *BESIDE})
