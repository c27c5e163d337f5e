# Makes kinetree-@VERSION@-windows-x86_64.msi of the wheel in this folder's grandparent. Needs uv and WiX 5 (dotnet tool
# install --global wix --version 5.0.2; wix extension add --global WixToolset.UI.wixext/5.0.2).
$ErrorActionPreference = "Stop"
$PSNativeCommandUseErrorActionPreference = $true
Set-Location $PSScriptRoot
$payload = Join-Path $PSScriptRoot "payload"
if (Test-Path $payload) { Remove-Item -Recurse $payload }

# A Python that runs from any folder.
uv python install --install-dir interpreters @PYTHON_MIN@
$interpreter = (Get-ChildItem interpreters -Directory | Where-Object Name -Like "cpython-@PYTHON_MIN@*" | Select-Object -First 1).FullName
Copy-Item -Recurse $interpreter $payload
foreach ($name in "Lib\test", "Lib\idlelib", "Lib\tkinter", "Lib\turtledemo", "Lib\EXTERNALLY-MANAGED", "tcl", "include", "libs") {
    $path = Join-Path $payload $name
    if (Test-Path $path) { Remove-Item -Recurse $path }
}
$python = Join-Path $payload "python.exe"
& $python -m pip install --require-hashes --no-deps --only-binary ":all:" --no-compile -r run.lock
& $python -m pip install --no-deps --no-index --no-compile "..\..\@WHEEL@"
& $python -m compileall -q --invalidation-mode unchecked-hash -s $payload (Join-Path $payload "Lib")

# In a terminal: kinetree. The variable of the user's Python, and packages in the user's home, are for other interpreters.
Set-Content -Encoding ascii (Join-Path $payload "kinetree.cmd") @'
@echo off
setlocal
set PYTHONPATH=
set PYTHONHOME=
set PYTHONNOUSERSITE=1
"%~dp0python.exe" -m kinetree %*
'@
# Windows wants an .ico. Qt draws it from the SVG.
& $python -c @'
import sys
from PySide6.QtGui import QGuiApplication, QIcon
QGuiApplication(["icon", "-platform", "offscreen"])
assert QIcon(sys.argv[1]).pixmap(256, 256).save("kinetree.ico"), "Qt could not write the icon"
'@ (Join-Path $payload "Lib\site-packages\kinetree\resources\desktop\kinetree.svg")
wix build kinetree.wxs -arch x64 -bindpath "payload=$payload" -out "..\..\kinetree-@VERSION@-windows-x86_64.msi"
