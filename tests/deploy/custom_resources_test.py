"""What slice relies on in the resources of cert-manager and of the Prometheus
operator, which have no schema here.

Needs kubectl and PyYAML; exits 77 without them.
"""

import os
import re
import subprocess
import unittest

import private_python

private_python.require("yaml")

import yaml  # noqa: E402

import rendered  # noqa: E402

# The keys of a secret that cert-manager writes.
SECRET_KEYS = {"tls.crt", "tls.key", "ca.crt"}
CERTIFICATE_FIELDS = {
    "secretName", "duration", "renewBefore", "privateKey", "usages", "dnsNames",
    "uris", "issuerRef", "isCA", "commonName"}
RULE_FIELDS = {"record", "alert", "expr", "for", "labels", "annotations"}
WITH_CERTIFICATES = ("overlays/tls", "overlays/production")
WITH_MONITORING = (rendered.MONITORING, "overlays/production")


class CertificatesTest(unittest.TestCase):

    def certificates(self):
        for overlay in WITH_CERTIFICATES:
            it = rendered.rendered(overlay)
            found = it.all("Certificate")
            self.assertGreater(len(found), 1)
            for certificate in found:
                yield it, certificate["spec"]

    def test_fields_are_known(self):
        for _, spec in self.certificates():
            self.assertLessEqual(set(spec), CERTIFICATE_FIELDS)

    def test_issuers_exist(self):
        for it, spec in self.certificates():
            reference = spec["issuerRef"]
            self.assertEqual(reference["kind"], "Issuer")
            it.one("Issuer", reference["name"])

    def test_the_authority_signs_with_a_certificate_of_an_authority(self):
        for overlay in WITH_CERTIFICATES:
            it = rendered.rendered(overlay)
            signers = [c["spec"]["secretName"] for c in it.all("Certificate")
                       if c["spec"].get("isCA")]
            used = [i["spec"]["ca"]["secretName"] for i in it.all("Issuer")
                    if "ca" in i["spec"]]
            self.assertEqual(used, signers)

    def test_certificates_name_somebody_and_are_renewed_in_time(self):
        for _, spec in self.certificates():
            if not spec.get("isCA"):
                self.assertTrue(spec.get("dnsNames", []) + spec.get("uris", []))
                self.assertNotIn("commonName", spec)
            self.assertLess(rendered.seconds(spec["renewBefore"]),
                            rendered.seconds(spec["duration"]))

    def test_renewal_comes_before_the_alert(self):
        with open(os.path.join(rendered.ROOT, "deploy/prometheus/alerts.yml"),
                  encoding="utf-8") as file:
            found = re.findall(r"slice_tls_(certificate|client_ca)_expiry_"
                               r"timestamp_seconds - time\(\) < (\d+) \* 86400",
                               file.read())
        self.assertEqual([kind for kind, _ in found],
                         ["certificate", "certificate", "client_ca", "client_ca"])
        for _, spec in self.certificates():
            of = "client_ca" if spec.get("isCA") else "certificate"
            days = max(int(number) for kind, number in found if kind == of)
            self.assertGreater(rendered.seconds(spec["renewBefore"]),
                               days * 86400)

    def test_secrets_are_written_once(self):
        for overlay in WITH_CERTIFICATES:
            names = [c["spec"]["secretName"] for c in
                     rendered.rendered(overlay).all("Certificate")]
            self.assertEqual(len(names), len(set(names)))


class ServiceMonitorTest(unittest.TestCase):

    def test_it_selects_the_service_of_the_metrics(self):
        services = rendered.rendered(".").all("Service")
        for overlay in WITH_MONITORING:
            spec = rendered.rendered(overlay).one("ServiceMonitor")["spec"]
            found = [s for s in services if rendered.covers(
                spec["selector"], s["metadata"]["labels"])]
            self.assertEqual([s["metadata"]["name"] for s in found],
                             ["slice-metrics"])
            (endpoint,) = spec["endpoints"]
            self.assertIn(endpoint["port"],
                          [p["name"] for p in found[0]["spec"]["ports"]])
            self.assertTrue(
                found[0]["spec"]["publishNotReadyAddresses"])

    def test_the_job_is_the_one_of_the_alerts(self):
        for overlay in WITH_MONITORING:
            spec = rendered.rendered(overlay).one("ServiceMonitor")["spec"]
            service = rendered.rendered(".").one("Service", "slice-metrics")
            self.assertRegex(service["metadata"]["labels"][spec["jobLabel"]],
                             "^slice.*")

    def test_prometheus_shows_its_certificate_where_there_is_tls(self):
        it = rendered.rendered("overlays/production")
        (endpoint,) = it.one("ServiceMonitor")["spec"]["endpoints"]
        self.assertEqual(endpoint["scheme"], "https")
        tls = endpoint["tlsConfig"]
        secret = it.one("Certificate", "slice-prometheus")["spec"]["secretName"]
        for reference in (tls["ca"]["secret"], tls["cert"]["secret"],
                          tls["keySecret"]):
            self.assertEqual(reference["name"], secret)
            self.assertIn(reference["key"], SECRET_KEYS)
        self.assertIn(tls["serverName"],
                      it.one("Certificate", "slice-server")["spec"]["dnsNames"])

    def test_without_tls_nothing_is_shown(self):
        (endpoint,) = rendered.rendered(rendered.MONITORING).one(
            "ServiceMonitor")["spec"]["endpoints"]
        self.assertEqual(endpoint.get("scheme", "http"), "http")


class PrometheusRuleTest(unittest.TestCase):

    def test_it_holds_the_rules_of_deploy_prometheus(self):
        groups = []
        for name in ("slo.yml", "alerts.yml"):
            with open(os.path.join(rendered.ROOT, "deploy/prometheus", name),
                      encoding="utf-8") as file:
                groups += yaml.safe_load(file)["groups"]
        for overlay in WITH_MONITORING:
            spec = rendered.rendered(overlay).one("PrometheusRule")["spec"]
            self.assertEqual(spec, {"groups": groups})

    def test_the_script_makes_the_file(self):
        result = subprocess.run(
            [os.path.join(rendered.ROOT, "scripts", "prometheus-rule"),
             "--print"], text=True, capture_output=True, check=True)
        with open(os.path.join(rendered.FOLDER, "monitoring",
                               "prometheus-rule.yaml"),
                  encoding="utf-8") as file:
            self.assertEqual(file.read(), result.stdout,
                             "run scripts/prometheus-rule")

    def test_fields_are_known(self):
        spec = rendered.rendered(rendered.MONITORING).one(
            "PrometheusRule")["spec"]
        for group in spec["groups"]:
            self.assertLessEqual(set(group), {"name", "interval", "rules"})
            for rule in group["rules"]:
                self.assertLessEqual(set(rule), RULE_FIELDS)


if __name__ == "__main__":
    rendered.require_kubectl()
    unittest.main()
