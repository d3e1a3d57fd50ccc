#!/usr/bin/env bash
# Copies the certificates into the volume of the nodes, for their user alone, once.
# Run by compose.yaml.
set -euo pipefail
from=${MADE:-/made}
to=${CERTIFICATES:-/certificates}
owner=${OWNER:-1000:1000} # the user of the OpenSearch image

[ ! -e "$to/complete" ] || exit 0
[ -e "$from/complete" ] || { echo "error: no certificates; run: sh deploy/certificates.sh" >&2; exit 1; }
umask 077
for name in ca.pem node.pem node-key.pem admin.pem admin-key.pem; do # the authority's key stays
  cp "$from/$name" "$to/$name"
  chown "$owner" "$to/$name"
done
chmod 0755 "$to"
chmod 0644 "$to/ca.pem"
: >"$to/complete"
