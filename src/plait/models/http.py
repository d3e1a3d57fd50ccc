"""The HTTP model: an endpoint that speaks OpenAI's ``POST {base}/embeddings``.

Text Embeddings Inference, Ollama, vLLM, llama.cpp and the hosted services answer the same
question. Everything that is encoded is sent there, so a model of this kind is only ever the
user's own choice. What comes back is believed only as far as it can be checked: as many
vectors as texts, each once, of one length, of numbers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from plait.downloads.download import Patience
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
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
PROBE = "how long is a vector"
HIDDEN = "[key]"


class HttpModel:
    """A model behind an address.

    Args:
        url: The base of its interface, such as ``https://api.openai.com/v1``.
        model: The name the server knows it by.
        api_key: Sent as a bearer token; "" for none. It is never shown.
        patience: How often to try and how long to wait for a byte.
        budget_s: How long all attempts for one batch may take together.

    Raises:
        ModelError: The address is none, or a key would go over the network in the open.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        api_key: str = "",
        patience: Patience | None = None,
        budget_s: float = BUDGET_S,
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
        if api_key and parts.scheme == "http" and not is_local(url):
            raise ModelError(
                f"the key is not sent to {parts.hostname}: plain HTTP can be read on the way",
                hint="use an https address, or unset the key if the server needs none",
            )
        if not api_key.isascii() or not api_key.isprintable():
            raise ModelError("the key holds characters that cannot be sent")
        self.name = f"{model} at {parts.hostname}"
        self._address = f"{url.rstrip('/')}/embeddings"
        self._model = model
        self._key = api_key
        self._patience = patience or Patience(timeout_s=60.0)
        self._budget_s = budget_s
        self._length = 0  # of the vectors that come; 0 as long as none came

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
        return self._vectors(texts)

    def passages(self, passages: Sequence[Passage]) -> Vectors:
        """The vectors of pieces of code, each under the words of its name."""
        return self._vectors([titled(passage) for passage in passages])

    def _known_length(self) -> int:
        if not self._length:
            self._ask([PROBE])
        return self._length

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        import numpy

        if not texts:
            return Vectors(self.dimension, b"")
        made = [self._ask(batch) for batch in _batches(texts)]
        return unit_vectors(numpy.concatenate(made), self.name)

    def _ask(self, texts: Sequence[str]) -> NDArray[Any]:
        asked = {"model": self._model, "input": list(texts), "encoding_format": "float"}
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            answer = page(
                self._address,
                headers=headers,
                body=json.dumps(asked).encode(),
                patience=self._patience,
                budget_s=self._budget_s,
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
            items = json.loads(answer)["data"]
            placed = {int(item["index"]): item["embedding"] for item in items}
            if len(items) != count or sorted(placed) != list(range(count)):
                raise ValueError(f"{len(items)} vectors came for {count} texts, or one came twice")
            rows = numpy.array([placed[number] for number in range(count)], dtype="<f8")
            if rows.ndim != 2 or not rows.shape[1]:
                raise ValueError("the vectors are not of one length")
        except (ValueError, KeyError, TypeError) as error:
            told = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise ModelError(f"{self.name} gave an answer that makes no sense: {told}") from None
        if self._length and rows.shape[1] != self._length:
            raise ModelError(
                f"{self.name} gave vectors of {rows.shape[1]} numbers, before of {self._length}"
            )
        self._length = int(rows.shape[1])
        return rows


def is_local(url: str) -> bool:
    """Whether an address is this machine's own."""
    return urlsplit(url).hostname in LOOPBACK


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
