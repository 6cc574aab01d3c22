"""What `kubectl kustomize` makes of deploy/kubernetes, and questions about it.

Import private_python and require "yaml" first.
"""

import functools
import os
import re
import shutil
import subprocess

import yaml

import private_python

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "deploy", "kubernetes")
# Each runs a server. monitoring is applied beside one of them.
OVERLAYS = (".", "overlays/tls", "overlays/ha", "overlays/gpu",
            "overlays/production", "overlays/replicas", "overlays/live")
# Of these, the one whose graph changes: one pod, and a job that trains.
LIVE = "overlays/live"
MONITORING = "monitoring"


def require_kubectl():
    if not shutil.which("kubectl"):
        private_python.skip("kubectl is not installed (Debian: "
                            "kubernetes-client)")


class Rendered:
    """The objects of one overlay."""

    def __init__(self, overlay):
        self.overlay = overlay
        result = subprocess.run(
            ["kubectl", "kustomize", os.path.join(FOLDER, overlay)],
            text=True, capture_output=True, check=False)
        assert result.returncode == 0, result.stderr
        self.objects = list(yaml.safe_load_all(result.stdout))

    def all(self, kind):
        return [o for o in self.objects if o["kind"] == kind]

    def own(self, kind):
        """Those of slice itself, and not of what is deployed with it."""
        return [o for o in self.all(kind) if o["metadata"].get(
            "labels", {}).get("app.kubernetes.io/name") == "slice"]

    def one(self, kind, name="slice"):
        found = [o for o in self.all(kind) if o["metadata"]["name"] == name]
        assert len(found) == 1, (self.overlay, kind, name, len(found))
        return found[0]

    @property
    def server_policies(self):
        """The network policies that hold for the pods of the server."""
        return [policy for policy in self.own("NetworkPolicy")
                if policy["metadata"]["name"] != "slice-retrain"]

    @property
    def template(self):
        """Of the pods of the server."""
        return self.one("Deployment")["spec"]["template"]

    @property
    def pod(self):
        return self.template["spec"]

    @property
    def server(self):
        assert len(self.pod["containers"]) == 1
        return self.pod["containers"][0]

    @property
    def containers(self):
        return self.pod["initContainers"] + self.pod["containers"]

    def mount_of(self, path):
        """The mount of the server that holds `path`, and its volume."""
        volumes = {v["name"]: v for v in self.pod["volumes"]}
        for mount in self.server["volumeMounts"]:
            if (path + "/").startswith(mount["mountPath"] + "/"):
                return mount, volumes[mount["name"]]
        raise AssertionError(f"{self.overlay}: nothing is mounted at {path}")

    def file_at(self, path):
        """The text of a file that a ConfigMap puts at `path`."""
        mount, volume = self.mount_of(path)
        config_map = self.one("ConfigMap", volume["configMap"]["name"])
        return config_map["data"][os.path.relpath(path, mount["mountPath"])]

    @property
    def config_text(self):
        """The configuration of the server."""
        flag, _, path = self.server["args"][0].partition("=")
        assert flag == "--config" and len(self.server["args"]) == 1
        return self.file_at(path)

    @property
    def config(self):
        """{flag: value} of the configuration, over all its sections."""
        return {name: value
                for section in yaml.safe_load(self.config_text).values()
                for name, value in section.items()}


@functools.lru_cache(maxsize=None)
def rendered(overlay):
    return Rendered(overlay)


def each_overlay(test):
    """Runs a test method with each overlay that has a server."""

    @functools.wraps(test)
    def run(self):
        for overlay in OVERLAYS:
            with self.subTest(overlay=overlay):
                test(self, rendered(overlay))
    return run


def seconds(text):
    """Of a duration such as 10s or 2160h."""
    number, unit = re.fullmatch(r"(\d+)(s|m|h)", text).groups()
    return int(number) * {"s": 1, "m": 60, "h": 3600}[unit]


def covers(selector, labels):
    """Whether `labels` satisfy a selector of labels; {} selects everything."""
    assert set(selector) <= {"matchLabels"}, selector
    return selector.get("matchLabels", {}).items() <= labels.items()
