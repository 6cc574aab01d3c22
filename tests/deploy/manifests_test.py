"""Every overlay renders, and its objects fit their schemas and each other.

Needs kubectl, kubernetes-validate and PyYAML; exits 77 without them.
"""

import os
import re
import unittest

import private_python

private_python.require("yaml", "kubernetes_validate")

import kubernetes_validate  # noqa: E402
import yaml  # noqa: E402

import rendered  # noqa: E402

# Kinds of others, whose schemas kubernetes-validate does not have. What slice
# relies on in them is checked in custom_resources_test.py.
CUSTOM = {
    "cert-manager.io/v1": ("Issuer", "Certificate"),
    "monitoring.coreos.com/v1": ("ServiceMonitor", "PrometheusRule"),
}
CLUSTER_WIDE = ("Namespace",)
# Files that no kustomization names, and why.
NOT_RESOURCES = {
    "bundle.Dockerfile": "builds the image of a bundle",
    "autoscaling/adapter-rule.yaml": "values of another Helm chart",
    "overlays/live/restore.yaml": "a pod that is applied by hand",
}


def is_custom(thing):
    return thing["kind"] in CUSTOM.get(thing["apiVersion"], ())


class SchemaTest(unittest.TestCase):

    def test_core_objects_fit_their_schemas(self):
        version = kubernetes_validate.latest_version()
        for overlay in (*rendered.OVERLAYS, rendered.MONITORING):
            objects = rendered.rendered(overlay).objects
            self.assertGreater(len(objects), 1)
            for thing in filter(lambda o: not is_custom(o), objects):
                with self.subTest(overlay=overlay, kind=thing["kind"],
                                  name=thing["metadata"]["name"]):
                    kubernetes_validate.validate(thing, version, strict=True)

    def test_a_pod_that_is_applied_by_hand_fits_too(self):
        with open(os.path.join(rendered.FOLDER, rendered.LIVE, "restore.yaml"),
                  encoding="utf-8") as file:
            pod = yaml.safe_load(file)
        kubernetes_validate.validate(
            pod, kubernetes_validate.latest_version(), strict=True)

    def test_schemas_refuse_what_does_not_exist(self):
        thing = yaml.safe_load(yaml.safe_dump(
            rendered.rendered(".").one("Deployment")))
        thing["spec"]["template"]["spec"]["containers"][0]["port"] = []
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(
                thing, kubernetes_validate.latest_version(), strict=True)

    def test_no_object_is_there_twice(self):
        for overlay in rendered.OVERLAYS:
            names = [(o["kind"], o["metadata"]["name"])
                     for o in rendered.rendered(overlay).objects]
            self.assertEqual(len(names), len(set(names)), overlay)


class FilesTest(unittest.TestCase):

    def test_every_file_is_named_by_a_kustomization(self):
        named, present = set(NOT_RESOURCES), set()
        for at, _, names in os.walk(rendered.FOLDER):
            folder = os.path.relpath(at, rendered.FOLDER)
            present |= {os.path.normpath(os.path.join(folder, name))
                        for name in names if name != "kustomization.yaml"}
            if "kustomization.yaml" not in names:
                continue
            with open(os.path.join(at, "kustomization.yaml"),
                      encoding="utf-8") as file:
                content = yaml.safe_load(file)
            files = content.get("resources", []) + [
                patch["path"] for patch in content.get("patchesJson6902", [])
            ] + [name for made in content.get("configMapGenerator", [])
                 for name in made["files"]]
            named |= {os.path.normpath(os.path.join(folder, name))
                      for name in files}
        self.assertEqual(named, present)

    def test_every_overlay_is_tested(self):
        folder = os.path.join(rendered.FOLDER, "overlays")
        self.assertEqual({f"overlays/{name}" for name in os.listdir(folder)},
                         set(rendered.OVERLAYS) - {"."})


class ReferencesTest(unittest.TestCase):

    @rendered.each_overlay
    def test_everything_is_in_the_namespace(self, it):
        namespace = it.all("Namespace")
        self.assertEqual(len(namespace), 1)
        for thing in it.objects:
            if thing["kind"] not in CLUSTER_WIDE:
                self.assertEqual(thing["metadata"]["namespace"],
                                 namespace[0]["metadata"]["name"])

    @rendered.each_overlay
    def test_selectors_find_the_pods(self, it):
        labels = it.template["metadata"]["labels"]
        self.assertTrue(rendered.covers(
            it.one("Deployment")["spec"]["selector"], labels))
        self.assertTrue(rendered.covers(
            it.one("PodDisruptionBudget")["spec"]["selector"], labels))
        services = it.own("Service")
        self.assertEqual(len(services), 3)
        for service in services:
            self.assertTrue(service["spec"]["selector"])
            self.assertLessEqual(service["spec"]["selector"].items(),
                                 labels.items())
        for policy in it.server_policies:
            self.assertTrue(rendered.covers(policy["spec"]["podSelector"],
                                            labels))
        for spread in it.pod["topologySpreadConstraints"]:
            self.assertTrue(rendered.covers(spread["labelSelector"], labels))

    @rendered.each_overlay
    def test_the_service_account_exists(self, it):
        it.one("ServiceAccount", it.pod["serviceAccountName"])

    @rendered.each_overlay
    def test_mounts_have_volumes_and_volumes_are_mounted(self, it):
        volumes = [v["name"] for v in it.pod["volumes"]]
        mounts = [m["name"] for c in it.containers
                  for m in c["volumeMounts"]]
        self.assertEqual(set(volumes), set(mounts))
        self.assertEqual(len(volumes), len(set(volumes)))

    @rendered.each_overlay
    def test_volumes_exist(self, it):
        made = [c["spec"]["secretName"] for c in it.all("Certificate")]
        for volume in it.pod["volumes"]:
            if "configMap" in volume:
                it.one("ConfigMap", volume["configMap"]["name"])
            elif "secret" in volume:
                self.assertIn(volume["secret"]["secretName"], made)
            elif "persistentVolumeClaim" in volume:
                it.one("PersistentVolumeClaim",
                       volume["persistentVolumeClaim"]["claimName"])
            else:
                self.assertIn("sizeLimit", volume["emptyDir"])

    @rendered.each_overlay
    def test_what_the_configuration_names_is_mounted(self, it):
        config = it.config
        for path, writable in (
                (config["bundle"], False), (config["data-dir"], True),
                (os.path.dirname(config["admin-listen"].partition(":")[2]),
                 True)):
            mount, _ = it.mount_of(path)
            self.assertEqual(mount.get("readOnly", False), not writable, path)

    @rendered.each_overlay
    def test_the_bundle_is_copied_to_where_the_server_reads_it(self, it):
        _, volume = it.mount_of(it.config["bundle"])
        (copier,) = it.pod["initContainers"]
        (mount,) = copier["volumeMounts"]
        self.assertEqual(mount["name"], volume["name"])
        if it.overlay == rendered.LIVE:  # live_overlay_test.py
            return
        self.assertEqual(copier["command"][:2], ["cp", "-R"])
        source, target = copier["command"][2:]
        self.assertEqual(target, mount["mountPath"] + "/")
        with open(os.path.join(rendered.FOLDER, "bundle.Dockerfile"),
                  encoding="utf-8") as file:
            self.assertIn(f". {os.path.dirname(source)}\n", file.read())


class PortsTest(unittest.TestCase):

    @rendered.each_overlay
    def test_ports_of_configuration_container_services_and_probes_agree(self, it):
        ports = {p["name"]: p["containerPort"] for p in it.server["ports"]}
        self.assertEqual(it.config["listen"], f"0.0.0.0:{ports['grpc']}")
        self.assertEqual(it.config["metrics-listen"],
                         f"0.0.0.0:{ports['metrics']}")
        for service in it.own("Service"):
            for port in service["spec"]["ports"]:
                self.assertEqual(port["port"], ports[port["targetPort"]])
        for name in ("startupProbe", "readinessProbe", "livenessProbe"):
            probe = it.server[name]
            if "grpc" in probe:
                self.assertEqual(probe["grpc"]["port"], ports["grpc"])
            else:
                self.assertIn(f"--server=localhost:{ports['grpc']}",
                              probe["exec"]["command"])

    @rendered.each_overlay
    def test_a_rollout_waits_as_long_as_a_start_may_take(self, it):
        # The other probes pass before the server has loaded.
        start = 15 * 60  # TimeoutStartSec of slice-server.service
        self.assertGreater(
            it.one("Deployment")["spec"]["progressDeadlineSeconds"], start)

    @rendered.each_overlay
    def test_the_network_policy_opens_the_ports_of_the_container(self, it):
        names = {port["name"] for port in it.server["ports"]}
        opened = [port["port"]
                  for policy in it.own("NetworkPolicy")
                  for rule in policy["spec"].get("ingress", [])
                  for port in rule["ports"]]
        self.assertEqual(sorted(opened), sorted(names))

    @rendered.each_overlay
    def test_readiness_asks_for_a_service_of_the_wire_contract(self, it):
        probe = it.server["readinessProbe"]
        service = probe["grpc"]["service"] if "grpc" in probe \
            else probe["exec"]["command"][-1]
        with open(os.path.join(rendered.ROOT,
                               "proto/slice/v1/link_prediction.proto"),
                  encoding="utf-8") as file:
            text = file.read()
        package = re.search(r"^package ([\w.]+);", text, re.M)[1]
        name = re.search(r"^service (\w+)", text, re.M)[1]
        self.assertEqual(service, f"{package}.{name}")


class StopTest(unittest.TestCase):

    @rendered.each_overlay
    def test_the_pod_has_time_to_stop(self, it):
        config = it.config
        self.assertGreater(
            it.pod["terminationGracePeriodSeconds"],
            rendered.seconds(config["lame-duck"]) +
            rendered.seconds(config["drain-timeout"]))

    @rendered.each_overlay
    def test_a_stopping_pod_answers_until_the_probe_has_noticed(self, it):
        probe = it.server["readinessProbe"]
        self.assertGreaterEqual(
            rendered.seconds(it.config["lame-duck"]),
            probe["periodSeconds"] * probe["failureThreshold"])

    @rendered.each_overlay
    def test_some_but_not_all_pods_may_be_evicted(self, it):
        if it.overlay == rendered.LIVE:  # one pod alone writes the graph
            return
        budget = it.one("PodDisruptionBudget")["spec"]
        scalers = it.all("HorizontalPodAutoscaler")
        replicas = (scalers[0]["spec"]["minReplicas"] if scalers else
                    it.one("Deployment")["spec"]["replicas"])
        self.assertGreaterEqual(budget["maxUnavailable"], 1)
        self.assertLess(budget["maxUnavailable"], replicas)


if __name__ == "__main__":
    rendered.require_kubectl()
    unittest.main()
