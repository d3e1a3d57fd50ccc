"""The table of licences: which names are permissive, and which words betray one that is not.

Names are in lower case, without punctuation and without filling words such as "licence" and
"version"; several of one licence are separated by bars.
"""

from __future__ import annotations

import re

NAMES: dict[str, str] = {
    "Apache-2.0": "apache|apache 2|apache 2 0|apache2|apache2 0|asl 2|asl 2 0|asl2|al 2 0",
    "MIT": """mit|expat|x11|x consortium|mit x11|mit expat|expat mit|mit 0|mit style|mit like
        |mit no attribution""",
    "ISC": "isc|isc style|isc like|openbsd isc",
    "Zlib": """zlib|libpng|zlib libpng|libpng zlib|zlib png|libpng 2 0|zlib like|zlib style""",
    "BSL-1.0": "bsl 1 0|bsl1 0|boost|boost 1 0|boost bsl 1 0",
    "0BSD": "0bsd|bsd 0 clause|zero clause bsd|bsd zero clause",
    "BSD-2-Clause": """bsd 2|bsd 2 clause|bsd2|2 clause bsd|simplified bsd|bsd simplified
        |bsd 2 clause simplified|freebsd|bsd 2 clause freebsd""",
    "BSD-3-Clause": """bsd|bsd 3|bsd 3 clause|bsd3|bsd3 clause|3 clause bsd|new bsd|bsd new
        |modified bsd|bsd modified|revised bsd|bsd style|bsd like|bsd 3 clause new or revised
        |new bsd 3 clause|bsd new 3 clause|bsd 3 clause new|new or revised bsd""",
    "Unlicense": "unlicense|unlicence",
    "CC0-1.0": """cc0|cc0 1 0|cc0 1 0 universal|creative commons zero 1 0 universal
        |creative commons cc0|cc0 1 0 universal cc0 1 0 public domain dedication""",
    "PSF-2.0": """psf|psf 2|psf 2 0|python|python 2|python 2 0|python 2 0 1|python foundation
        |psfl""",
    "NCSA": "ncsa|uiuc|university of illinois ncsa|uiuc bsd",
    "PostgreSQL": "postgresql",
    "curl": "curl",
    "HPND": "hpnd|historical permission notice and disclaimer",
    "ICU": "icu|unicode|unicode dfs 2016|unicode 3 0|unicode v3",
}
PERMISSIVE: dict[str, str] = {
    name.strip(): licence for licence, names in NAMES.items() for name in names.split("|")
}
# A family and an owner's or origin's name behind it, as Debian writes them.
FAMILIES: tuple[tuple[str, str], ...] = (
    ("mit ", "MIT"),
    ("expat ", "MIT"),
    ("bsd 2 clause ", "BSD-2-Clause"),
    ("bsd 3 clause ", "BSD-3-Clause"),
    ("isc ", "ISC"),
    ("apache 2 0 ", "Apache-2.0"),
    ("hpnd ", "HPND"),
)
REFUSED_TAIL = re.compile(
    r"gpl|advert|nuclear|militar|attribution|patent|non|no |not|commons|clause|evil|share"
)
COPYLEFT = re.compile(
    r"\b(?:[al]?gpl\w*|gnu|affero|lesser|mozilla|mpl\w*|epl\w*|eclipse|cddl\w*|common development"
    r"|sleepycat|eupl\w*|osl|cc by\w*|creative commons attribution|artistic|qpl|ms rl|ms pl"
    r"|cecill\w*|gfdl|ofl|cpl|ipl|npl|lppl|erlang|openssl)\b"
)
CLOSED = re.compile(
    r"proprietary|commercial|sspl|server side|bsl 1 1|business source|busl|elastic|commons clause"
    r"|unlicensed|see license|other|confidential|polyform|json"
)
PUBLIC_DOMAIN = re.compile(r"public domain|\bpd\b")
