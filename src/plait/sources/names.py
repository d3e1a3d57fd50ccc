"""Names: what does a path alone say about a file?

A key, an archive or a lock file is recognised before it is opened: the cheapest read is the
one not done, and a secret that was never read cannot leak. Names are compared in lower case,
since the file systems of two of our three platforms do not tell cases apart.
"""

from __future__ import annotations

from plait.sources.secrets import names as secrets
from plait.sources.secrets.names import Refusal, secret_name
from plait.sources.selection import Selection

LOCK: Refusal = ("generated", "a lock file, written by a package manager")
BINARY: Refusal = ("binary", "a binary format by its extension")
MINIFIED: Refusal = ("minified", "minified by its name")
VENDORED: Refusal = ("vendored", "a copy of other people's code")

LOCK_NAMES = (
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock cargo.lock "
    "poetry.lock pdm.lock uv.lock pixi.lock pipfile.lock composer.lock gemfile.lock go.sum "
    "go.work.sum mix.lock rebar.lock flake.lock pubspec.lock podfile.lock packages.lock.json "
    "project.assets.json paket.lock gradle.lockfile buildscript-gradle.lockfile deno.lock "
    ".terraform.lock.hcl package.resolved conan.lock cabal.project.freeze stack.yaml.lock "
    "module.bazel.lock chart.lock cartfile.resolved manifest.toml.lock"
)

BINARY_SUFFIXES = (
    # pictures, sound, film, fonts
    "png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai xcf sketch fig raw exr hdr dds "
    "mp3 wav flac ogg oga opus m4a aac wma mid aiff mp4 m4v mov avi mkv webm wmv flv mpg mpeg "
    "ttf otf woff woff2 eot pfb "
    # archives, packages, disks
    "zip gz tgz bz2 tbz2 xz txz zst lz4 lzma 7z rar tar jar war ear aar whl egg gem nupkg crate "
    "deb rpm apk ipa dmg iso img vmdk qcow2 cab msi snap appimage xpi crx vsix "
    # compiled
    "exe dll so dylib a o obj lib class pyc pyo pyd wasm elc beam hi rlib rmeta pdb ilk node "
    "dex mo pch gch bc lo la ko sys luac "
    # documents, data, models
    "pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi db sqlite sqlite3 mdb accdb dbf "
    "parquet arrow feather orc avro npy npz mat h5 hdf5 pkl pickle joblib onnx pt pth safetensors "
    "gguf tflite pb ckpt bin dat rdb idx pack keras dump gpg pgp sig blend fbx glb stl 3ds "
    "swf fla unity3d xcuserstate swp swo lockb"
)

EXACT: dict[str, Refusal] = {
    **dict.fromkeys(LOCK_NAMES.split(), LOCK),
    **secrets.BY_NAME,
}
BY_SUFFIX: dict[str, Refusal] = {
    **dict.fromkeys(BINARY_SUFFIXES.split(), BINARY),
    **secrets.BY_SUFFIX,
    "map": ("generated", "a source map"),
    "snap": ("generated", "a test snapshot"),
}
MINIFIABLE = frozenset("js mjs cjs css html htm json svg".split())

VENDOR_FOLDERS = frozenset(
    "vendor vendored third_party third-party thirdparty 3rdparty 3rd_party node_modules "
    "bower_components jspm_packages godeps carthage .bundle site-packages _vendor _vendored".split()
)
# Near the top of a tree, these are copies; deeper, mostly a product's own (``apis/core/pods``).
LOOSE_VENDOR_FOLDERS = frozenset("external externals extern pods vendors".split())
NEAR_TOP = 2
NAMESPACED = frozenset("java kt scala cs".split())  # folders are names of packages
FIXTURES = frozenset({"fixtures", "testdata"})  # what looks like a copy there is a test's input


def refused_name(path: str, selection: Selection) -> Refusal | None:
    """Why a file is not opened at all, as (reason, detail); None if its name says nothing."""
    lowered = path.lower()
    slash = lowered.rfind("/")
    name = lowered[slash + 1 :]
    dot = name.rfind(".")
    suffix = name[dot + 1 :] if dot > 0 else ""

    found = EXACT.get(name) or BY_SUFFIX.get(suffix)
    if found is None:
        found = secret_name(lowered, name, suffix)
    if found is None and suffix in MINIFIABLE and name[:dot].endswith((".min", "-min", ".bundle")):
        found = MINIFIED
    if found is not None and found[0] == "secret" and selection.include_secrets:
        found = None
    if found is None and selection.skip_vendored and slash > 0 and is_vendored(lowered):
        found = VENDORED
    return found


def is_vendored(path: str) -> bool:
    """Whether a lower-case path lies in a folder that holds copies of other people's code."""
    *folders, name = path.split("/")
    if folders[:1] == ["deps"] or not LOOSE_VENDOR_FOLDERS.isdisjoint(folders[:NEAR_TOP]):
        return True
    if name.rpartition(".")[2] in NAMESPACED:
        folders = folders[:NEAR_TOP]
    return not VENDOR_FOLDERS.isdisjoint(folders) and FIXTURES.isdisjoint(folders)
