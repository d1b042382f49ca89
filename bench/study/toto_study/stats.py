# SPDX-License-Identifier: BSD-3-Clause
"""Statistics of paired runs: pure functions of numbers. SciPy does the work; what it is asked is said here."""

import math
import warnings

import numpy
import scipy.stats

ALPHA, POWER = 0.05, 0.8


def slowdowns(without, with_it, higher_is_better=True):
    """Percent lost in each pair: of bandwidth without, or of time added."""
    a, b = numpy.asarray(without, float), numpy.asarray(with_it, float)
    return 100 * ((a - b) / a if higher_is_better else (b - a) / a)


def interval(values, seed, statistic=numpy.median, confidence=0.95, resamples=9999):
    """(low, high) of the statistic by the bootstrap: BCa (Efron 1987), and where that is not defined (a statistic
    that does not move when one value is left out) percentiles. (nan, nan) for fewer than 3 values."""
    values = numpy.asarray(values, float)
    if len(values) < 3:
        return math.nan, math.nan
    if numpy.ptp(values) == 0:
        return float(values[0]), float(values[0])
    for method in ("BCa", "percentile"):
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")  # that BCa is not defined: then the other
            try:
                found = scipy.stats.bootstrap((values,), statistic, axis=-1, vectorized=True, n_resamples=resamples,
                                              confidence_level=confidence, method=method,
                                              random_state=numpy.random.default_rng(seed)).confidence_interval
            except ValueError:
                continue
        if math.isfinite(found.low) and math.isfinite(found.high):
            return float(found.low), float(found.high)
    return math.nan, math.nan


def mann_whitney(a, b):
    """Two-sided p; exact for few values without ties."""
    if not len(a) or not len(b) or set(a) == set(b) and len(set(a)) == 1:
        return 1.0
    return float(scipy.stats.mannwhitneyu(a, b, alternative="two-sided").pvalue)


def least_p(n, m):
    """The smallest p that the exact two-sided test of n and m values can give."""
    return min(1.0, 2 / math.comb(n + m, n))


def signed_rank(differences):
    """Wilcoxon's test that paired differences lie around 0: two-sided p."""
    differences = [one for one in differences if one != 0]
    return float(scipy.stats.wilcoxon(differences).pvalue) if len(differences) >= 5 else math.nan


def holm(ps):
    """Adjusted p: the chance of any false alarm among all tests (Holm 1979)."""
    order = sorted(range(len(ps)), key=ps.__getitem__)
    adjusted, largest = [1.0] * len(ps), 0.0
    for at, index in enumerate(order):
        largest = max(largest, min(1.0, (len(ps) - at) * ps[index]))
        adjusted[index] = largest
    return adjusted


def benjamini_hochberg(ps):
    """Adjusted p: the expected share of false alarms among the alarms (Benjamini and Hochberg 1995)."""
    order = sorted(range(len(ps)), key=ps.__getitem__, reverse=True)
    adjusted, smallest = [1.0] * len(ps), 1.0
    for at, index in enumerate(order):
        smallest = min(smallest, ps[index] * len(ps) / (len(ps) - at))
        adjusted[index] = smallest
    return adjusted


CORRECTIONS = {"holm": holm, "bh": benjamini_hochberg}


def cliffs_delta(a, b):
    """-1 to 1: how much oftener a value of `b` is above one of `a` than below (Cliff 1993)."""
    a, b = numpy.asarray(a, float), numpy.asarray(b, float)
    if not len(a) or not len(b):
        return math.nan
    return float(numpy.sign(b[None, :] - a[:, None]).mean())


def resolution(differences):
    """The smallest mean difference that so many pairs of this spread show in 8 of 10 studies at the 5 % level
    (normal approximation)."""
    if len(differences) < 2:
        return math.nan
    z = scipy.stats.norm.ppf(1 - ALPHA / 2) + scipy.stats.norm.ppf(POWER)
    return float(z * numpy.std(differences, ddof=1) / math.sqrt(len(differences)))
