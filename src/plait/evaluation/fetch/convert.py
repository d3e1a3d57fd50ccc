"""Convert: raw files, as their publishers lay them out, to the layout runs read.

A converter takes the folder of raw files and an empty folder, fills the second, and returns
what a reader of figures has to know, in sentences.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from plait.evaluation.fetch.convert_codesearchnet import convert_challenge, convert_split
from plait.evaluation.fetch.convert_cosqa import convert_cosqa
from plait.evaluation.fetch.convert_swebench import convert_swebench

Converter = Callable[[Path, Path], tuple[str, ...]]


def copy_as_is(raw: Path, made: Path) -> tuple[str, ...]:
    """Files that have the layout already."""
    shutil.copytree(raw, made, dirs_exist_ok=True)
    return ()


CONVERTERS: Mapping[str, Converter] = {
    "codesearchnet-challenge": convert_challenge,
    "codesearchnet-split": convert_split,
    "copy": copy_as_is,
    "cosqa": convert_cosqa,
    "swebench": convert_swebench,
}
