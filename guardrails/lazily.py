"""An attribute that is worked out when it is first asked for, and then kept.

As `functools.cached_property`, which up to Python 3.11 takes a lock for each: dearer than most of what is kept here.
Two threads may work the same thing out twice; that must not matter.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class lazily(Generic[T]):  # noqa: N801  # used as a decorator, as property is
    """Decorates the method that works the attribute out."""

    def __init__(self, method: Callable[[Any], T]) -> None:
        self._method = method
        self._name = method.__name__
        self.__doc__ = method.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "lazily[T]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> "lazily[T] | T":
        if instance is None:
            return self
        value = self._method(instance)
        # Through `__dict__` would give the instance a dictionary of its own, which it else does without.
        setattr(instance, self._name, value)
        return value
