"""`python -m bench [refusal latch support]`: prints the named measurements, or all of them."""

import sys
from collections.abc import Callable

from bench import latch, refusal, support

MEASUREMENTS: dict[str, Callable[[], None]] = {
    "refusal": refusal.measure,
    "latch": latch.measure,
    "support": support.measure,
}


def main(names: list[str]) -> int:
    if unknown := set(names) - set(MEASUREMENTS):
        sys.stderr.write(f"no such measurement: {', '.join(sorted(unknown))}; there are {', '.join(MEASUREMENTS)}\n")
        return 2
    for name in names or MEASUREMENTS:
        MEASUREMENTS[name]()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
