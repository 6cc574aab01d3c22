# An image that holds one bundle. The build context is the bundle itself:
#   docker build -f deploy/kubernetes/bundle.Dockerfile -t slice-bundle:0.2.0 demo/bundle
FROM docker.io/library/debian:bookworm-slim
COPY --chown=10001:10001 . /bundle
USER 10001:10001
CMD ["cp", "-R", "/bundle/.", "/target/"]
