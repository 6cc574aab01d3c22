"""The overlay live: one pod that owns the graph, and a job that trains on it
beside that pod.

Needs kubectl and PyYAML; exits 77 without them.
"""

import os
import re
import subprocess
import tempfile
import unittest

import private_python

private_python.require("yaml")

import yaml  # noqa: E402

import rendered  # noqa: E402

SCRIPT = os.path.join(rendered.ROOT, "deploy", "retrain", "slice-retrain")


class LiveOverlayTest(unittest.TestCase):

    def setUp(self):
        self.it = rendered.rendered(rendered.LIVE)
        self.cron = self.it.one("CronJob", "slice-retrain")["spec"]
        self.job = self.cron["jobTemplate"]["spec"]
        self.pod = self.job["template"]["spec"]
        (self.container,) = self.pod["containers"]

    def flags(self):
        """{flag: value} of slice-retrain, without what follows `--`."""
        arguments = self.container["args"]
        own = arguments[:arguments.index("--")]
        return dict(argument.split("=") for argument in own)

    def test_one_pod_writes_the_graph(self):
        deployment = self.it.one("Deployment")["spec"]
        self.assertEqual(deployment["replicas"], 1)
        self.assertEqual(deployment["strategy"], {"type": "Recreate"})
        self.assertIs(self.it.config["accept-updates"], True)
        _, volume = self.it.mount_of(self.it.config["data-dir"])
        claim = self.it.one("PersistentVolumeClaim",
                            volume["persistentVolumeClaim"]["claimName"])
        self.assertEqual(claim["spec"]["accessModes"], ["ReadWriteOnce"])

    def test_the_job_trains_on_the_volume_of_the_server(self):
        server = {v["name"]: v for v in self.it.pod["volumes"]}
        own = {v["name"]: v for v in self.pod["volumes"]}
        self.assertEqual(own["data"], server["data"])
        mounts = {m["mountPath"]: m for m in self.container["volumeMounts"]}
        self.assertEqual(set(own), {m["name"] for m in mounts.values()})
        self.assertEqual(mounts["/data"]["name"], "data")
        flags = self.flags()
        self.assertEqual(flags["--data-dir"], "/data")
        self.assertEqual(self.it.config["data-dir"], "/data")

    def test_the_server_watches_what_the_job_publishes(self):
        self.assertIs(self.it.config["watch-bundle"], True)
        mount, volume = self.it.mount_of(self.it.config["bundle"])
        self.assertEqual(volume["name"], "data")
        self.assertEqual(self.flags()["--models"],
                         "/data/" + mount["subPath"])
        self.assertEqual(os.path.relpath(self.it.config["bundle"],
                                         mount["mountPath"]), "current")

    def test_both_run_beside_each_other_as_one_user(self):
        for field in ("runAsUser", "runAsGroup", "fsGroup", "runAsNonRoot",
                      "seccompProfile"):
            self.assertEqual(self.pod["securityContext"][field],
                             self.it.pod["securityContext"][field])
        (near,) = self.pod["affinity"]["podAffinity"][
            "requiredDuringSchedulingIgnoredDuringExecution"]
        self.assertEqual(near["topologyKey"], "kubernetes.io/hostname")
        self.assertTrue(rendered.covers(
            near["labelSelector"], self.it.template["metadata"]["labels"]))
        self.assertEqual(self.container["image"], self.it.server["image"])

    def test_the_job_may_do_nothing_else(self):
        self.assertEqual(self.container["securityContext"],
                         self.it.server["securityContext"])
        self.assertIs(self.pod["automountServiceAccountToken"], False)
        self.it.one("ServiceAccount", self.pod["serviceAccountName"])
        self.assertLessEqual({"memory", "ephemeral-storage"},
                             set(self.container["resources"]["limits"]))

    def test_it_reaches_the_server_and_names_alone(self):
        labels = self.job["template"]["metadata"]["labels"]
        policy = self.it.one("NetworkPolicy", "slice-retrain")["spec"]
        self.assertTrue(rendered.covers(policy["podSelector"], labels))
        self.assertEqual(policy["policyTypes"], ["Egress"])
        server, names = policy["egress"]
        self.assertTrue(rendered.covers(
            server["to"][0]["podSelector"],
            self.it.template["metadata"]["labels"]))
        self.assertEqual([p["port"] for p in server["ports"]], ["grpc"])
        self.assertEqual({p["port"] for p in names["ports"]}, {53})
        # The server lets it in, and no service leads to it.
        rule = self.it.one("NetworkPolicy")["spec"]["ingress"][0]
        self.assertTrue(rendered.covers(
            rule["from"][0]["podSelector"], labels))
        for service in self.it.all("Service"):
            self.assertFalse(service["spec"]["selector"].items()
                             <= labels.items())
        host, port = self.flags()["--server"].split(":")
        ports = self.it.one("Service", host)["spec"]["ports"]
        self.assertIn(int(port), [p["port"] for p in ports])

    def test_two_trainings_never_run_at_once(self):
        self.assertEqual(self.cron["concurrencyPolicy"], "Forbid")
        self.assertEqual(self.job["backoffLimit"], 0)
        self.assertEqual(self.pod["restartPolicy"], "Never")

    def test_the_program_is_in_the_image_and_has_these_flags(self):
        with open(os.path.join(rendered.ROOT, "Dockerfile"),
                  encoding="utf-8") as file:
            self.assertIn("deploy/retrain/slice-retrain /opt/slice/bin/\n",
                          file.read())
        self.assertEqual(self.container["command"], ["slice-retrain"])
        said = subprocess.run([SCRIPT, "--help"], text=True,
                              capture_output=True, check=True).stdout
        for flag in self.flags():
            self.assertRegex(said, rf"(?m)^  {re.escape(flag)} ")

    def test_the_program_takes_its_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = [argument.replace("=/data", "=" + folder)
                         for argument in self.container["args"]]
            result = subprocess.run([SCRIPT, *arguments], text=True,
                                    capture_output=True, check=False)
        # The flags are read; the folder is that of no server.
        self.assertIn(f"--data-dir {folder} is no data directory",
                      result.stderr)
        self.assertEqual(result.returncode, 2)

    def test_the_pod_that_restores_has_the_volume_and_user_of_the_server(self):
        with open(os.path.join(rendered.FOLDER, rendered.LIVE, "restore.yaml"),
                  encoding="utf-8") as file:
            pod = yaml.safe_load(file)
        (container,) = pod["spec"]["containers"]
        self.assertIn(pod["spec"]["volumes"][0], self.it.pod["volumes"])
        self.assertEqual(container["volumeMounts"],
                         [{"name": "data", "mountPath": "/data"}])
        self.assertEqual(pod["spec"]["securityContext"],
                         self.it.pod["securityContext"])
        self.assertEqual(container["securityContext"],
                         self.it.server["securityContext"])
        self.assertEqual(container["image"], self.it.server["image"])
        self.assertEqual(pod["metadata"]["namespace"],
                         self.it.one("Deployment")["metadata"]["namespace"])
        # No service leads to it.
        for service in self.it.all("Service"):
            self.assertFalse(service["spec"]["selector"].items()
                             <= pod["metadata"]["labels"].items())

    def test_the_first_start_copies_the_bundle_and_later_ones_keep_theirs(self):
        (copier,) = self.it.pod["initContainers"]
        shell, flag, script = copier["command"]
        with tempfile.TemporaryDirectory() as folder:
            bundle = os.path.join(folder, "bundle")
            data = os.path.join(folder, "data")
            os.mkdir(bundle)
            os.mkdir(data)
            manifest = os.path.join(bundle, "MANIFEST.json")
            script = script.replace("/bundle/.", bundle + "/.")
            script = script.replace("cd /data", "cd " + data)
            current = os.path.join(data, "models", "current")
            for text, linked in (("{}", "first"), ("{new}", "night")):
                with open(manifest, "w", encoding="utf-8") as file:
                    file.write(text)
                if linked != "first":
                    os.symlink(linked, current + ".next")
                    os.mkdir(os.path.join(data, "models", linked))
                    os.rename(current + ".next", current)
                subprocess.run([shell, flag, script], check=True)
                self.assertEqual(os.readlink(current), linked)
            with open(os.path.join(data, "models/first/MANIFEST.json"),
                      encoding="utf-8") as file:
                self.assertEqual(file.read(), "{}")


if __name__ == "__main__":
    rendered.require_kubectl()
    unittest.main()
