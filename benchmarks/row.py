"""One line of the table of results."""

from dataclasses import dataclass

from benchmarks.contest import Outcome


@dataclass(frozen=True)
class Row:
    """
    A workload, what was measured, and what was aimed at.

    Parameters
    ----------
    workload : str
        What was done / against what.
    ours_s, peer_s : float, optional
        Seconds.
    ours_cores, peer_cores : float, optional
        How many cores were busy on average.
    ratio : float, optional
        How many times faster ours is, or the figure itself.
    target : str
        What was aimed at, empty if nothing was.
    met : bool, optional
        Whether it was reached.
    peak_mb : float, optional
        The memory that ours added.
    """

    workload: str
    ours_s: float | None
    ours_cores: float | None
    peer_s: float | None
    peer_cores: float | None
    ratio: float | None
    target: str
    met: bool | None
    peak_mb: float | None

    @classmethod
    def faster(
        cls,
        workload: str,
        ours: Outcome,
        peer: Outcome,
        target: float | None,
        most_mb: float | None = None,
    ) -> "Row":
        """Compare with a peer, which ours is to be so many times faster than."""
        ratio = peer.seconds / ours.seconds
        met = None if target is None else ratio >= target
        text = "" if target is None else f">= {target:.3g}"
        if most_mb is not None:
            met = bool(met) and ours.added_mb <= most_mb
            text += f", <= {most_mb:.0f} MB"
        return cls(
            workload,
            ours.seconds,
            ours.cores,
            peer.seconds,
            peer.cores,
            ratio,
            text,
            met,
            ours.added_mb,
        )

    @classmethod
    def bounded(
        cls,
        workload: str,
        figure: float,
        most: float | None,
        ours: Outcome | None = None,
    ) -> "Row":
        """State a figure that is not to exceed a bound."""
        return cls(
            workload,
            None if ours is None else ours.seconds,
            None if ours is None else ours.cores,
            None,
            None,
            figure,
            "" if most is None else f"<= {most:g}",
            None if most is None else figure <= most,
            None if ours is None else ours.added_mb,
        )

    @classmethod
    def between(cls, workload: str, figure: float, low: float, high: float) -> "Row":
        """State a figure that is to lie between two bounds."""
        return cls(
            workload,
            None,
            None,
            None,
            None,
            figure,
            f"{low:g} to {high:g}",
            low <= figure <= high,
            None,
        )
