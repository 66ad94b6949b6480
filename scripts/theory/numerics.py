"""The little numerical mathematics that exact answers need."""

import math


def poisson(mean, tail=1e-18):
    """The probabilities of 0, 1, … of a Poisson law, until what is left out does not matter."""
    law, term, k = [], math.exp(-mean), 0
    while k <= mean or term > tail:
        law.append(term)
        k += 1
        term *= mean / k
    return law


def compound_poisson(mean, sizes, most):
    """The law of the sum of a Poisson number of `sizes` (a list of probabilities by size from 0), up to `most`.

    Panjer's recursion: p(n) = mean/n · sum of j · sizes(j) · p(n − j).
    """
    law = [math.exp(-mean * (1 - sizes[0]))]
    for n in range(1, most + 1):
        law.append(mean / n * sum(j * sizes[j] * law[n - j] for j in range(1, min(n, len(sizes) - 1) + 1)))
    return law


def integral(f, low, high, pieces=400):
    """By Gauss and Legendre with three points a piece."""
    width, total = (high - low) / pieces, 0.0
    for i in range(pieces):
        middle = low + (i + 0.5) * width
        reach = width / 2 * math.sqrt(0.6)
        total += 5 * f(middle - reach) + 8 * f(middle) + 5 * f(middle + reach)
    return total * width / 18


def root(f, low, high):
    """Where f changes sign between `low` and `high`, by bisection."""
    rising = f(high) > 0
    for _ in range(200):
        middle = (low + high) / 2
        if (f(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def stationary(start, moves):
    """The stationary law of the Markov chain in continuous time that `moves` describes, as {state: probability}.

    `moves(state)` gives pairs of another state and the rate of going there. States are found from `start` outwards and
    eliminated from the farthest inwards: Grassmann, Taksar and Heyman, "Regenerative analysis and steady state
    distributions for Markov chains", Operations Research 33 (1985); no subtraction, so no loss of digits.
    """
    place, states, out = {start: 0}, [start], []
    while len(out) < len(states):
        rates = {}
        for state, rate in moves(states[len(out)]):
            if rate <= 0 or state == states[len(out)]:
                continue
            if state not in place:
                place[state] = len(states)
                states.append(state)
            rates[place[state]] = rates.get(place[state], 0.0) + rate
        out.append(rates)
    into = [set() for _ in states]
    for i, rates in enumerate(out):
        for j in rates:
            into[j].add(i)
    steps = []
    for n in range(len(states) - 1, 0, -1):
        leave = [(j, r) for j, r in out[n].items() if j < n]
        total = sum(r for _, r in leave)
        enter = [(i, out[i][n] / total) for i in into[n] if i < n]
        steps.append((n, enter))
        for i, share in enter:
            for j, rate in leave:
                if j != i:
                    out[i][j] = out[i].get(j, 0.0) + share * rate
                    into[j].add(i)
    weight = [1.0] + [0.0] * (len(states) - 1)
    for n, enter in reversed(steps):
        weight[n] = sum(weight[i] * share for i, share in enter)
    total = sum(weight)
    return {state: weight[n] / total for state, n in place.items()}


def mean(law, value):
    """The mean of `value(state)` under a law {state: probability}."""
    return sum(p * value(state) for state, p in law.items())
