"""Raw vectors as text files: what ships with the product, so that a first start computes none of it.

The first line names the embedder; each other line is a key and a vector in half precision, base64.
Half precision moves a cosine by less than 0.0001.
"""

import base64
import struct
from collections.abc import Mapping
from pathlib import Path

from metering.embedders import Vector


def read(path: Path, embedder: str) -> dict[str, Vector]:
    """Return the vectors by key; none where the file is missing or was made by another embedder."""
    if not path.exists():
        return {}
    with path.open(encoding="ascii") as lines:
        if next(lines).strip() != embedder:
            return {}
        return {key: _unpack(packed) for key, packed in (line.split() for line in lines)}


def write(path: Path, embedder: str, vectors: Mapping[str, Vector]) -> None:
    """Write the vectors, in the order of their keys, so that a new one changes one line."""
    lines = [f"{key} {_pack(vectors[key])}" for key in sorted(vectors)]
    path.write_text("\n".join([embedder, *lines]) + "\n", encoding="ascii")


def _pack(vector: Vector) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}e", *vector)).decode("ascii")


def _unpack(packed: str) -> Vector:
    raw = base64.b64decode(packed)
    return list(struct.unpack(f"<{len(raw) // 2}e", raw))
