#!/usr/bin/env bash
# Writes the users and roles OpenSearch starts with, once: one user, admin, with the password of
# the environment. Afterwards users are kept by OpenSearch itself. Run by compose.yaml.
set -euo pipefail
folder=${USERS:-/users}
home=${OPENSEARCH_HOME:-/usr/share/opensearch}
owner=${OWNER:-1000:1000}
: "${OPENSEARCH_PASSWORD:?}"

[ ! -e "$folder/complete" ] || exit 0
rules=$home/config/opensearch-security
[ -d "$rules" ] || rules=$home/plugins/opensearch-security/config
cp "$rules"/*.yml "$folder/"
hash=$(bash "$home/plugins/opensearch-security/tools/hash.sh" -env OPENSEARCH_PASSWORD | tail -n 1)
cat >"$folder/internal_users.yml" <<USERS
_meta: {type: internalusers, config_version: 2}
admin: {hash: "$hash", reserved: true, backend_roles: [admin]}
USERS
if [ -d "${SNAPSHOTS:-/snapshots}" ]; then chown "$owner" "${SNAPSHOTS:-/snapshots}"; fi
chown -R "$owner" "$folder"
chmod 0700 "$folder"
: >"$folder/complete"
