"""Licences: names, expressions, heads of files and Debian's copyright files, with planted traps."""

from __future__ import annotations

import pytest

from training import metadata
from training.copyrights import Copyright
from training.heads import head_verdict
from training.licences import judge


@pytest.mark.parametrize(
    ("expression", "licence"),
    [
        ("MIT", "MIT"),
        ("Expat", "MIT"),
        ("The MIT License (MIT)", "MIT"),
        ("Apache License, Version 2.0", "Apache-2.0"),
        ("Apache-2.0 WITH LLVM-exception", "Apache-2.0"),
        ("BSD-3-clause-google", "BSD-3-Clause"),
        ("Simplified BSD License", "BSD-2-Clause"),
        ("BSL-1.0", "BSL-1.0"),
        ("Python-2.0", "PSF-2.0"),
        ("MIT AND BSD-3-Clause", "BSD-3-Clause AND MIT"),
    ],
)
def test_permissive_names_are_recognised(expression: str, licence: str) -> None:
    verdict = judge(expression)

    assert (verdict.is_permissive, verdict.licence, verdict.is_choice) == (True, licence, False)


@pytest.mark.parametrize(
    "expression",
    [
        "GPL-2+",
        "LGPL-2.1-or-later",
        "AGPL-3.0",
        "MPL-2.0",
        "EPL-2.0",
        "CDDL-1.1",
        "Sleepycat",
        "CC-BY-SA-4.0",
        "MIT and GPL-2+",
        "MIT and FooLicense",
        "MIT, FooLicense",
        "MIT with Commons Clause",
        "BSD-4-clause",
        "BUSL-1.1",
        "UNLICENSED",
        "SEE LICENSE IN LICENSE.md",
        "Proprietary",
        "public-domain",
        "",
    ],
)
def test_anything_else_is_refused(expression: str) -> None:
    assert not judge(expression).is_permissive


@pytest.mark.parametrize(
    "expression",
    ["GPL-2+ or MIT", "Apache-2.0 OR LGPL-2.1", "(MIT OR GPL-3.0) AND BSD-3-Clause", "MIT/GPL-2"],
)
def test_a_permissive_arm_of_a_choice_is_taken_and_noted(expression: str) -> None:
    verdict = judge(expression)

    assert verdict.is_permissive
    assert verdict.is_choice


def test_a_choice_between_permissive_licences_is_no_choice_to_note() -> None:
    assert not judge("MIT OR Apache-2.0").is_choice


GPL = "/* You can redistribute it under the terms of the GNU General Public License,\n"


@pytest.mark.parametrize(
    "head",
    [
        GPL + " * either version 2 of the License, or (at your option) any later version. */",
        "// SPDX-License-Identifier: GPL-2.0-only\nint main;",
        "# SPDX-License-Identifier: MIT AND LGPL-2.1\n",
        "// This is subject to the terms of the Mozilla Public\n// License, v. 2.0.",
        "/* Copyright (c) Oracle. Berkeley DB Java Edition */",
        "/* See the file LICENSE: the Sleepycat License applies. */",
        "// Licensed under CC BY-SA 4.0",
        "/* PROPRIETARY/CONFIDENTIAL. Use is subject to license terms. */",
        "/* Unauthorized copying of this file is strictly prohibited. */",
        "// Licensed under the Business Source License 1.1",
        "# licensed under the Eclipse Public License 2.0",
        "/* CDDL HEADER START */",
    ],
)
def test_a_head_that_contradicts_keeps_a_file_out(head: str) -> None:
    verdict = head_verdict(head)

    assert not verdict.is_permissive
    assert verdict.reason.startswith("head: ")


@pytest.mark.parametrize(
    "head",
    [
        "package main\n",
        "// Copyright 2020 The Authors. All rights reserved. Governed by a BSD-style licence.\n",
        "# SPDX-License-Identifier: Apache-2.0\n",
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */",
    ],
)
def test_a_head_that_says_nothing_against_it_passes(head: str) -> None:
    verdict = head_verdict(head)

    assert verdict.is_permissive
    assert not verdict.is_choice


@pytest.mark.parametrize(
    "head",
    [
        "/* Dual licensed under the MIT and GPL licenses. */",
        "// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause\n/* GNU General Public License */",
    ],
)
def test_a_choice_in_the_head_passes_and_is_noted(head: str) -> None:
    verdict = head_verdict(head)

    assert verdict.is_permissive
    assert verdict.is_choice


STANZAS = "".join(f"Files: part{at}/*\nCopyright: x\nLicense: Expat\n\n" for at in range(20))
COPYRIGHT = f"""Format: copyright-format/1.0
Upstream-Name: planted

Files: *
Copyright: 2020 A
License: Expat

Files: lib/copyleft/*
Copyright: 2020 B
License: GPL-2+

{STANZAS}Files: src/late.c
Copyright: 2020 C
License: LGPL-2.1+

Files: debian/*
Copyright: 2020 D
License: GPL-3+

Files: odd/*
Copyright: 2020 E
License: BSD-3-clause

License: BSD-3-clause
 Redistributions in any form must be accompanied by source: the Sleepycat License.

License: Expat
 Permission is hereby granted, free of charge
"""


@pytest.mark.parametrize(
    ("path", "is_installed", "is_permissive"),
    [
        ("src/main.c", False, True),
        ("lib/copyleft/x.rb", False, False),
        ("src/late.c", False, False),
        ("odd/x.c", False, False),
        ("usr/lib/ruby/vendor_ruby/main.rb", True, True),
        ("usr/lib/ruby/vendor_ruby/copyleft/x.rb", True, False),
        ("usr/share/planted/src/late.c", True, False),
        ("usr/share/planted/late.c", True, False),
    ],
)
def test_the_stanza_of_a_path_decides(path: str, is_installed: bool, is_permissive: bool) -> None:
    verdict = Copyright.parse(COPYRIGHT).verdict(path, is_installed=is_installed)

    assert verdict.is_permissive is is_permissive


def test_the_longest_glob_and_the_last_stanza_must_both_be_permissive() -> None:
    text = (
        "Format: copyright-format/1.0\n\nFiles: a/deep/file.c\nLicense: GPL-2\n\n"
        "Files: a/*\nLicense: MIT\n"
    )

    assert not Copyright.parse(text).verdict("a/deep/file.c", is_installed=False).is_permissive
    assert Copyright.parse(text).verdict("a/other.c", is_installed=False).is_permissive


def test_a_path_without_a_stanza_is_left_out() -> None:
    text = "Format: copyright-format/1.0\n\nFiles: a/*\nLicense: MIT\n"

    assert not Copyright.parse(text).verdict("b/x.c", is_installed=False).is_permissive


def test_a_copyright_file_in_prose_is_left_out_with_that_reason() -> None:
    verdict = Copyright.parse("This was packaged by X.\n\nLicense: MIT\n").verdict(
        "x.c", is_installed=False
    )

    assert verdict.reason == "copyright file not machine-readable"


def test_a_wheel_that_classifies_itself_twice_must_be_permissive_twice() -> None:
    head = "Metadata-Version: 2.1\nName: x\nClassifier: License :: OSI Approved :: MIT License\n"
    copyleft = "Classifier: License :: OSI Approved :: GNU General Public License v3 (GPLv3)\n"

    assert metadata.wheel(head).is_permissive
    assert not metadata.wheel(head + copyleft).is_permissive
    assert metadata.wheel("License-Expression: Apache-2.0 OR GPL-2.0\n\n").is_choice


def test_a_package_json_may_name_its_licence_in_three_ways() -> None:
    assert metadata.npm('{"license": "ISC"}').licence == "ISC"
    assert metadata.npm('{"license": {"type": "MIT"}}').licence == "MIT"
    assert metadata.npm('{"licenses": [{"type": "GPL-2.0"}, {"type": "MIT"}]}').is_choice
    assert not metadata.npm('{"name": "x"}').is_permissive
    assert not metadata.npm("[]").is_permissive


def test_a_project_file_without_a_licence_asks_its_parent() -> None:
    own = "<project><artifactId>x</artifactId></project>"
    above = "<project><licenses><license><name>Apache-2.0</name></license></licenses></project>"
    hidden = "<project><!-- <licenses><license><name>MIT</name></license></licenses> --></project>"

    assert metadata.maven([own, above]).licence == "Apache-2.0"
    assert not metadata.maven([own]).is_permissive
    assert not metadata.maven([hidden]).is_permissive
