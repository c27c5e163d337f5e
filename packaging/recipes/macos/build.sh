#!/bin/sh
# Makes kinetree-@VERSION@-macos-arm64.dmg of the wheel in this folder's grandparent, on a Mac with Apple's processor:
# llvmlite, which compiles the physics, has no wheel for Intel's. Needs uv and Apple's command line tools. SIGNING_IDENTITY names a certificate; without one, the signature
# is good for this machine alone, and others have to allow the application in the system settings.
set -eu
cd -- "$(dirname -- "$0")"
machine=$(uname -m)
scratch=$(mktemp -d)
contents="$scratch/image/Kinetree.app/Contents"
resources="$contents/Resources"
mkdir -p "$contents/MacOS" "$resources"

# A Python that runs from any folder.
uv python install --install-dir "$scratch/interpreters" @PYTHON_MIN@
cp -R "$(find "$scratch/interpreters" -maxdepth 1 -type d -name 'cpython-@PYTHON_MIN@*')" "$resources/python"
python="$resources/python/bin/python@PYTHON_MIN@"
library="$resources/python/lib/python@PYTHON_MIN@"
rm -rf "$library/test" "$library/idlelib" "$library/tkinter" "$library/turtledemo" "$library/EXTERNALLY-MANAGED"
"$python" -m pip install --require-hashes --no-deps --only-binary ":all:" --no-compile -r run.lock
"$python" -m pip install --no-deps --no-index --no-compile "../../@WHEEL@"
"$python" -m compileall -q --invalidation-mode unchecked-hash -s "$library" "$library"

cp Info.plist "$contents/Info.plist"
for name in kinetree kinetree-gui; do
    module=kinetree
    [ $name = kinetree ] || module=kinetree.app.gui
    cat > "$contents/MacOS/$name" <<END
#!/bin/sh
contents=\$(cd -- "\$(dirname -- "\$0")/.." && pwd -P)
unset PYTHONHOME PYTHONPATH
export PYTHONNOUSERSITE=1
exec "\$contents/Resources/python/bin/python@PYTHON_MIN@" -m $module "\$@"
END
    chmod 755 "$contents/MacOS/$name"
done
# macOS wants an .icns. Qt draws the pictures of it from the SVG.
mkdir "$scratch/kinetree.iconset"
"$python" - "$library/site-packages/kinetree/resources/desktop/kinetree.svg" "$scratch/kinetree.iconset" <<'END'
import sys
from PySide6.QtGui import QGuiApplication, QIcon
QGuiApplication(["icon", "-platform", "offscreen"])
for size in (16, 32, 128, 256, 512):
    for scale, name in ((1, ""), (2, "@2x")):
        picture = QIcon(sys.argv[1]).pixmap(size * scale, size * scale)
        assert picture.save(f"{sys.argv[2]}/icon_{size}x{size}{name}.png"), "Qt could not write the icon"
END
iconutil --convert icns --output "$resources/kinetree.icns" "$scratch/kinetree.iconset"
codesign --force --deep --options runtime --entitlements entitlements.plist --sign "${SIGNING_IDENTITY:--}" "$scratch/image/Kinetree.app"
"$contents/MacOS/kinetree" --version
ln -s /Applications "$scratch/image/Applications"
hdiutil create -volname "Kinetree @VERSION@" -srcfolder "$scratch/image" -format ULMO -ov "../../kinetree-@VERSION@-macos-$machine.dmg"
rm -r "$scratch"
