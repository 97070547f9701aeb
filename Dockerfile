# syntax=docker/dockerfile:1
FROM python:3.13-slim AS build
ENV PIP_NO_CACHE_DIR=1 UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never
RUN pip install uv==0.13.9
WORKDIR /app
# The dependencies first: they change less often than the code.
COPY pyproject.toml uv.lock ./
RUN uv sync --locked --no-dev --no-install-project
COPY . .
# Numba keeps code by the times of its sources, of which an image's layers may keep whole seconds only.
RUN uv sync --locked --no-dev --no-editable \
    && find .venv/lib -path '*/site-packages/engine/*' -name '*.py' \
        -exec sh -c 'for file; do touch --date="@$(stat --format=%Y "$file")" "$file"; done' - {} +

FROM python:3.13-slim
# An account with a name, without which PostgreSQL does not start.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin capicua \
    && install --directory --owner=capicua --group=capicua --mode=700 /data \
    && install --directory --owner=capicua --group=capicua /var/cache/capicua
COPY --from=build /app/.venv /app/.venv
ENV PATH=/app/.venv/bin:$PATH PYTHONUNBUFFERED=1 \
    CAPICUA_HOST=0.0.0.0 CAPICUA_PORT=8000 CAPICUA_DATA_DIR=/data NUMBA_CACHE_DIR=/var/cache/capicua
USER capicua
# What the expert thinks with, compiled for the kind of processor that builds the image; on another it is done again.
RUN python -c "from engine.kernel.ready import warm; warm()"
# The generated secret and, where CAPICUA_DATABASE_URL is not set, the private PostgreSQL.
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"CAPICUA_PORT\"]}/health/ready', timeout=4)"]
ENTRYPOINT ["capicua"]
CMD ["serve"]
