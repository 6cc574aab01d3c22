"""What each overlay promises: pods that may do nothing, a network that lets
nobody in, TLS, replicas, a GPU.

Needs kubectl and PyYAML; exits 77 without them.
"""

import os
import re
import unittest

import private_python

private_python.require("yaml")

import yaml  # noqa: E402

import rendered  # noqa: E402

SECRET_KEYS = {"tls.crt", "tls.key", "ca.crt"}
# Of the pod security standard "restricted".
ALLOWED_VOLUMES = {"configMap", "emptyDir", "secret", "persistentVolumeClaim"}
WITH_TLS = ("overlays/tls", "overlays/production")
HIGHLY_AVAILABLE = ("overlays/ha", "overlays/production")


def text(*path):
    with open(os.path.join(rendered.ROOT, *path), encoding="utf-8") as file:
        return file.read()


class RestrictedPodsTest(unittest.TestCase):

    @rendered.each_overlay
    def test_the_namespace_refuses_other_pods(self, it):
        (namespace,) = it.all("Namespace")
        self.assertEqual(namespace["metadata"]["labels"]
                         ["pod-security.kubernetes.io/enforce"], "restricted")

    @rendered.each_overlay
    def test_no_pod_runs_as_root(self, it):
        context = it.pod["securityContext"]
        self.assertIs(context["runAsNonRoot"], True)
        self.assertEqual(context["seccompProfile"], {"type": "RuntimeDefault"})
        for dockerfile in ("Dockerfile",
                           "deploy/kubernetes/bundle.Dockerfile"):
            user = re.search(r"^USER (\d+):(\d+)$", text(dockerfile), re.M)
            self.assertEqual([str(context["runAsUser"]),
                              str(context["runAsGroup"])], list(user.groups()))
            self.assertNotEqual(user[1], "0")

    @rendered.each_overlay
    def test_containers_may_do_nothing(self, it):
        for container in it.containers:
            self.assertEqual(container["securityContext"], {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]}})
            for port in container.get("ports", []):
                self.assertNotIn("hostPort", port)

    @rendered.each_overlay
    def test_nothing_of_the_node_and_of_the_api_is_in_the_pod(self, it):
        for field in ("hostNetwork", "hostPID", "hostIPC"):
            self.assertNotIn(field, it.pod)
        for volume in it.pod["volumes"]:
            self.assertLessEqual(set(volume) - {"name"}, ALLOWED_VOLUMES)
        self.assertIs(it.pod["automountServiceAccountToken"], False)
        self.assertEqual(it.all("Role") + it.all("RoleBinding"), [])

    @rendered.each_overlay
    def test_memory_and_disk_are_bounded(self, it):
        for container in it.containers:
            self.assertLessEqual({"memory", "ephemeral-storage"},
                                 set(container["resources"]["limits"]))


class MemoryTest(unittest.TestCase):

    @rendered.each_overlay
    def test_the_alert_minds_the_limit_of_the_pod(self, it):
        gibibytes = re.search(r"process_resident_memory_bytes\{[^}]*\} > "
                              r"0\.9 \* (\d+) \* 2\^30",
                              text("deploy/prometheus/alerts.yml"))[1]
        self.assertEqual(it.server["resources"]["limits"]["memory"],
                         gibibytes + "Gi")


class NetworkTest(unittest.TestCase):

    @rendered.each_overlay
    def test_everything_is_denied_by_default(self, it):
        self.assertEqual(it.one("NetworkPolicy", "default-deny")["spec"],
                         {"podSelector": {},
                          "policyTypes": ["Ingress", "Egress"]})

    @rendered.each_overlay
    def test_no_pod_reaches_anything(self, it):
        for policy in it.server_policies:
            self.assertNotIn("egress", policy["spec"])

    @rendered.each_overlay
    def test_callers_are_named_by_labels(self, it):
        rules = it.one("NetworkPolicy")["spec"]["ingress"]
        for rule in rules:
            self.assertTrue(rule["ports"])
            self.assertTrue(rule["from"])
            for peer in rule["from"]:
                self.assertTrue(peer["podSelector"]["matchLabels"])

    @rendered.each_overlay
    def test_plaintext_is_for_overlays_without_tls(self, it):
        self.assertEqual(it.config.get("allow-plaintext", False),
                         it.overlay not in WITH_TLS)


class TlsTest(unittest.TestCase):

    def setUp(self):
        self.overlays = [rendered.rendered(overlay) for overlay in WITH_TLS]

    def test_clients_must_show_a_certificate(self):
        for it in self.overlays:
            self.assertEqual(it.config["tls-client-auth"], "require")

    def test_the_files_are_those_of_the_secret(self):
        for it in self.overlays:
            paths = [it.config["tls-" + name] for name in
                     ("cert", "key", "client-ca")]
            paths += [part.partition("=")[2]
                      for probe in ("startupProbe", "readinessProbe",
                                    "livenessProbe")
                      for part in it.server[probe]["exec"]["command"]
                      if re.match("--(cacert|cert|key)=", part)]
            self.assertEqual(len(paths), 12)
            for path in paths:
                _, volume = it.mount_of(path)
                self.assertEqual(
                    volume["secret"]["secretName"],
                    it.one("Certificate", "slice-server")["spec"]["secretName"])
                self.assertIn(os.path.basename(path), SECRET_KEYS)

    def test_the_server_alone_can_read_the_key(self):
        for it in self.overlays:
            _, volume = it.mount_of(it.config["tls-key"])
            mode = volume["secret"]["defaultMode"]
            self.assertEqual(mode & 0o007, 0)
            self.assertEqual(mode & 0o040, 0o040)
            self.assertEqual(it.pod["securityContext"]["fsGroup"],
                             it.pod["securityContext"]["runAsGroup"])

    def test_the_certificate_has_every_name_of_the_services(self):
        for it in self.overlays:
            names = it.one("Certificate", "slice-server")["spec"]["dnsNames"]
            self.assertIn("localhost", names)
            for service in it.all("Service"):
                if service["spec"]["ports"][0]["name"] != "grpc":
                    continue
                name = service["metadata"]["name"]
                space = service["metadata"]["namespace"]
                for suffix in ("", f".{space}", f".{space}.svc",
                               f".{space}.svc.cluster.local"):
                    self.assertIn(name + suffix, names)

    def test_each_identity_has_a_certificate(self):
        for it in self.overlays:
            identities = it.config["known"]
            self.assertGreater(len(identities), 1)
            names = [name for c in it.all("Certificate")
                     if not c["spec"].get("isCA")
                     for name in c["spec"].get("dnsNames", []) +
                     c["spec"].get("uris", [])]
            for identity in identities:
                self.assertIn(identity.get("dns-name") or identity["uri"],
                              names)

    def test_without_an_identity_nobody_does_anything(self):
        for it in self.overlays:
            self.assertIn(it.config["anonymous-roles"], ("auto", "none"))

    def test_the_service_says_that_there_is_tls(self):
        for it in self.overlays:
            (port,) = it.one("Service")["spec"]["ports"]
            self.assertEqual(port["appProtocol"], "https")


class HighAvailabilityTest(unittest.TestCase):

    def setUp(self):
        self.overlays = [rendered.rendered(overlay)
                         for overlay in HIGHLY_AVAILABLE]

    def test_there_are_three_replicas_or_more(self):
        for it in self.overlays:
            spec = it.one("HorizontalPodAutoscaler")["spec"]
            self.assertGreaterEqual(spec["minReplicas"], 3)
            self.assertGreater(spec["maxReplicas"], spec["minReplicas"])
            deployment = it.one("Deployment")
            self.assertEqual(spec["scaleTargetRef"], {
                "apiVersion": deployment["apiVersion"],
                "kind": deployment["kind"],
                "name": deployment["metadata"]["name"]})
            # Otherwise each `kubectl apply` would undo the autoscaler's work.
            self.assertNotIn("replicas", deployment["spec"])

    def test_nodes_and_zones_share_the_pods(self):
        for it in self.overlays:
            spread = {s["topologyKey"]: s["whenUnsatisfiable"]
                      for s in it.pod["topologySpreadConstraints"]}
            self.assertEqual(spread, {
                "kubernetes.io/hostname": "DoNotSchedule",
                "topology.kubernetes.io/zone": "ScheduleAnyway"})

    def test_a_rollout_takes_no_replica_away(self):
        for it in self.overlays:
            self.assertEqual(it.one("Deployment")["spec"]["strategy"]
                             ["rollingUpdate"]["maxUnavailable"], 0)

    def test_the_adapter_gives_the_metric_that_the_autoscaler_asks_for(self):
        rules = yaml.safe_load(text(
            "deploy/kubernetes/autoscaling/adapter-rule.yaml"))
        names = [rule["name"]["as"] for rule in rules["rules"]["custom"]]
        for it in self.overlays:
            (metric,) = it.one("HorizontalPodAutoscaler")["spec"]["metrics"]
            self.assertEqual([metric["pods"]["metric"]["name"]], names)

    def test_production_patches_as_ha_does(self):
        folder = "deploy/kubernetes/overlays"
        self.assertEqual(text(folder, "ha/deployment-patch.yaml"),
                         text(folder, "production/deployment-patch.yaml"))


class GpuTest(unittest.TestCase):

    def setUp(self):
        self.it = rendered.rendered("overlays/gpu")

    def test_each_pod_has_one_gpu(self):
        self.assertEqual(
            self.it.server["resources"]["limits"]["nvidia.com/gpu"], 1)
        self.assertIn({"key": "nvidia.com/gpu", "operator": "Exists",
                       "effect": "NoSchedule"}, self.it.pod["tolerations"])

    def test_the_server_uses_it(self):
        self.assertEqual(self.it.config["device"], "cuda")
        self.assertRegex(self.it.server["image"], "^slice-cuda:")
        self.assertIn({"name": "NVIDIA_DRIVER_CAPABILITIES",
                       "value": "compute,utility"}, self.it.server["env"])

    def test_a_lost_device_ends_the_pod(self):
        self.assertEqual(self.it.config["on-device-loss"], "exit")
        self.assertIn("livenessProbe", self.it.server)
        self.assertNotIn("restartPolicy", self.it.pod)  # Always

    def test_a_rollout_needs_no_spare_gpu(self):
        self.assertEqual(
            self.it.one("Deployment")["spec"]["strategy"]["rollingUpdate"],
            {"maxSurge": 0, "maxUnavailable": 1})

    def test_the_rest_of_the_configuration_is_that_of_base(self):
        config = dict(self.it.config)
        for name in ("device", "on-device-loss"):
            del config[name]
        self.assertEqual(config, rendered.rendered(".").config)


if __name__ == "__main__":
    rendered.require_kubectl()
    unittest.main()
