"""A real Prometheus on a free port of the loopback. It scrapes one server with
TLS and runs the rules of deploy/prometheus."""

import datetime
import json
import os
import re
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

import metric_names

# What takes this long hangs.
HANG_SECONDS = 300
# The labels that the Prometheus operator adds.
CONFIG = """\
global: {{scrape_interval: 250ms, evaluation_interval: 250ms}}
rule_files: [{rules}]
scrape_configs:
  - job_name: slice
    scheme: https
    tls_config: {{ca_file: {ca}}}
    static_configs:
      - targets: ["{target}"]
        labels: {{namespace: slice, pod: a}}
"""


class Prometheus:
    """Use as a `with` block."""

    def __init__(self, target, ca):
        self._folder = tempfile.TemporaryDirectory()
        folder = self._folder.name
        names = []
        for path in metric_names.RULES:
            with open(os.path.join(metric_names.ROOT, path),
                      encoding="utf-8") as file:
                text = file.read()
            names.append(os.path.basename(path))
            with open(os.path.join(folder, names[-1]), "w",
                      encoding="utf-8") as file:
                # The test waits for a rule to be run.
                file.write(text.replace("interval: 30s", "interval: 250ms"))
        with open(os.path.join(folder, "prometheus.yml"), "w",
                  encoding="utf-8") as file:
            file.write(CONFIG.format(rules=", ".join(names), ca=ca,
                                     target=target))
        self._log = os.path.join(folder, "log")

    def __enter__(self):
        folder = self._folder.name
        with open(self._log, "w", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                ["prometheus", f"--config.file={folder}/prometheus.yml",
                 f"--storage.tsdb.path={folder}/data",
                 "--web.listen-address=127.0.0.1:0"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            self._address = self._wait(self._listening, "the address")
            self._wait(self._ready, "readiness")
            self._wait(lambda: self.query("up == 1"), "a scrape")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(HANG_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._folder.cleanup()

    def _output(self):
        with open(self._log, encoding="utf-8") as file:
            return file.read()

    def _listening(self):
        if self._process.poll() is not None:
            raise AssertionError("prometheus ended:\n" + self._output())
        found = re.search(r'msg="Listening on" address=(\S+)', self._output())
        return found and found[1]

    def _ready(self):
        try:
            with self._open("-/ready"):
                return True
        except urllib.error.HTTPError as error:
            error.close()
            return False

    def _wait(self, question, what):
        deadline = time.monotonic() + HANG_SECONDS
        while not (answer := question()):
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not come:\n{self._output()}")
            time.sleep(0.05)  # its log and its API are all it says
        return answer

    def _open(self, path, data=None):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return opener.open(f"http://{self._address}/{path}", data,
                           timeout=HANG_SECONDS)

    def _ask(self, path, **parameters):
        data = urllib.parse.urlencode(parameters).encode() or None
        with self._open("api/v1/" + path, data) as reply:
            return json.load(reply)["data"]

    def query(self, expression):
        """The values of the samples of an instant query."""
        return [float(sample["value"][1])
                for sample in self._ask("query", query=expression)["result"]]

    def rules(self):
        return [rule for group in self._ask("rules")["groups"]
                for rule in group["rules"]]

    def wait_for_another_run_of_the_rules(self):
        """Until each group has run on what the server shows by now."""
        now = time.time()
        self._wait(lambda: any(at > now for at in self.query(
            'timestamp(up{job="slice"})')), "a scrape")
        scraped = time.time()
        self._wait(lambda: all(
            datetime.datetime.fromisoformat(group["lastEvaluation"])
            .timestamp() > scraped for group in self._ask("rules")["groups"]),
            "a run of the rules")
