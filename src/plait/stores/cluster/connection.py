"""Connection: requests to a cluster, and what goes wrong with them, in words.

Every request names what it wants and may be sent twice: documents have ids of their own, and
what must happen once says which version it replaces. So a request that gets no answer goes to
another node, as often and as long as a budget allows. An answer that covers only a part of the
index is never taken: it is an error that says so.
"""

from __future__ import annotations

import random
import time
from collections.abc import Collection, Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from plait.errors import (
    OutOfTime,
    PlaitError,
    QueryError,
    SnapshotLost,
    StoreBusy,
    StoreDegraded,
    StoreError,
    StoreFull,
    StoreRefused,
    StoreUnreachable,
)
from plait.stores.cluster.address import Address

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

Json = dict[str, Any]
TRIES = 4  # of one request, on different nodes where there are several
FIRST_PAUSE_S = 0.1
MAX_PAUSE_S = 1.0
PATIENCE_S = 12.0
TOO_MANY = 429
AGAIN = frozenset({TOO_MANY, 502, 503, 504})
# What a node says when a disk is full; the last when all are and no index can be made.
FULL = ("flood-stage", "read-only", "create-index blocked")
POOL = 32  # connections kept open to each node


class Connection:
    """The way to a cluster. Threads may share it.

    Raises:
        StoreError: ``opensearch-py`` is not installed.
    """

    def __init__(self, address: Address) -> None:
        try:
            from opensearchpy import OpenSearch
        except ImportError as error:
            raise StoreError(
                "a store on OpenSearch needs the package opensearch-py",
                hint="pip install 'plait[cluster]'",
            ) from error
        self.address = address
        headers = {"Authorization": f"ApiKey {address.api_key}"} if address.api_key else None
        has_user = bool(address.user) and not address.api_key
        self._client: OpenSearch = OpenSearch(
            hosts=[{"host": host, "port": port} for host, port in address.hosts],
            http_auth=(address.user, address.password) if has_user else None,
            headers=headers,
            use_ssl=address.tls,
            verify_certs=address.tls,
            ca_certs=(address.ca or None) if address.tls else None,
            ssl_show_warn=False,
            timeout=address.timeout_s,
            max_retries=0,
            pool_maxsize=POOL,
            retry_on_status=(),
        )

    def ask(
        self,
        method: str,
        path: str,
        body: Json | bytes | None = None,
        params: Mapping[str, Any] | None = None,
        *,
        allowed: Collection[int] = (),
        tries: int = TRIES,
        patience_s: float = PATIENCE_S,
        until: float = inf,
    ) -> Json:
        """The answer to a request.

        Args:
            method: Of HTTP.
            path: What is asked, from the root.
            body: What is said; bytes are lines of JSON.
            params: Further words.
            allowed: Statuses that are answers too; they come back under ``"status"``.
            tries: How often it may be sent at least.
            patience_s: How long it is sent again to a cluster that answers, but is not ready:
                the shards of a node that died are taken over by others within seconds.
            until: When the answer has to be there at the latest (``time.monotonic``).

        Raises:
            OutOfTime: It is not.
        """
        pause = FIRST_PAUSE_S
        end = min(time.monotonic() + patience_s, until)
        while True:
            tries -= 1
            try:
                return self._once(method, path, body, _timed(params, until, self.address))
            except _Failed as failed:
                if time.monotonic() >= until:
                    raise _late(self.address) from failed.cause
                if failed.status in allowed:
                    return {**failed.info, "status": failed.status}
                is_waiting = failed.status in AGAIN and time.monotonic() < end
                if not failed.may_repeat or not (tries > 0 or is_waiting):
                    raise failed.in_words(self.address) from failed.cause
            time.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311  # so that not all come at once
            pause = min(2 * pause, MAX_PAUSE_S)

    def _once(self, method: str, path: str, body: Json | bytes | None, params: Json) -> Json:
        from opensearchpy.exceptions import OpenSearchException, TransportError

        headers = {"content-type": "application/x-ndjson"} if isinstance(body, bytes) else None
        try:
            found = self._client.transport.perform_request(
                method, path, params=params, body=body, headers=headers
            )
        except TransportError as error:
            raise _Failed(error) from error
        except OpenSearchException as error:
            raise StoreError(f"{self.address} cannot be asked: {error}") from error
        return found if isinstance(found, dict) else {"text": found}

    def close(self) -> None:
        self._client.close()


def _timed(params: Mapping[str, Any] | None, until: float, address: Address) -> Json:
    """The parameters of a request that has to be answered in time.

    The client gives up then.
    """
    named = dict(params or {})
    if until == inf:
        return named
    left_s = until - time.monotonic()
    if left_s <= 0:
        raise _late(address)
    if left_s < address.timeout_s:
        named["request_timeout"] = left_s
    return named


def _late(address: Address) -> OutOfTime:
    return OutOfTime(f"{address} did not answer in time")


class _Failed(Exception):
    """A request that got no answer, or none that will do."""

    def __init__(self, cause: Any) -> None:
        super().__init__(str(cause))
        self.cause = cause
        status = cause.status_code
        self.status = status if isinstance(status, int) else 0
        info = cause.info if self.status else {}
        self.info: Json = info if isinstance(info, dict) else {}

    @property
    def may_repeat(self) -> bool:
        from opensearchpy.exceptions import SSLError

        if isinstance(self.cause, SSLError) or self._is_full:
            return False
        return self.status in AGAIN or self.status == 0

    @property
    def reasons(self) -> list[str]:
        """What the cluster says went wrong, the cause first."""
        error = self.info.get("error", {})
        if not isinstance(error, dict):
            return [str(error)]
        roots = [error, *error.get("root_cause", ())]
        roots += [shard.get("reason", {}) for shard in error.get("failed_shards", ())]
        said = []
        while roots:
            one = roots.pop()
            said.append(f"{one.get('type', '')}: {one.get('reason', '')}")
            if one.get("caused_by"):
                roots.append(one["caused_by"])
        return said

    @property
    def _is_full(self) -> bool:
        return any(sign in said for said in self.reasons for sign in FULL)

    def in_words(self, address: Address) -> PlaitError:
        """The error as a user should read it."""
        said = next((one for one in self.reasons if one.strip(": ")), str(self.cause))
        if any("search_context_missing" in one for one in self.reasons):
            return SnapshotLost("the point in time this search looked at is gone")
        if self._is_full:
            return StoreFull(
                f"a disk of {address} is full: {said}",
                hint="make room or add nodes; what was indexed before still answers",
            )
        if self.status in (401, 403):
            return StoreRefused(
                f"{address} refuses: {said or 'no credentials'}",
                hint="set PLAIT_STORE_USER and PLAIT_STORE_PASSWORD, or PLAIT_STORE_API_KEY",
            )
        if self.status == TOO_MANY:
            return StoreBusy(f"{address} has too much to do: {said}", hint="try again later")
        if self.status == 400:
            return QueryError(f"{address} cannot be asked this: {said}")
        if self.status >= 500:
            return StoreDegraded(
                f"a part of the index on {address} cannot be read: {said}",
                hint="look at the cluster's health: plait status --store ...",
            )
        if self.status:
            return StoreError(f"{address} answers {self.status}: {said}")
        return self._unreached(address)

    def _unreached(self, address: Address) -> PlaitError:
        from opensearchpy.exceptions import SSLError

        if isinstance(self.cause, SSLError):
            return StoreRefused(
                f"the TLS certificate of {address} is not trusted: {self.cause.info}",
                hint="name the authority that signed its certificate: ?ca=FILE or PLAIT_STORE_CA",
            )
        return StoreUnreachable(
            f"no node of {address} answers: {self.cause.error}",
            hint="is the cluster running, and is the address right?",
        )
