#!/bin/sh
# Makes an authority and certificates for the nodes and the administrator, once: what is there
# from an earlier start stays. Run by compose.yaml; README.md says how to use your own instead.
set -eu
folder=${CERTIFICATES:-/certificates}
owner=${OWNER:-1000:1000} # the user of the OpenSearch image
names=DNS:localhost,IP:127.0.0.1,DNS:opensearch-1,DNS:opensearch-2,DNS:opensearch-3${EXTRA_NAMES:+,$EXTRA_NAMES}

cd "$folder"
[ ! -e complete ] || exit 0
umask 077
openssl req -x509 -newkey rsa:3072 -nodes -days 3650 -subj /CN=plait-ca \
  -addext keyUsage=critical,keyCertSign,cRLSign -keyout ca-key.pem -out ca.pem
printf '%s\n' "subjectAltName=$names" extendedKeyUsage=serverAuth,clientAuth \
  subjectKeyIdentifier=hash authorityKeyIdentifier=keyid >names
for who in node admin; do
  openssl req -newkey rsa:3072 -nodes -subj "/CN=plait-$who" -keyout "$who-key.pem" -out request
  openssl x509 -req -in request -days 1095 -CA ca.pem -CAkey ca-key.pem -CAcreateserial \
    -extfile names -out "$who.pem"
done
rm -f request names ca.srl
chmod 0755 .
chmod 0644 ca.pem # clients need it; everything else is for the nodes
chown "$owner" node.pem node-key.pem admin.pem admin-key.pem ca.pem
: >complete
