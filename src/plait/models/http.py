"""The HTTP model: an endpoint that speaks OpenAI's ``POST {base}/embeddings``.

Text Embeddings Inference, Ollama, vLLM, llama.cpp and the hosted services answer the same
question. Everything that is encoded is sent there, so a model of this kind is only ever the
user's own choice. What comes back is believed only as far as it can be checked: as many
vectors as texts, each once, of as many numbers each, and none of no length or an endless one.

A search waits for the vector of its question, so a question has little time: a server that is
down, hangs or drips is given up within seconds, and not asked again for some more.
"""

from __future__ import annotations

import copy
import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

from plait.downloads.cleartext import refused, way_out, who_would_read
from plait.downloads.download import Patience
from plait.downloads.loopback import is_this_machine
from plait.downloads.page import BUDGET_S, page
from plait.errors import DownloadError, ModelError
from plait.models.units import titled, unit_vectors, width_of
from plait.types import Passage, Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMULA = "http 1"  # raise it when the same answers come to give other vectors
BATCH_TEXTS = 32  # what every server takes
BATCH_CHARACTERS = 100_000
TEXT_CHARACTERS = 8_000  # about 2,000 tokens: servers refuse a text that is too long
PROBE = "how long is a vector"
HIDDEN = "[key]"
CLEARTEXT = "PLAIT_MODEL_ALLOW_CLEARTEXT"
NOTHING: Mapping[str, str] = MappingProxyType({})
QUESTION_S = 10.0  # a server that has to load its model first may need some
REST_S = 30.0  # for which a server that gave no answer is not asked again
LARGEST_BYTES = 400_000  # of one vector as text: 16,000 numbers
LONGEST_VECTOR = 65_536


@dataclass(slots=True)
class _Seen:
    """What is known of a server, by every copy of its model."""

    length: int = 0  # of the vectors that come; 0 as long as none came
    failure: ModelError | None = None
    rests_until: float = 0.0


class HttpModel:
    """A model behind an address.

    Args:
        url: The base of its interface, such as ``https://api.openai.com/v1``.
        model: The name the server knows it by.
        api_key: Sent as a bearer token; "" for none. It is never shown.
        patience: How often to try and how long to wait for a byte.
        budget_s: How long all attempts for one batch may take together.
        question_s: How long a question may take, and anything a search waits for.
        environment: Says whether the key may go over a network unencrypted.

    Raises:
        ModelError: The address is none, or a key would go over the network in the open.
    """

    waits = True  # it may take its time

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str = "",
        patience: Patience | None = None,
        budget_s: float = BUDGET_S,
        question_s: float = QUESTION_S,
        environment: Mapping[str, str] = NOTHING,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ModelError(f"{url!r} is not the address of a model")
        if parts.username or parts.password:
            raise ModelError(
                f"the address of {model!r} holds a password",
                hint="put the key into the environment: PLAIT_MODEL_KEY",
            )
        if not model:
            raise ModelError(f"{url} needs the name of a model", hint=f"{url}#NAME")
        reader = who_would_read((parts.hostname,), CLEARTEXT, environment)
        if api_key and reader and parts.scheme == "http":
            instead = "use an https address, unset the key if the server needs none"
            raise ModelError(refused("key", reader), hint=way_out(instead, CLEARTEXT))
        if not api_key.isascii() or not api_key.isprintable():
            raise ModelError("the key holds characters that cannot be sent")
        self.name = f"{model} at {parts.hostname}"
        self._address = f"{url.rstrip('/')}/embeddings"
        self._model = model
        self._key = api_key
        self._patience = patience or Patience(timeout_s=60.0)
        self._for_questions = patience or Patience(attempts=2)
        self._budget_s = budget_s
        self._question_s = min(question_s, budget_s)
        self._seen = _Seen()

    @property
    def dimension(self) -> int:
        return width_of(self._known_length())

    @property
    def digest(self) -> str:
        """Of the address, the model and its dimension: nobody can look behind an address."""
        said = f"{FORMULA} {self._address} {self._model} {self._known_length()} {TEXT_CHARACTERS}"
        return hashlib.sha256(said.encode()).hexdigest()[:32]

    def questions(self, texts: Sequence[str]) -> Vectors:
        """The vectors of questions."""
        return self._vectors(texts, self._question_s)

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        """The vectors of pieces of code, each under the words of its name."""
        return self._vectors([titled(passage) for passage in passages], self._budget_s)

    def within(self, seconds: float) -> Self:
        """The same model with less time for each batch; what is known of the server is shared."""
        hurried = copy.copy(self)
        hurried._budget_s = min(self._budget_s, max(seconds, self._question_s))  # noqa: SLF001 - its own kind
        return hurried

    def _known_length(self) -> int:
        if not self._seen.length:
            self._ask([PROBE], self._question_s)
        return self._seen.length

    def _vectors(self, texts: Sequence[str], budget_s: float) -> Vectors:
        import numpy

        if not texts:
            return Vectors(self.dimension, b"")
        made = [self._ask(batch, budget_s) for batch in _batches(texts)]
        return unit_vectors(numpy.concatenate(made), self.name)

    def _ask(self, texts: Sequence[str], budget_s: float) -> NDArray[Any]:
        seen = self._seen
        if seen.failure is not None and time.monotonic() < seen.rests_until:
            raise seen.failure
        try:
            return self._answered(texts, budget_s)
        except ModelError as failure:
            seen.failure, seen.rests_until = failure, time.monotonic() + REST_S
            raise

    def _answered(self, texts: Sequence[str], budget_s: float) -> NDArray[Any]:
        asked = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            answer = page(
                self._address,
                headers=headers,
                body=json.dumps(asked).encode(),
                patience=self._patience if budget_s > self._question_s else self._for_questions,
                budget_s=budget_s,
                limit_bytes=LARGEST_BYTES * (1 + len(texts)),
            )
        except DownloadError as error:
            words = str(error).replace(self._key, HIDDEN) if self._key else str(error)
            raise ModelError(
                f"no vectors from {self.name}: {words}",
                hint="is the server running, the name right, the key set (PLAIT_MODEL_KEY)?",
            ) from None
        return self._read(answer, len(texts))

    def _read(self, answer: bytes, count: int) -> NDArray[Any]:
        """The vectors of an answer, in the order of the texts."""
        import numpy

        try:
            items = json.loads(answer, parse_constant=_refuse_constant)["data"]
            if not isinstance(items, list):
                raise ValueError("its data is no list")
            placed = {int(item["index"]): _numbers(item["embedding"]) for item in items}
            if len(items) != count or sorted(placed) != list(range(count)):
                raise ValueError(f"{len(items)} vectors came for {count} texts, or one came twice")
            rows = numpy.array([placed[number] for number in range(count)], dtype="<f8")
            if rows.ndim != 2 or not 1 <= rows.shape[1] <= LONGEST_VECTOR:
                raise ValueError("the vectors are not of one length")
            if not numpy.isfinite(rows).all():
                raise ValueError("a number is beyond all bounds")
            with numpy.errstate(over="ignore"):
                lengths = numpy.linalg.norm(rows, axis=1)
            if not (numpy.isfinite(lengths) & (lengths > 0)).all():
                raise ValueError("a vector has no length, or one beyond all bounds")
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            told = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise ModelError(f"{self.name} gave an answer that makes no sense: {told}") from None
        known = self._seen.length
        if known and rows.shape[1] != known:
            raise ModelError(
                f"{self.name} gave vectors of {rows.shape[1]} numbers, before of {known}"
            )
        self._seen.length = int(rows.shape[1])
        return rows


def is_local(url: str) -> bool:
    """Whether an address is this machine's own."""
    return is_this_machine(urlsplit(url).hostname or "")


def _numbers(vector: object) -> list[float]:
    if not isinstance(vector, list) or any(type(one) not in (int, float) for one in vector):
        raise ValueError("a vector is no list of numbers")
    return vector


def _refuse_constant(name: str) -> float:
    raise ValueError(f"it holds {name}, a number that is none")


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Texts in order, in groups a server takes; a text that is too long is cut."""
    batch: list[str] = []
    size = 0
    for text in texts:
        text = text[:TEXT_CHARACTERS] or " "  # servers refuse an empty text
        if batch and (len(batch) == BATCH_TEXTS or size + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += len(text)
    if batch:
        yield batch
