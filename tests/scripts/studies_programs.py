#!/usr/bin/env python3
"""Stands in for the programs that scripts/studies runs: links named
slice-trainer, slice-graph, slice-server and slice-client lead here.

Figures follow from seed and flags. STAND_IN_CALLS names a file that gets a line
for each call; a call that has the words STAND_IN_FAILS fails, and one that has
the words STAND_IN_HANGS runs until it is interrupted.
"""

import hashlib
import json
import os
import signal
import struct
import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer


def value_of(flags):
    """A share between 0.8 and 0.9 that belongs to these flags."""
    digest = hashlib.sha256(" ".join(flags).encode()).digest()
    return 0.8 + digest[0] / 2560


def figures(auroc):
    return {"positives": 30, "negatives": 30, "auroc": auroc, "f1": auroc - 0.1}


def report(flags):
    auroc = value_of(flags)
    row = {**figures(auroc), "structural": figures(auroc - 0.02)}
    return {"overall": figures(auroc), "typed": figures(auroc),
            "degree_matched": figures(auroc),
            "scorers": {"structural": {"published": figures(auroc - 0.02)}},
            "steps": [{"step": "fine-tune", "seconds": 1 + 10 * auroc,
                       "peak_mib": 100}],
            "splits": {"degree": {"2-3": row, "4-7": row}},
            "relations": {"likes": row, "knows": row}}


def write_npy(path, rows):
    header = str({"descr": "<f4", "fortran_order": False,
                  "shape": (len(rows), len(rows[0]))}).encode() + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
                   + header)
        for row in rows:
            file.write(struct.pack(f"<{len(row)}f", *row))


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file]


def baseline(arguments, out):
    """Vectors by which links are alike, and scores that are almost right."""
    train, test = (lines_of(arguments[arguments.index(flag) + 1])
                   for flag in ("--train", "--test"))
    keys = sorted({key for row in train + test for key in row[1:3]})
    with open(os.path.join(out, "embeddings.keys"), "w",
              encoding="utf-8") as file:
        file.writelines(f"{key}\n" for key in keys)
    write_npy(os.path.join(out, "embeddings.npy"),
              [[1.0, (i % 5) / 5] for i in range(len(keys))])
    write_npy(os.path.join(out, "test_scores.npy"),
              [[float(row[3]) + (i % 3) / 2, float(row[3])]
               for i, row in enumerate(test)])


def trainer(arguments):
    command = arguments[0]
    if command == "score":
        with open(arguments[arguments.index("--out") + 1], "w",
                  encoding="utf-8"):
            return
    flags = [word for word in arguments if not word.startswith(os.sep)]
    if command == "leak":
        print(json.dumps({"leaky": figures(0.95), "honest": figures(0.7)}))
        return
    out = arguments[arguments.index("--out") + 1]
    os.makedirs(out, exist_ok=True)
    if command == "baseline":
        baseline(arguments, out)
    print(json.dumps(report(flags)))


def graph(arguments):
    folder = arguments[arguments.index("--out") + 1]
    os.makedirs(folder)
    for part, label in (("train", ""), ("valid", "\t1"), ("test", "\t1")):
        with open(os.path.join(folder, f"{part}.tsv"), "w",
                  encoding="utf-8") as file:
            file.write(f"likes\ta\tb{label}\nlikes\tb\tc{label}\n")


def node(key, kind):
    return {"key": key, "name": f"node {key}", "type": kind}


def explanation(link):
    """A context of three nodes: source, one between the ends, target."""
    tokens = [{"kind": "TOKEN_KIND_NODE", "role": f"TOKEN_ROLE_{role}",
               "node": node(key, kind), "attention_from_source": 0.4,
               "attention_from_target": 0.2, "logit_effect": effect}
              for role, key, kind, effect in (
                  ("SOURCE", link["source"]["key"], "paper", 0),
                  ("TARGET", link["target"]["key"], "author", 0),
                  ("BETWEEN", "m", "term", 0.5))]
    return {"tokens": tokens,
            "edges": [{"source": 0, "target": 2, "relation": "likes"},
                      {"source": 1, "target": 2, "relation": "knows"}],
            "token_cosines": [1, .1, .1, 1, 0, 0, 1, .6, .6, 1, 0, 0]}


class Answers(BaseHTTPRequestHandler):

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = json.dumps({"results": [
            {"logit": i / 8, "explanation": explanation(link)}
            for i, link in enumerate(body["links"])]})
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_):
        """No line for each request."""


def server(_):
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    listener = HTTPServer(("127.0.0.1", 0), Answers)
    print(f"http on 127.0.0.1:{listener.server_port}")
    print("listening on 127.0.0.1:1", flush=True)
    listener.serve_forever()


def client(arguments):
    source, _, target = arguments[-3:]

    def token(role, key, kind):
        return {"kind": "NODE", "role": role, "node": node(key, kind)}
    contexts = [{"tokens": [token("SOURCE", source, "paper"),
                            token("TARGET", target, "author"),
                            token("BETWEEN", str(i), kind)],
                 "edges": [], "logit": i / 2, "probability": i / 10,
                 "attention": [[[[.5, .3, .2], [.2, .5, .3], [.1, .1, .8]]] * 2]
                 * 4} for i, kind in enumerate(("venue", "term", "term"))]
    print(json.dumps({"logit": 1.0, "probability": 0.7,
                      "explanation": {"contexts": contexts,
                                      "context_pooling": "max"}}))


def interrupted(*_):
    sys.exit(130)


def main():
    name, arguments = os.path.basename(sys.argv[0]), sys.argv[1:]
    call = " ".join([name, *arguments])
    if arguments[0] == "score":
        links = lines_of(arguments[arguments.index("--links") + 1])
        call += f" of {len(links)} links"
    with open(os.environ["STAND_IN_CALLS"], "a", encoding="utf-8") as file:
        file.write(f"{call}\n")
    if os.environ.get("STAND_IN_FAILS", "\n") in call:
        sys.exit(f"{name}: no such luck")
    if os.environ.get("STAND_IN_HANGS", "\n") in call:
        signal.signal(signal.SIGTERM, interrupted)
        while True:
            time.sleep(0.01)
    {"slice-trainer": trainer, "slice-graph": graph, "slice-server": server,
     "slice-client": client}[name](arguments)


if __name__ == "__main__":
    main()
