"""The Kubernetes manifests fit their schemas, each other and the image.

Needs kubernetes-validate and PyYAML, which scripts/test installs below
SLICE_DEPS_DIR; exits 77 without them.
"""

import glob
import os
import re
import subprocess
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
FOLDER = os.path.join(ROOT, "deploy", "kubernetes")
PRIVATE_PYTHON = os.path.join(os.environ.get("SLICE_DEPS_DIR", ""), "venv",
                              "bin", "python")
SKIPPED = 77

try:
    import yaml
    import kubernetes_validate  # noqa: F401
except ImportError:
    if os.path.exists(PRIVATE_PYTHON) and "SLICE_PRIVATE" not in os.environ:
        os.execve(PRIVATE_PYTHON, [PRIVATE_PYTHON, "-B", *sys.argv],
                  {**os.environ, "SLICE_PRIVATE": "1"})
    print("skipped: kubernetes-validate is not installed (scripts/test does)")
    sys.exit(SKIPPED)

MANIFESTS = [path for path in sorted(glob.glob(os.path.join(FOLDER, "*.yaml")))
             if not path.endswith("kustomization.yaml")]


def documents():
    for path in MANIFESTS:
        with open(path, encoding="utf-8") as file:
            yield from yaml.safe_load_all(file)


def one(kind, name="slice"):
    found = [d for d in documents()
             if d["kind"] == kind and d["metadata"]["name"] == name]
    assert len(found) == 1, (kind, name)
    return found[0]


class ManifestsTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.pod = one("Deployment")["spec"]["template"]
        cls.server = cls.pod["spec"]["containers"][0]

    def flags(self):
        return dict(argument.lstrip("-").partition("=")[::2]
                    for argument in self.server["args"])

    def test_the_server_takes_the_flags(self):
        result = subprocess.run(
            [os.path.join(os.environ["SLICE_BIN_DIR"], "slice-server"),
             "--check-config", *self.server["args"]],
            text=True, capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_schemas(self):
        result = subprocess.run(
            [sys.executable, "-m", "kubernetes_validate", "--strict",
             *MANIFESTS], text=True, capture_output=True, check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_kustomization_lists_every_manifest(self):
        with open(os.path.join(FOLDER, "kustomization.yaml"),
                  encoding="utf-8") as file:
            resources = yaml.safe_load(file)["resources"]
        self.assertEqual(sorted(resources),
                         [os.path.basename(path) for path in MANIFESTS])

    def test_selectors_find_the_pods(self):
        labels = self.pod["metadata"]["labels"].items()
        for document in documents():
            selector = document.get("spec", {}).get("selector", {})
            wanted = selector.get("matchLabels", selector)
            self.assertLessEqual(wanted.items(), labels)

    def test_ports_of_services_probes_and_flags_agree(self):
        ports = {p["name"]: p["containerPort"] for p in self.server["ports"]}
        flags = self.flags()
        self.assertEqual(flags["listen"], f"0.0.0.0:{ports['grpc']}")
        self.assertEqual(flags["metrics-listen"],
                         f"0.0.0.0:{ports['metrics']}")
        for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
            self.assertEqual(self.server[probe]["grpc"]["port"], ports["grpc"])
        for document in documents():
            if document["kind"] == "Service":
                for port in document["spec"]["ports"]:
                    self.assertEqual(port["port"], ports[port["targetPort"]])

    def test_readiness_asks_for_a_service_of_the_wire_contract(self):
        service = self.server["readinessProbe"]["grpc"]["service"]
        with open(os.path.join(ROOT, "proto/slice/v1/link_prediction.proto"),
                  encoding="utf-8") as file:
            text = file.read()
        package = re.search(r"^package ([\w.]+);", text, re.M)[1]
        name = re.search(r"^service (\w+)", text, re.M)[1]
        self.assertEqual(service, f"{package}.{name}")

    def test_prometheus_scrapes_the_metrics_service(self):
        with open(os.path.join(ROOT, "deploy/prometheus/prometheus.yml"),
                  encoding="utf-8") as file:
            jobs = yaml.safe_load(file)["scrape_configs"]
        discovery = [job["dns_sd_configs"][0] for job in jobs
                     if "dns_sd_configs" in job][0]
        service = one("Service", discovery["names"][0])
        self.assertEqual(service["spec"]["clusterIP"], "None")
        self.assertEqual(discovery["port"], service["spec"]["ports"][0]["port"])

    def test_the_pod_has_time_to_stop(self):
        lame_duck = int(self.flags()["lame-duck"].rstrip("s"))
        drain = 20
        self.assertGreater(self.pod["spec"]["terminationGracePeriodSeconds"],
                           lame_duck + drain)

    def test_user_is_the_one_of_the_image(self):
        with open(os.path.join(ROOT, "Dockerfile"), encoding="utf-8") as file:
            user = re.search(r"^USER (\d+):(\d+)$", file.read(), re.M)
        context = self.pod["spec"]["securityContext"]
        self.assertEqual([str(context["runAsUser"]),
                          str(context["runAsGroup"])], list(user.groups()))


if __name__ == "__main__":
    unittest.main()
