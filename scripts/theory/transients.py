"""What a stand comes to from a known state: exact answers for finite times."""

import math

from .numerics import poisson


def markovian(start, rate, c, mu, time):
    """The law of the number present in M/M/c after `time`, from `start` on, by uniformization.

    The chain jumps at the times of a Poisson process that is as fast as its fastest state; jumps to the same state make up for slower ones.
    """
    pace = rate + c * mu
    most = start + int(rate * time + 12 * math.sqrt(rate * time + 1)) + 40
    law = [0.0] * (most + 1)
    law[start] = 1.0
    total = [0.0] * (most + 1)
    for weight in poisson(pace * time):
        for n, p in enumerate(law):
            total[n] += weight * p
        up = [rate / pace if n < most else 0.0 for n in range(most + 1)]
        down = [min(n, c) * mu / pace for n in range(most + 1)]
        law = [
            law[n] * (1 - up[n] - down[n]) + (law[n - 1] * up[n - 1] if n else 0.0) + (law[n + 1] * down[n + 1] if n < most else 0.0)
            for n in range(most + 1)
        ]
    return total


def erlang(stages, mean, time):
    """The probability that the sum of `stages` exponential times of a mean is at most `time`."""
    return 1 - sum(poisson(time / mean)[:stages])


def erlang_quantile(stages, mean, share):
    low, high = 0.0, 100.0 * stages * mean
    while high - low > 1e-9 * mean:
        middle = (low + high) / 2
        low, high = (middle, high) if erlang(stages, mean, middle) < share else (low, middle)
    return low
