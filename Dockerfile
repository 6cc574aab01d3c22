# An image of slice-server and all tools, for CPUs, and a slim one (--target
# slim). Mount a bundle, and a volume
# for the server's data:
#   docker build -t slice .
#   docker run -p 8500:8500 --stop-timeout=40 \
#     -v "$PWD/demo/bundle:/bundle:ro" -v slice-data:/data slice
# A stop takes the lame duck (5 s), up to 20 s to answer what was admitted, and
# some time to close; `docker stop` alone kills after 10 s.
# With PRESET=cuda it is for GPUs as well. BUILD_IMAGE must then be a Debian 12
# with the CUDA toolkit.
ARG BASE_IMAGE=docker.io/library/debian:bookworm-slim
ARG BUILD_IMAGE=${BASE_IMAGE}

FROM ${BUILD_IMAGE} AS build
ARG PRESET=release
WORKDIR /src
# The downloads change rarely, so they have a layer of their own.
COPY scripts scripts
RUN scripts/build --preset "${PRESET}" --deps-only
COPY . .
RUN scripts/build --preset "${PRESET}" --binaries \
    && cmake --install "build/${PRESET}" --prefix /opt/slice --strip

# The slim image (--target slim): no LibTorch, no trainer, no shell. It holds
# only what its programs load.
FROM build AS slim-files
RUN scripts/package --build "build/${PRESET}" --image-root /image

FROM scratch AS slim
COPY --from=slim-files /image /
ENV PATH=/opt/slice/bin
USER 10001:10001
VOLUME /data
EXPOSE 8500 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
    CMD ["slice-client", "--server", "127.0.0.1:8500", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["slice-server"]
CMD ["--bundle=/bundle", "--data-dir=/data", "--listen=0.0.0.0:8500", "--metrics-listen=0.0.0.0:8501", "--allow-plaintext", "--anonymous-roles=predict,explore,metrics"]

FROM ${BASE_IMAGE}
RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        libgrpc++1.51 libjemalloc2 libnats3.4 libprometheus-cpp-core1.0 libprotobuf32 \
        librdkafka1 librocksdb7.8 libspdlog1.10 libssl3 libstdc++6 libxxhash0 libyaml-cpp0.7 libzstd1 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/slice /opt/slice
COPY deploy/retrain/slice-retrain /opt/slice/bin/
# A library that is missing fails the build, not the first start.
RUN for program in /opt/slice/bin/*; do \
        ! ldd "$program" | grep 'not found' || exit 1; \
    done \
    && mkdir /bundle /data && chown 10001:10001 /data
ENV PATH=/opt/slice/bin:$PATH
USER 10001:10001
VOLUME /data
EXPOSE 8500 8501
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
    CMD ["slice-client", "--server", "127.0.0.1:8500", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["slice-server"]
CMD ["--bundle=/bundle", "--data-dir=/data", "--listen=0.0.0.0:8500", "--metrics-listen=0.0.0.0:8501", "--allow-plaintext", "--anonymous-roles=predict,explore,metrics"]
