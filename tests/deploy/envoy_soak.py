"""Kills a server behind Envoy again and again, or restarts the servers in turn,
and counts the calls that fail.

usage: envoy_soak.py [--seconds 120] [--every 10] [--how kill|roll]
                     [--bundle DIR --links FILE]

Needs what the tests need: SLICE_BIN_DIR, SLICE_DEPS_DIR, and SLICE_TOY_DIR for
the toy bundle. FILE has lines "relation source target". Prints a line for each
client and exits with 1 when a call failed.
"""

import argparse
import signal
import sys
import time

import envoy_load
import envoy_process
import envoy_stand
import processes


def disturb(stand, seconds, every, how):
    """Ends a server each `every` seconds, the first after half of that."""
    until = time.monotonic() + seconds
    due = time.monotonic() + every / 2
    ended = 0
    while due < until:
        time.sleep(max(0, due - time.monotonic()))
        stand.restart(ended % len(stand.servers), how)
        ended += 1
        due += every
    return ended


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--every", type=float, default=10)
    parser.add_argument("--how", choices=("kill", "roll"), default="kill")
    parser.add_argument("--bundle", default=None)
    parser.add_argument("--links", default=None)
    options = parser.parse_args()
    envoy_process.skip_without_envoy()
    if options.links:
        with open(options.links, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
    else:
        rows = processes.toy_rows("test.tsv")
    how = signal.SIGKILL if options.how == "kill" else signal.SIGTERM
    ended = []
    with envoy_stand.Stand(bundle=options.bundle) as stand:
        seen = envoy_load.under_load(
            stand, options.seconds, rows, lambda: ended.append(disturb(
                stand, options.seconds, options.every, how)))
        for name, (calls, failed, errors, most) in seen.items():
            print(f"{name}: {calls} calls, {failed} failed {errors or ''}, "
                  f"longest {most:.3f} s")
        for name in ("upstream_rq_retry", "upstream_rq_retry_success",
                     "upstream_rq_retry_overflow", "upstream_cx_connect_fail",
                     "outlier_detection.ejections_enforced_total"):
            print(f"{name}: {stand.envoy.stat('cluster.slice.' + name)}")
        for failure in stand.envoy.failures():
            print(*failure)
    calls = sum(one[0] for one in seen.values())
    failed = sum(one[1] for one in seen.values())
    print(f"{options.how}: {ended[0]} servers ended in {options.seconds} s; "
          f"{calls} calls, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
