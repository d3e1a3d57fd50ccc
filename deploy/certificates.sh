#!/bin/sh
# Makes an authority and certificates for the nodes and the administrator, once: what is there
# from an earlier run stays. Run on your machine, with the openssl of its package manager;
# README.md says how to use certificates of your own instead.
#
#   CERTIFICATES   where they go (default: the folder certificates beside this file)
#   EXTRA_NAMES    further names of the nodes, such as DNS:search.example.org
set -eu
folder=${CERTIFICATES:-$(dirname "$0")/certificates}
names=DNS:localhost,IP:127.0.0.1,DNS:opensearch-1,DNS:opensearch-2,DNS:opensearch-3${EXTRA_NAMES:+,$EXTRA_NAMES}

mkdir -p "$folder"
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
: >complete
