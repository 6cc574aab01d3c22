"""How a server is reached: its address, TLS and credentials."""

from __future__ import annotations

import dataclasses
import ipaddress
import pathlib
from typing import Any

import grpc

# The limits of the server: 4 MiB of a request, 16 MiB of a reply.
_OPTIONS = (("grpc.max_receive_message_length", 17 << 20),
            ("grpc.max_send_message_length", 8 << 20))

Pem = str | bytes | pathlib.Path | None


def _read(pem: Pem) -> bytes | None:
    """The bytes of a certificate or key: given as such, or as a path."""
    if pem is None or isinstance(pem, bytes):
        return pem
    return pathlib.Path(pem).read_bytes()


def _token(token: str) -> str:
    """Without the white space around it, such as the line end of its file."""
    if not token:
        return ""
    stripped = token.strip()
    if not stripped:
        raise ValueError("the token is blank; leave it out, or give the text "
                         "that the server knows")
    for place, one in enumerate(stripped, 1):
        if not " " <= one <= "~":
            raise ValueError(f"character {place} of the token is "
                             f"U+{ord(one):04X}; a token has letters, digits "
                             "and signs of ASCII only")
    return stripped


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False  # a name, whatever it begins with


@dataclasses.dataclass(frozen=True)
class Connection:
    """What is needed to reach a server. Certificates and keys are PEM: bytes,
    or the path of a file."""

    address: str
    tls: bool = False  # implied by ca, cert and server_name
    ca: Pem = None  # None: the authorities of gRPC
    cert: Pem = None  # of the client, with its key
    key: Pem = dataclasses.field(default=None, repr=False)
    server_name: str = ""  # that the certificate of the server must have
    token: str = dataclasses.field(default="", repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "token", _token(self.token))
        if (self.cert is None) != (self.key is None):
            raise ValueError("cert and key belong together: give both")
        if self.token and not self.secure and not self.is_local:
            raise ValueError(
                f"a token must not be sent in the clear to {self.address}: "
                "give tls=True, or ca")

    @property
    def secure(self) -> bool:
        return (self.tls or self.ca is not None or self.cert is not None or
                bool(self.server_name))

    @property
    def is_local(self) -> bool:
        """Whether what is sent stays on this machine."""
        if self.address.startswith("unix:"):
            return True
        hosts = (self.address, self.address.rpartition(":")[0])
        return any(host == "localhost" or _is_loopback(host.strip("[]"))
                   for host in hosts)

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        if not self.token:
            return ()
        return (("authorization", f"Bearer {self.token}"),)

    @property
    def options(self) -> list[tuple[str, Any]]:
        options: list[tuple[str, Any]] = list(_OPTIONS)
        if self.is_local:
            options.append(("grpc.enable_http_proxy", 0))
        if self.server_name:
            options.append(
                ("grpc.ssl_target_name_override", self.server_name))
        return options

    def credentials(self) -> grpc.ChannelCredentials:
        """REQUIRES: secure."""
        return grpc.ssl_channel_credentials(
            root_certificates=_read(self.ca), private_key=_read(self.key),
            certificate_chain=_read(self.cert))
