"""A file that only passes on what others define is told from code, in every language."""

from __future__ import annotations

import time

import pytest

from plait.sources.tags import tags_of
from plait.sources.tags.reexports import MOST_BYTES

PASSED_ON = {
    "a/__init__.py": '''"""The parts."""

from __future__ import annotations

from .one import (  # noqa: F401 (kept)
    One,
)
from .two import *
import a.three as three

try:
    from .fast import go
except ImportError:
    from .slow import go

__all__ = ["One", "go"] + two.__all__
''',
    "src/index.ts": """// what is public
export * from './a';
export * as b from "./b"
export { c, type D } from './c';
export type { E } from './e'
import f from './f'
export default f;
""",
    "lib/index.js": """'use strict';
const a = require('./a');
module.exports = {
  a,
  b: require('./b'),
};
""",
    "src/lib.rs": """//! The crate.
#![deny(missing_docs)]
mod one;
#[cfg(feature = "two")]
pub mod two;
pub use one::{One, Other};
""",
    "include/all.h": """/* Everything. */
#ifndef ALL_H
#define ALL_H
#ifdef _WIN32
#  include "win.h"
#endif
#include <one.h>
#endif /* ALL_H */
""",
    "include/all.hpp": '#pragma once\n#include "one.hpp"\n',
    "Umbrella.h": "#import <UIKit/UIKit.h>\n",
    "lib/rack.rb": """# frozen_string_literal: true
require_relative 'rack/version'
module Rack
  autoload :Lint, "rack/lint"
end
""",
    "autoload.php": "<?php\n// all\nrequire_once __DIR__ . '/a.php';\nclass_alias('A', 'B');\n",
    "gears/init.lua": '-- all\nreturn {\n  a = require("gears.a"),\n  b = require("gears.b"),\n}\n',
    "src/All.hs": """{-# LANGUAGE Safe #-}
-- | All.
module All ( module One, two ) where

import One
import Two (two)
""",
    "Sources/All/All.swift": "@_exported import One\n@_exported import Two\n",
    "src/all.zig": 'pub const one = @import("one.zig");\npub const Two = one.Two;\n',
    "src/Forwards.cs": "using System;\n[assembly: TypeForwardedTo(typeof(One))]\n",
    "lib/all.sh": "#!/bin/bash\nsource ./one.sh\n. ./two.sh\n",
}

CODE = {
    "a/__init__.py": "from .one import One\n\n\ndef make():\n    return One()\n",
    "b/__init__.py": '"""A package."""\n\n__version__ = "1.0"\n',
    "src/index.ts": "export * from './a';\nexport const b = 1;\n",
    "src/empty.ts": "export {};\n",
    "src/effects.ts": "import './a';\nimport './b';\n",
    "lib/index.js": "const a = require('./a');\nmodule.exports = { a, b() { return a(); } };\n",
    "src/lib.rs": "mod one;\npub fn go() {}\n",
    "include/flags.h": "#ifndef FLAGS_H\n#define FLAGS_H\n#include <one.h>\n#define FAST\n#endif\n",
    "include/one.h": '#include "two.h"\nint go(void);\n',
    "lib/rack.rb": "require 'a'\nmodule Rack\n  def self.go; end\nend\n",
    "index.php": "<?php\nrequire 'a.php';\nrun();\n",
    "gears/init.lua": 'local a = require("a")\na.go()\nreturn a\n',
    "doc/toc.lua": "--- Only a comment that requires a return.\n",
    "src/All.hs": "module All ( module One, two ) where\n\nimport One\n\ntwo :: Int\ntwo = 2\n",
    "src/main.zig": 'const std = @import("std");\npub fn main() void {}\n',
    "src/Usings.cs": "global using System;\n",
    "lib/all.sh": "source ./one.sh\nrun\n",
    "main.go": "package main\n",
    "A.java": "package a;\nimport b.C;\n",
}


@pytest.mark.parametrize("path", PASSED_ON)
def test_a_file_that_only_passes_on_names_is_a_reexport(path: str) -> None:
    assert tags_of(path, PASSED_ON[path].encode()) == ("reexport",)


@pytest.mark.parametrize("path", CODE)
def test_one_statement_of_another_kind_makes_it_code(path: str) -> None:
    assert "reexport" not in tags_of(path, CODE[path].encode())


@pytest.mark.parametrize(
    "content",
    [
        b"from . import a\n" + b"# x\n" * 15_000 + b"go()\n",
        b'"""' + b'"' * 60_000,
        b"__all__ = [" + b"'a', " * 10_000,
        b"from x import (" + b"#(" * 30_000,
        b"/*" * 30_000,
        b"export " * 9_000,
        b"{-" * 30_000,
    ],
)
@pytest.mark.parametrize("path", ["a.py", "a.js", "a.rs", "a.h", "a.hs", "a.lua", "a.php"])
def test_no_text_takes_long(path: str, content: bytes) -> None:
    assert len(content) <= MOST_BYTES
    began = time.process_time()
    tags_of(path, content)

    assert time.process_time() - began < 0.5
