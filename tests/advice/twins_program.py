# SPDX-License-Identifier: BSD-3-Clause
"""What twins.cc does, in Python. usage: twins_program.py WHICH FOLDER N"""
import os
import sys

which, folder, n = sys.argv[1], sys.argv[2], int(sys.argv[3])
RECORD = 4096


def sample(i):
    return 1.0 / (i + 1)


def open_in_loop():
    for i in range(n):
        with open(f"{folder}/data_42.dat", "a") as file:
            file.write(f"{sample(i)}\n")


def open_once():
    with open(f"{folder}/data_42.dat", "a") as file:
        for i in range(n):
            file.write(f"{sample(i)}\n")


def flush_each_line():
    with open(f"{folder}/data_42.dat", "a") as file:
        for i in range(n):
            print(sample(i), file=file, flush=True)


def many_files():
    for i in range(n):
        with open(f"{folder}/record.{i}", "w") as file:
            file.write(f"{sample(i)}\n")


def record(i):
    return i * i * 7919 % 4099


def read_at_random():
    fd = os.open(f"{folder}/table", os.O_RDONLY)
    for i in range(n):
        assert len(os.pread(fd, RECORD, record(i) * RECORD)) == RECORD
    os.close(fd)


def read_whole():
    with open(f"{folder}/table", "rb") as file:
        table = file.read()
    print(sum(table[record(i) * RECORD] for i in range(n)))


{program.__name__: program for program in
 (open_in_loop, open_once, flush_each_line, many_files, read_at_random, read_whole)}[which]()
