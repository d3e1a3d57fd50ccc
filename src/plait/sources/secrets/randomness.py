"""Randomness: was this typed by a person as a name, or drawn by a machine as a key?

Names and words follow the habits of a language: after *q* comes *u*. A key follows none. The
table holds how surprising each letter is after each other one in the names of real code; a
value is as random as its letters are surprising on average. Digits are no letters, and a key
that is all digits and a to f surprises nobody: there it counts how often they alternate.
"""

from __future__ import annotations

import re

# How surprising a letter (column) is behind another (row): a to z, a digit, anything else. In
# quarters of a bit above "0". Made by ``python -m benchmarks.secrets letters``.
SURPRISE = (
    "MC@ARLDTDVJ=A>VC]=?;GJMLHQIA",
    "<JIK=MOS@CW:NR@PYEBN=YTXCYA>",
    "=NHP=OX=Fc@AOT9OUBJ<ESXVM]F@",
    "?GHC9JNP>OUEKMBLZFCIDOOTKZF8",
    "CMAAIFJRLXSAD>MGL;<@OJICLVK:",
    ">NKK@?NV9aUBMM<P[AFECYYUL`B;",
    "BNKM7MHF@XVEICDNZ@AECPQ^OQP9",
    ":QIK9PUT=YSNJM>I]CGAEUQZO[O9",
    "DGABBGCVSSNAB9=GTD>=VG[JTFXD",
    "9RNL7TTRDTMROM<KIS:LDNS[VVLA",
    "?KKL8KNJ=WPFLICMRI@GEQL]OYK8",
    "=KLB9DQT<YS?PR=K^PECANTaG[R<",
    "9DNL8PVS?]VFCJ>>USEKDVTZK^Q>",
    "?QA>=E>RBVJKNGAMVP?;GHRTM[T;",
    "GGAAPGHTISHAA9EAc;DB@GEOSZWA",
    ";SKI:PQHCaP?PQ>B[<F>DRS[NdM=",
    "KTRQFQWVO[Y=MPLLTIJN2SX[WXM>",
    "=NGF9KGU>]KJEH>N^CAAGIPXE]Q;",
    "DRCM;NSDAZHIMNDENNA9ESM^IWR8",
    "?PGK9LP@<]XKKN?J[@BEGRNRDZP:",
    "CCFE>GHZDYP=@<M@[=?<RTUPXSLG",
    "7TPR5SRU;ZVQMIGQ[PNQSUUUV[GA",
    "=NLL@JQC7[OJJB@OY>BJQSJVURM;",
    "FK?J@JVMBYUMEPK<]NJ9PRSIIX>8",
    "CJGKFLORFRQECBG;WJ?BOOKZNRL5",
    ">OMP4OTN=RPKKM?QVOIPILSTBFK>",
    "DDDDDDYUU[XRSRZS[VRSWVYUY[48",
    "@D>BBBEFBLJCBCDAOA=>EHFIRPID",
)
LETTERS = bytes(
    byte - 97
    if 97 <= byte < 123
    else byte - 65
    if 65 <= byte < 91
    else 26
    if 48 <= byte < 58
    else 27
    for byte in range(256)
)
QUARTERS = tuple(tuple(ord(char) - 48 for char in row) for row in SURPRISE)
# 0 a small letter, 1 a capital, 2 a digit, 3 anything else.
CLASSES = bytes(
    0 if 97 <= byte < 123 else 1 if 65 <= byte < 91 else 2 if 48 <= byte < 58 else 3
    for byte in range(256)
)
HEX = re.compile(rb"[0-9a-f]+|[0-9A-F]+")


def surprise(value: bytes) -> float:
    """Bits a letter, on average: names of code have 3 to 5, random letters 6 to 8."""
    if len(value) < 2:
        return 0.0
    codes = value.translate(LETTERS)
    total, before = 0, codes[0]
    for code in codes[1:]:
        total += QUARTERS[before][code]
        before = code
    return total / 4 / (len(codes) - 1)


def turns(value: bytes) -> int:
    """How often small letters, capitals, digits and others alternate; a capital that begins a
    word does not count."""
    classes = value.translate(CLASSES)
    count, before = 0, classes[0]
    for after in classes[1:]:
        count += after != before and not (before == 1 and after == 0)
        before = after
    return count


def is_random_hex(value: bytes) -> bool:
    """Whether it is a number of many digits to base 16, and no regular one."""
    if HEX.fullmatch(value) is None:
        return False
    digits = sum(byte < 58 for byte in value)
    return 3 <= digits <= len(value) - 3 and len(set(value)) >= 8 and 5 * turns(value) >= len(value)
