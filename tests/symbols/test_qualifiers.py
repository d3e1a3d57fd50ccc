"""Languages of which qualifiers, lines and imports are kept, and no bindings."""

from __future__ import annotations

import pytest

from tests.symbols.notation import bindings, imports, places

SNIPPETS = {
    "bash": ("source lib.sh\nrun\n", ["2 run"], [("lib.sh", "", "")]),
    "c": (
        "#include <stdio.h>\nvoid f() { a->b.send(1); go(); }\n",
        ["2 a.b > send", "2 go"],
        [("stdio.h", "", "")],
    ),
    "cpp": (
        (
            '#include "a.h"\nusing std::string;\nvoid f() {\n  a.b->send();\n'
            "  std::chrono::now();\n  ::top();\n  Box<int>::make();\n}\n"
        ),
        ["4 a.b > send", "5 std.chrono > now", "6 top", "7 Box > make"],
        [("a.h", "", ""), ("std::string", "", "")],
    ),
    "csharp": (
        (
            "using System;\nusing IO = System.IO;\nclass A { void F() {\n  base.F();\n"
            "  this.x.Get<int>(1);\n  x?.Go();\n  new N.B();\n} }\n"
        ),
        ["4 base > F", "5 this.x > Get", "6 x > Go", "7 N > B"],
        [("System", "", ""), ("System.IO", "", "IO")],
    ),
    "elixir": (
        "defmodule A do\n  alias B.C\n  def f(x) do\n    C.go(x)\n    x.y.z()\n  end\nend\n",
        ["4 C > go", "5 x > y", "5 x.y > z"],
        [("B.C", "", "")],
    ),
    "haskell": (
        "module A where\nimport qualified Data.Map as M\nimport B\nf x = M.insert x (g x)\n",
        ["4 M > insert", "4 g"],
        [("Data.Map", "", "M"), ("B", "", "")],
    ),
    "kotlin": (
        "import a.b.C\nimport a.b.D as E\nfun f() {\n  x.y().z()\n  go()\n}\n",
        ["4 x > y", "4 x.y() > z", "5 go"],
        [("a.b.C", "", ""), ("a.b.D", "", "E")],
    ),
    "lua": (
        'local m = require("a.m")\nm.go()\nobj:send(1)\nrun()\n',
        ["2 m > go", "3 obj > send", "4 run"],
        [("a.m", "", "")],
    ),
    "php": (
        (
            "<?php\nuse A\\B;\nuse A\\C as D;\nuse E\\{F, G as H};\nfunction f() {\n"
            "  $this->x->send();\n  B::make();\n  $a?->b();\n  new I\\J();\n}\n"
        ),
        ["6 $this.x > send", "7 B > make", "8 $a > b", "9 I > J"],
        [("A\\B", "", ""), ("A\\C", "", "D"), ("E", "F", ""), ("E", "G", "H")],
    ),
    "ruby": (
        "require 'set'\ndef f\n  @client.send_it(1).then\n  A::B.make\n  go(1)\nend\n",
        ["1 require", "3 @client > send_it", "3 @client.send_it() > then", "4 A.B > make", "5 go"],
        [("set", "", "")],
    ),
    "rust": (
        (
            "use std::io::{Read, Write};\nuse a::B as C;\nuse a::b::D;\nuse e::*;\nfn f() {\n"
            "  self.x.send();\n  std::fs::read(1);\n  Foo::<T>::new();\n}\n"
        ),
        ["6 self.x > send", "7 std.fs > read", "8 Foo > new"],
        [
            ("std::io", "Read", ""),
            ("std::io", "Write", ""),
            ("a::B", "", "C"),
            ("a::b", "D", ""),
            ("e", "*", ""),
        ],
    ),
    "scala": (
        "import a.b.C\nobject X { def f() = { x.y(1).z(2); go(3) } }\n",
        ["2 x > y", "2 x.y() > z", "2 go"],
        [("a.b.C", "", "")],
    ),
    "swift": (
        "import Foundation\nfunc f() {\n  self.client.send()\n  a?.b()\n  go()\n}\n",
        ["3 self.client > send", "4 a > b", "5 go"],
        [("Foundation", "", "")],
    ),
    "zig": (
        'const std = @import("std");\nfn f() void {\n  std.debug.print("x", .{});\n  go();\n}\n',
        ["3 std.debug > print", "4 go"],
        [("std", "", "")],
    ),
}


@pytest.mark.parametrize("language", SNIPPETS)
def test_calls_have_qualifiers_and_lines_and_imports_modules(language: str) -> None:
    code, calls, modules = SNIPPETS[language]

    assert places(language, code) == calls
    assert imports(language, code) == modules
    assert bindings(language, code) == []
