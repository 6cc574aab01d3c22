"""Servers that are ill: they say SERVING, and answer each call with UNAVAILABLE
after a while. They are an Envoy of their own before good servers: it lets health
checks through.

Tests import this.
"""

import json

import envoy_process

DELAY = "0.5s"
TYPES = "type.googleapis.com/envoy."
HTTP = TYPES + "extensions.filters.http."


def _tls(kind, certificate, **more):
    return {"name": "envoy.transport_sockets.tls", "typed_config": {
        "@type": TYPES + f"extensions.transport_sockets.tls.v3.{kind}",
        "common_tls_context": {"alpn_protocols": ["h2"], "tls_certificates": [{
            "certificate_chain": {"filename": certificate[0]},
            "private_key": {"filename": certificate[1]}}], **more}}}


def _listener(name, behind, certificate):
    def filter_of(kind, message, **more):
        return {"name": f"envoy.filters.http.{kind}",
                "typed_config": {"@type": HTTP + message, **more}}

    fault = filter_of(
        "fault", "fault.v3.HTTPFault",
        headers=[{"name": ":path", "string_match": {"prefix": "/slice"}}],
        delay={"fixed_delay": DELAY, "percentage": {"numerator": 100}},
        abort={"grpc_status": 14, "percentage": {"numerator": 100}})
    manager = {
        "@type": TYPES + "extensions.filters.network.http_connection_manager."
                 "v3.HttpConnectionManager",
        "stat_prefix": name,
        "http_filters": [fault, filter_of("router", "router.v3.Router")],
        "route_config": {"virtual_hosts": [{
            "name": name, "domains": ["*"], "routes": [
                {"match": {"prefix": "/"}, "route": {"cluster": behind}}]}]}}
    return {"name": name,
            "address": {"socket_address": {"address": "127.0.0.1",
                                           "port_value": 0}},
            "filter_chains": [{
                "transport_socket": _tls("DownstreamTlsContext", certificate),
                "filters": [{
                    "name": "envoy.filters.network.http_connection_manager",
                    "typed_config": manager}]}]}


def _cluster(name, address, own, authority):
    host, port = address.rsplit(":", 1)
    endpoint = {"address": {"socket_address": {"address": host,
                                               "port_value": int(port)}}}
    return {"name": name, "connect_timeout": "5s",
            "load_assignment": {"cluster_name": name, "endpoints": [
                {"lb_endpoints": [{"endpoint": endpoint}]}]},
            "typed_extension_protocol_options": {
                "envoy.extensions.upstreams.http.v3.HttpProtocolOptions": {
                    "@type": TYPES + "extensions.upstreams.http.v3."
                             "HttpProtocolOptions",
                    "explicit_http_config": {"http2_protocol_options": {}}}},
            "transport_socket": _tls("UpstreamTlsContext", own,
                                     validation_context={"trusted_ca": {
                                         "filename": authority}})}


def before(stand, certificate=None):
    """An ill server before each server of the stand; an EnvoyProcess whose
    addresses() are those of the ill servers."""
    names = [f"ill{number}" for number in range(len(stand.servers))]
    config = {
        "admin": {"address": {"socket_address": {"address": "127.0.0.1",
                                                 "port_value": 0}}},
        "static_resources": {
            "listeners": [_listener(name, name, certificate or
                                    stand.server_certificate)
                          for name in names],
            "clusters": [_cluster(name, server.address, stand.own, stand.inside.path)
                         for name, server in zip(names, stand.servers)]}}
    path = stand.path("ill.json")
    envoy_process.write(path, json.dumps(config))
    return envoy_process.EnvoyProcess(path)
