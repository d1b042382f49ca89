# SPDX-License-Identifier: BSD-3-Clause
"""python3 toto_study ...: what `toto study` starts. Looks first whether the packages are there."""

import importlib.util
import os
import signal
import sys

SYSTEM = "/usr/bin/python3"  # for which a distribution's packages are installed
PACKAGES = {"jinja2": "python3-jinja2", "yaml": "python3-yaml", "psutil": "python3-psutil"}
REPORT_PACKAGES = {"scipy": "python3-scipy", "matplotlib": "python3-matplotlib"}


def need_packages():
    needed = PACKAGES | (REPORT_PACKAGES if sys.argv[1:2] == ["report"] else {})
    missing = [name for name in needed if importlib.util.find_spec(name) is None]
    if not missing:
        return
    if os.path.exists(SYSTEM) and not os.path.samefile(sys.executable, SYSTEM):
        os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])
    print(f"toto study: {sys.executable} has no {', '.join(missing)} "
          f"(Debian: apt install {' '.join(needed[name] for name in missing)})", file=sys.stderr)
    sys.exit(1)


def main():
    if sys.version_info < (3, 9):
        print(f"toto study: Python 3.9 or later is needed, {sys.executable} is older", file=sys.stderr)
        sys.exit(1)
    if sys.argv[1:] not in (["--help"], ["-h"]):
        need_packages()
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from toto_study import cli  # pylint: disable=import-outside-toplevel
    signal.signal(signal.SIGTERM, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
    sys.exit(cli.main(sys.argv[1:]))


if __name__ == "__main__":
    main()
