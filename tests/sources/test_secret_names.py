"""Which files are secrets by their names, and which only look like them."""

from __future__ import annotations

import pytest

from plait.sources.names import refused_name
from plait.sources.selection import Selection

SECRETS = {
    "environment files": ".env prod.env .env.production env.production .envrc .flaskenv .env-prod "
    "config/docker.env .ENV.Local env.staging.list .env.bak .env~",
    "terraform variables": "terraform.tfvars prod.auto.tfvars envs/eu/prod.tfvars.json",
    "terraform state": "terraform.tfstate terraform.tfstate.backup prod.tfstate "
    "terraform.tfstate.1700000000.backup",
    "service accounts": "sa-key.json gcp-sa-key.json service-account.json "
    "service_account_prod.json serviceAccountKey.json gcp-key.json",
    "firebase": "shop-firebase-adminsdk-x1y2z.json firebase-admin-key.json",
    "composer and others": "auth.json .composer/auth.json",
    "netrc": ".netrc _netrc home/.netrc.old",
    "kubernetes": "kubeconfig kubeconfig.yaml kubeconfig-prod.yml prod.kubeconfig .kube/config",
    "postgres": ".pgpass pgpass.conf .psql_history",
    "web server passwords": ".htpasswd htpasswd .htdigest",
    "npm": ".npmrc frontend/.npmrc.bak",
    "pypi": ".pypirc",
    "java key stores": "release.jks debug.keystore trust.bcfks keystore.properties",
    "windows keys": "signing.pfx client.p12 apple.p8",
    "ssh keys": "id_rsa deploy_id_ed25519 id_ecdsa.bak ssh_host_rsa_key ci/deploy_key .ssh/work",
    "putty": "server.ppk",
    "password safes": "team.kdbx old.kdb safe.psafe3 export.1pux",
    "age and gpg": "secrets.agekey secring.asc .gnupg/pubring.kbx",
    "ansible": ".vault_pass .vault_pass.txt vault-password.txt group_vars/vault_password",
    "docker": ".dockercfg .docker/config.json .dockerconfigjson",
    "object stores": "rclone.conf .s3cfg .boto",
    "aws": ".aws/credentials credentials.bak aws-credentials.csv aws_creds.txt",
    "oauth": "token.json oauth_token.json client_secret_123.apps.googleusercontent.com.json "
    "access_token.txt",
    "shell histories": ".bash_history .zsh_history fish_history",
    "database histories": ".mysql_history .rediscli_history .mongo_history",
    "system accounts": "backup/shadow etc/passwd shadow.bak",
    "wallets": "wallet.dat wallet.json",
    "jenkins": "credentials.xml hudson.util.secret master.key",
    "cookies and recordings": "cookies.txt login.har",
    "secrets by name": "secrets.yml prod-secrets.yaml app.secrets.json db-secret.yml "
    "config/secrets.prod.json passwords.txt api_token.txt",
    "azure": ".azure/msal_token_cache.json accessTokens.json",
    "vpn and wifi": "office.ovpn wpa_supplicant.conf home.nmconnection",
    "ftp": "sftp-config.json .vscode/sftp.json sitemanager.xml",
    "dumps": "dump.sql db-backup.sql",
    "maven and signing": ".m2/settings.xml settings-security.xml key.properties",
}
SEARCHABLE = """
    .env.example .env.sample .env.template example.env .env.local.example env.example
    terraform.tfvars.example example.tfvars prod.tfvars.sample credentials.json.dist
    src/credentials.py credentials.go secrets.rs token.ts env.py env.d.ts env.sh environment.ts
    passwd.c src/auth.js auth.py htpasswd.rs shadow.css shadow.glsl token_test.go tokens.json
    locales/en/auth.json src/i18n/de/credentials.properties messages/token.json
    sealed-secret.yaml external-secrets.yaml charts/app/templates/db-secret.yaml
    id_rsa.pub keys.md docs/credentials.md account.json key.json.go keyboard.json history.md
    settings.json config.json package.json passwd.1 service.json user_id.json key.txt
    schema.sql backup.sh dump.py id.txt public.asc env/main.py .envoy.yaml
    ~ .bak ~~ a.bak .~ x.bak.old~
""".split()


def refused(path: str) -> str:
    found = refused_name(path, Selection())
    return found[0] if found else ""


def test_thirty_kinds_of_secret_files_are_told_by_their_names() -> None:
    names = [(kind, name) for kind, listed in SECRETS.items() for name in listed.split()]
    assert len(SECRETS) >= 30
    assert len(names) >= 90

    assert [(kind, name) for kind, name in names if refused(name) != "secret"] == []


@pytest.mark.parametrize("path", SEARCHABLE)
def test_templates_code_and_translations_are_no_secrets(path: str) -> None:
    assert refused(path) == ""


def test_the_owner_can_have_secrets_indexed() -> None:
    chosen = Selection(include_secrets=True)

    for listed in SECRETS.values():
        assert [name for name in listed.split() if refused_name(name, chosen)] == []
