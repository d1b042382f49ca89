# SPDX-License-Identifier: BSD-3-Clause
"""Parameter studies described in the YAML of IOPS (https://github.com/luanteylo/iops): see ../README.md."""
