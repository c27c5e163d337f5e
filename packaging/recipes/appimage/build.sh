#!/bin/sh
# Makes kinetree-@VERSION@-x86_64.AppImage of the archive in this folder. Needs appimagetool in PATH, and its runtime file
# where there is no network: APPIMAGE_RUNTIME=runtime-x86_64.
set -eu
cd -- "$(dirname -- "$0")"
appdir=$(mktemp -d)/Kinetree.AppDir
mkdir "$appdir"
tar -xf "../../@ARCHIVE@" -C "$appdir" --strip-components=1
cp "$appdir/share/applications/kinetree.desktop" "$appdir/share/icons/hicolor/scalable/apps/kinetree.svg" "$appdir"
ln -s kinetree.svg "$appdir/.DirIcon"
cat > "$appdir/AppRun" <<'END'
#!/bin/sh
# Messages name the AppImage as the command. Without arguments, errors are shown in a message box: it was clicked.
here=$(dirname -- "$(readlink -f -- "$0")")
export KINETREE_COMMAND="${APPIMAGE:-$here/AppRun}"
if [ $# -eq 0 ]; then exec "$here/bin/kinetree-gui"; fi
exec "$here/bin/kinetree" "$@"
END
chmod 755 "$appdir/AppRun"
export SOURCE_DATE_EPOCH=@EPOCH@ ARCH=x86_64 VERSION=@VERSION@
appimagetool --no-appstream ${APPIMAGE_RUNTIME:+--runtime-file "$APPIMAGE_RUNTIME"} "$appdir" "../../kinetree-@VERSION@-x86_64.AppImage"
rm -r "$(dirname "$appdir")"
