#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The statistics of the report, against values known from elsewhere."""
import math

import studies  # noqa: F401  the path of the package
from harness import Check

import numpy
import scipy.stats
from toto_study import stats

check = Check()


def near(expected, got, what, by=1e-9):
    check.that(math.isclose(expected, got, rel_tol=by, abs_tol=by), what, f"expected {expected}, got {got}")


check.equal([10.0, -50.0], [round(float(x), 9) for x in stats.slowdowns([100, 10], [90, 15])], "bandwidth lost, in percent")
check.equal([20.0], [round(float(x), 9) for x in stats.slowdowns([10], [12], higher_is_better=False)], "time added")

# Exact test without ties: all of 6 below all of 6 is one of C(12, 6) = 924 orders, and as many the other way.
near(2 / 924, stats.mann_whitney(range(6), range(10, 16)), "Mann-Whitney of separate samples")
near(2 / 924, stats.least_p(6, 6), "which is the least that there is")
# Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3rd ed., example 4.1 (permeability of membranes), one-sided
# p = .1272 for W = 30 with 10 and 5 values.
term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
early = [1.15, 0.88, 0.90, 0.74, 1.21]
near(2 * 0.1272, stats.mann_whitney(term, early), "Mann-Whitney of a textbook's example", 2e-3)
near(1.0, stats.mann_whitney([1, 1, 1], [1, 1, 1]), "equal values give 1")

# Holm's own steps for four tests; Benjamini and Hochberg's 15 tests of 1995 (section 3.2), of which they reject 4 at 5 %,
# and Bonferroni's 3.
check.equal([0.03, 0.06, 0.06, 0.02], [round(p, 9) for p in stats.holm([0.01, 0.04, 0.03, 0.005])], "Holm")
paper = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
check.equal((4, 3), (sum(p <= 0.05 for p in stats.benjamini_hochberg(paper)), sum(p <= 0.05 for p in stats.holm(paper))),
            "Benjamini and Hochberg's example")
check.equal([1.0], stats.benjamini_hochberg([1.0]), "one test is not corrected")

near(1.0, stats.cliffs_delta([1, 2], [3, 4]), "Cliff's delta: always more")
near(-1.0, stats.cliffs_delta([3, 4], [1, 2]), "always less")
near(0.25, stats.cliffs_delta([1, 2], [1, 3]), "2 of 4 pairs more, 1 less, 1 equal")

# The interval of a mean of many normal values is Student's; of a median, about 1.2533 times as wide.
values = numpy.random.default_rng(1).normal(5, 2, 400)
low, high = stats.interval(values, 42, numpy.mean)
student = scipy.stats.t.interval(0.95, 399, values.mean(), values.std(ddof=1) / 20)
check.that(abs(low - student[0]) < 0.03 and abs(high - student[1]) < 0.03, "the bootstrap's interval of a mean is Student's",
           f"{low} {high} {student}")
check.equal(stats.interval(values[:6], 42), stats.interval(values[:6], 42), "the same seed, the same interval")
check.equal((3.0, 3.0), stats.interval([3, 3, 3], 42), "no spread, no width")
check.that(all(map(math.isnan, stats.interval([1, 2], 42))), "two values have no interval")
low, high = stats.interval([1, 1, 1, 1, 1, 9], 42)
check.that(low == 1 and high >= 1, "where BCa is not defined, percentiles", f"{low} {high}")
inside = sum(low <= 0 <= high for low, high in (
    stats.interval(numpy.random.default_rng(seed).normal(0, 1, 12), 42, numpy.mean, resamples=999) for seed in range(200)))
check.that(170 <= inside <= 198, "an interval of 95 % holds the truth in about 95 of 100 cases", str(inside))

# (1.959964 + 0.841621) * sd / sqrt(n), with a standard deviation of 1 by hand.
near(2.801585 / math.sqrt(3), stats.resolution([1, 2, 3]), "the resolution of three pairs", 1e-5)
check.that(math.isnan(stats.resolution([1])), "one pair resolves nothing")
check.end()
