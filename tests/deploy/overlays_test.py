"""What each overlay promises: pods that may do nothing, a network that lets
nobody in, TLS, replicas, a GPU, a change feed.

Needs kubectl and PyYAML; exits 77 without them.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import private_python

private_python.require("yaml")

import yaml  # noqa: E402

import envoy_process  # noqa: E402
import rendered  # noqa: E402

sys.path.insert(0, os.path.join(rendered.ROOT, "tests", "integration"))

import nats_server  # noqa: E402

SECRET_KEYS = {"tls.crt", "tls.key", "ca.crt"}
# Of the pod security standard "restricted".
ALLOWED_VOLUMES = {"configMap", "emptyDir", "secret", "persistentVolumeClaim"}
WITH_TLS = ("overlays/tls", "overlays/production")
WITH_FEED = "overlays/replicas"
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
            if it.overlay != WITH_FEED:
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


class ReplicasTest(unittest.TestCase):

    def setUp(self):
        self.it = rendered.rendered(WITH_FEED)
        self.nats = self.it.one("StatefulSet", "nats")
        self.envoy = self.it.one("Deployment", "envoy")

    def config(self, name, file):
        (found,) = [o for o in self.it.all("ConfigMap")
                    if o["metadata"]["name"].startswith(name)]
        return found["data"][file]

    def pods(self):
        return [o["spec"]["template"] for o in (self.nats, self.envoy)]

    def test_there_are_three_servers_and_three_nodes(self):
        self.assertEqual(self.it.one("Deployment")["spec"]["replicas"], 3)
        self.assertEqual(self.nats["spec"]["replicas"], 3)

    def test_the_feed_names_every_node(self):
        service = self.it.one("Service", self.nats["spec"]["serviceName"])
        self.assertTrue(service["spec"]["publishNotReadyAddresses"])
        self.assertEqual(service["spec"]["clusterIP"], "None")
        ports = {port["name"]: port["port"]
                 for port in service["spec"]["ports"]}
        nodes = [f"nats-{i}.nats" for i in range(3)]
        servers = ",".join(f"{node}:{ports['client']}" for node in nodes)
        self.assertEqual(self.it.config["feed"],
                         f"nats://{servers}/SLICE?replicas=3")
        self.assertIs(self.it.config["accept-updates"], True)
        config = self.config("nats-config", "nats.conf")
        for node in nodes:
            self.assertIn(f"nats://{node}:{ports['cluster']}\n", config)

    def test_each_node_keeps_its_copy_on_a_volume(self):
        (claim,) = self.nats["spec"]["volumeClaimTemplates"]
        (container,) = self.nats["spec"]["template"]["spec"]["containers"]
        mounts = {m["name"]: m["mountPath"] for m in container["volumeMounts"]}
        store = re.search(r"store_dir: (\S+)",
                          self.config("nats-config", "nats.conf"))[1]
        self.assertEqual(mounts[claim["metadata"]["name"]], store)

    def test_the_pods_beside_slice_may_do_nothing_either(self):
        server = self.it.server["securityContext"]
        for template in self.pods():
            pod = template["spec"]
            self.assertIs(pod["securityContext"]["runAsNonRoot"], True)
            self.assertIs(pod["automountServiceAccountToken"], False)
            for container in pod["containers"]:
                self.assertEqual(container["securityContext"], server)
                self.assertIn("memory", container["resources"]["limits"])
                self.assertNotIn("latest", container["image"])
                self.assertRegex(container["image"], r":.*\d")

    def test_each_pod_reaches_only_what_it_needs(self):
        reached = {}
        for policy in self.it.all("NetworkPolicy"):
            for rule in policy["spec"].get("egress", []):
                (peer,) = rule["to"]
                labels = peer["podSelector"]["matchLabels"]
                if labels == {"k8s-app": "kube-dns"}:
                    self.assertEqual({p["port"] for p in rule["ports"]}, {53})
                    continue
                (port,) = rule["ports"]
                reached[policy["metadata"]["name"]] = (
                    labels["app.kubernetes.io/name"], port["port"])
        self.assertEqual(reached, {"slice-feed": ("nats", "client"),
                                   "nats": ("nats", "cluster"),
                                   "envoy": ("slice", "grpc")})

    def test_envoy_may_call_the_servers_and_asks_how_they_are(self):
        labels = self.envoy["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(labels["slice-client"], "true")
        config = yaml.safe_load(self.config("envoy-config",
                                            "envoy-config.yaml"))
        (cluster,) = config["static_resources"]["clusters"]
        (locality,) = cluster["load_assignment"]["endpoints"]
        (endpoint,) = locality["lb_endpoints"]
        address = endpoint["endpoint"]["address"]["socket_address"]
        service = self.it.one("Service", address["address"])
        self.assertIn(address["port_value"],
                      [port["port"] for port in service["spec"]["ports"]])
        (check,) = cluster["health_checks"]
        self.assertEqual(
            check["grpc_health_check"]["service_name"],
            self.it.server["readinessProbe"]["grpc"]["service"])

    def envoy_config(self):
        return yaml.safe_load(self.config("envoy-config",
                                          "envoy-config.yaml"))

    def test_envoy_minds_ill_servers_as_the_one_for_callers_outside_does(self):
        (own,) = self.envoy_config()["static_resources"]["clusters"]
        (other,) = yaml.safe_load(text("deploy/envoy/envoy.yaml"))[
            "static_resources"]["clusters"]
        for name in ("outlier_detection", "circuit_breakers",
                     "common_lb_config", "lb_policy", "connect_timeout",
                     "typed_extension_protocol_options"):
            self.assertEqual(own[name], other[name], name)

    def test_an_envoy_ends_when_its_clients_have_another_connection(self):
        (listener,) = self.envoy_config()["static_resources"]["listeners"]
        (chain,) = listener["filter_chains"]
        front = chain["filters"][0]["typed_config"]
        question = front["route_config"]["virtual_hosts"][0]["routes"][-1]
        pod = self.envoy["spec"]["template"]["spec"]
        waits = pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"]
        self.assertGreaterEqual(waits, sum(map(rendered.seconds, (
            front["common_http_protocol_options"]["max_connection_duration"],
            front["drain_timeout"], question["route"]["timeout"]))))
        self.assertGreater(pod["terminationGracePeriodSeconds"], waits)

    def test_two_of_three_nodes_stay_when_pods_are_evicted(self):
        budget = self.it.one("PodDisruptionBudget", "nats")["spec"]
        self.assertEqual(budget["maxUnavailable"], 1)
        self.assertTrue(rendered.covers(
            budget["selector"],
            self.nats["spec"]["template"]["metadata"]["labels"]))

    @unittest.skipUnless(envoy_process.find_envoy(), "Envoy is not installed")
    def test_envoy_takes_its_configuration(self):
        self.check("envoy-config", "envoy-config.yaml", lambda path: [
            envoy_process.find_envoy(), "--mode", "validate", "-c", path])

    @unittest.skipUnless(nats_server.find(), "nats-server is not installed")
    def test_nats_takes_its_configuration(self):
        self.check("nats-config", "nats.conf", lambda path: [
            nats_server.find(), "-t", "-c", path])

    def check(self, name, file, command):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, file)
            with open(path, "w", encoding="utf-8") as out:
                out.write(self.config(name, file))
            result = subprocess.run(
                command(path), text=True, capture_output=True, check=False,
                env={**os.environ, "POD_NAME": "nats-0"})
            self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    rendered.require_kubectl()
    unittest.main()
