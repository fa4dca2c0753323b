"""Trajectories as plain functions of arrays with exact Jacobians: for SciPy, and as functions of JAX and PyTorch."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _saltation
from .errors import refusal

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .system import System

__all__ = ["Function"]


class Function:
    """Outputs of a trajectory as a function of parameters and start values, with the exact Jacobian through every event.

    :meth:`System.function` makes it. Inputs are the last axis of an array: of shape (n,) or (.., n). Outputs are of shape (.., m), Jacobians of shape
    (.., m, n). What a trajectory does not have is NaN: an event that does not happen, and derivatives behind a graze.

    >>> import saltation as st
    >>> f = st.gallery("bouncing-ball").function(["e", "g"], ["x @ 1", "impact:ground[1]"])
    >>> f([0.8, 9.8]).shape, f.jacobian([0.8, 9.8]).shape
    ((2,), (2, 2))
    """

    __slots__ = ("_native", "inputs", "outputs", "threads")

    def __init__(self, system: System, inputs: Any, outputs: Any, until: Any = None, tol: Any = None, threads: int | None = None) -> None:
        self.inputs = _names("inputs", inputs)
        self.outputs = _names("outputs", outputs)
        self.threads = threads
        number = None if until is None else system.evaluate(until)
        self._native = _saltation.Function(system._native, self.inputs, self.outputs, number, tol)

    def __repr__(self) -> str:
        return f"Function({', '.join(self.inputs)} -> {', '.join(self.outputs)})"

    @property
    def usual(self) -> NDArray[np.float64]:
        """The inputs of the system itself: an array of shape (n,).

        >>> import saltation as st
        >>> st.gallery("bouncing-ball").function(["e", "g"], "x @ 1").usual.tolist()
        [0.8, 9.8]
        """
        return np.array(self._native.usual())

    def with_jacobian(self, inputs: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Outputs and Jacobian by one trajectory for each point.

        >>> import saltation as st
        >>> values, slopes = st.gallery("bouncing-ball").function(["e", "g"], "x @ 1").with_jacobian([0.8, 9.8])
        >>> values.shape, slopes.shape
        ((1,), (1, 2))

        :raises RequestError: for values that the model may not have, and starts from which it has no trajectory.
        """
        points = np.asarray(inputs, dtype=float)
        n, m = len(self.inputs), len(self.outputs)
        if points.ndim == 0 or points.shape[-1] != n:
            raise refusal("inputs", f"the array has the shape {points.shape}, and its last axis is not that of {n} inputs", f"give ({', '.join(self.inputs)})")
        values, slopes = self._native.at(points.reshape(-1, n).tolist(), self.threads)
        return values.reshape(*points.shape[:-1], m), slopes.reshape(*points.shape[:-1], m, n)

    def __call__(self, inputs: ArrayLike) -> NDArray[np.float64]:
        """The outputs."""
        return self.with_jacobian(inputs)[0]

    def jacobian(self, inputs: ArrayLike) -> NDArray[np.float64]:
        """The Jacobian: of every output by every input.

        >>> import saltation as st
        >>> from math import sqrt
        >>> f = st.gallery("bouncing-ball").function(["e"], ["impact:ground[1]"])
        >>> bool(abs(f.jacobian([0.8])[0, 0] - 2 * sqrt(2 / 9.8)) < 1e-12)
        True
        """
        return self.with_jacobian(inputs)[1]

    def jax(self) -> Any:
        """The same as a function of JAX: differentiable in both modes, batched by ``vmap`` and compiled around by ``jit``. JAX computes in double precision if
        ``jax_enable_x64`` is set.

        >>> import saltation as st
        >>> f = st.gallery("bouncing-ball").function("e", "impact:ground[1]").jax()  # doctest: +SKIP
        >>> jax.grad(lambda e: f(e)[0])(jax.numpy.array([0.8]))  # doctest: +SKIP
        Array([0.9035079], dtype=float64)

        :raises ImportError: if JAX is not installed.
        """
        jax: Any = import_module("jax")
        jnp: Any = jax.numpy
        m, n = len(self.outputs), len(self.inputs)

        def called(points: Any, of: int) -> Any:
            kind = jnp.result_type(float)
            shape = (*points.shape[:-1], m) if of == 0 else (*points.shape[:-1], m, n)
            return jax.pure_callback(
                lambda x: self.with_jacobian(np.asarray(x, dtype=float))[of].astype(kind),
                jax.ShapeDtypeStruct(shape, kind),
                points,
                vmap_method="expand_dims",
            )

        @jax.custom_jvp  # type: ignore[untyped-decorator]
        def function(points: Any) -> Any:
            return called(jnp.asarray(points), 0)

        @function.defjvp  # type: ignore[untyped-decorator]
        def _jvp(primals: Any, tangents: Any) -> Any:
            (points,), (change,) = primals, tangents
            slopes = called(jnp.asarray(points), 1)
            return function(points), jnp.einsum("...mn,...n->...m", slopes, change)

        return function

    def torch(self) -> Any:
        """The same as a function of PyTorch: differentiable in both modes, batched along the first axes.

        >>> import saltation as st
        >>> f = st.gallery("bouncing-ball").function("e", "impact:ground[1]").torch()  # doctest: +SKIP
        >>> torch.autograd.functional.jacobian(f, torch.tensor([0.8], dtype=torch.float64))  # doctest: +SKIP
        tensor([[0.9035]], dtype=torch.float64)

        :raises ImportError: if PyTorch is not installed.
        """
        torch: Any = import_module("torch")
        outer = self

        class Trajectory(torch.autograd.Function):  # type: ignore[misc]
            @staticmethod
            def forward(points: Any) -> Any:
                values, slopes = outer.with_jacobian(points.detach().cpu().numpy())
                return points.new_tensor(values), points.new_tensor(slopes)

            @staticmethod
            def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
                ctx.mark_non_differentiable(output[1])
                ctx.save_for_backward(output[1])
                ctx.save_for_forward(output[1])

            @staticmethod
            def backward(ctx: Any, change: Any, _: Any) -> Any:
                (slopes,) = ctx.saved_tensors
                return torch.einsum("...mn,...m->...n", slopes, change)

            @staticmethod
            def jvp(ctx: Any, change: Any) -> Any:
                (slopes,) = ctx.saved_tensors
                return torch.einsum("...mn,...n->...m", slopes, change), None

        return lambda points: Trajectory.apply(points)[0]


def _names(field: str, given: Any) -> list[str]:
    """Names, of which one may be a text."""
    names = [given] if isinstance(given, str) else [str(one) for one in given]
    if not names:
        raise refusal(field, f"there are no {field}", "name some, such as e or x @ 10")
    return names
