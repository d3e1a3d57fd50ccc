"""Asking: plain HTTP requests to a node, for its health and for tests."""

from __future__ import annotations

import base64
import json
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: nobody in particular, or a user who trusts an authority."""

    user: str = ""
    password: str = ""
    ca_file: Path | None = None

    def ask(
        self,
        address: str,
        path: str,
        *,
        method: str = "GET",
        body: object = None,
        timeout_s: float = 10,
    ) -> tuple[int, dict[str, object]]:
        """The status and the answer of a node; (0, why) if there was none."""
        asked = urllib.request.Request(  # noqa: S310 - the addresses are our own nodes'
            f"{address}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        if self.user:
            both = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
            asked.add_header("Authorization", f"Basic {both}")
        trusted = ssl.create_default_context(cafile=self.ca_file) if self.ca_file else None
        try:
            with urllib.request.urlopen(asked, timeout=timeout_s, context=trusted) as answer:  # noqa: S310 - the same
                return answer.status, _parsed(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, _parsed(error.read())
        except (OSError, HTTPException) as error:
            return 0, {"error": str(error)}


def _parsed(text: bytes) -> dict[str, object]:
    try:
        found = json.loads(text)
    except ValueError:
        return {"text": text.decode("utf-8", errors="replace")}
    return found if isinstance(found, dict) else {"items": found}
