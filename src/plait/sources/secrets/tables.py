"""Tables of names: files and folders that are known to hold credentials.

All in lower case. A name that could as well be a page, a translation or a word list is not
here: its content is looked at.
"""

from __future__ import annotations

CREDENTIAL_NAMES = frozenset(
    # keys
    "id_rsa id_dsa id_ecdsa id_ecdsa_sk id_ed25519 id_ed25519_sk identity.key master.key "
    "secring.asc private.asc privkey.asc secret.asc hudson.util.secret .vault_pass .vault-pass "
    ".vaultpass vault_pass vault-pass keystore.properties key.properties signing.properties "
    "keystore.jceks wallet.dat wallet.json keyfile.json serviceaccountkey.json "
    # what programs sign in with
    ".netrc _netrc .npmrc .pypirc .pgpass pgpass pgpass.conf .htpasswd .htpasswds "
    ".htdigest htdigest .git-credentials .gitcookies .dockercfg .dockerconfigjson .s3cfg s3cfg "
    ".boto boto.cfg .vault-token .consul-token .my.cnf .mylogin.cnf .databrickscfg .sentryclirc "
    ".terraformrc terraform.rc rclone.conf .rclone.conf kaggle.json "
    "accesstokens.json access_tokens.json msal_token_cache.json oauth_token.json "
    "oauth_tokens.json .token .tokens settings-security.xml .ftpconfig .ftppass sftp-config.json "
    ".remote-sync.json sitemanager.xml filezilla.xml recentservers.xml winscp.ini .esmtprc "
    ".msmtprc msmtprc .fetchmailrc wpa_supplicant.conf connections.toml robomongo.json logins.json "
    "cookies.txt .cookies cookies.json cookiejar cookie-jar.txt gshadow "
    "master.passwd .pgservice.conf .pg_service.conf .arcrc .hgrc.private .tugboat .doctlcfg "
    # environments and settings of a deployment
    ".env .envrc .flaskenv .dotenv credentials credentials.json credentials.yml credentials.yaml "
    "credentials.csv credentials.xml credentials.toml credentials.ini secrets.yml secrets.yaml "
    "secrets.json secrets.toml secrets.xml secret.yml secret.yaml secret.json terraform.tfstate "
    "terraform.tfstate.backup application_default_credentials.json kubeconfig "
    # what was typed
    ".bash_history .zsh_history .zhistory .sh_history .ksh_history .fish_history fish_history "
    ".history .python_history .psql_history .mysql_history .sqlite_history .rediscli_history "
    ".mongo_history .dbshell .node_repl_history .irb_history .irb-history .pry_history "
    ".rhistory .gdb_history .lua_history .php_history .scala_history".split()
)
KEY_SUFFIXES = frozenset(
    "pem key p12 pfx jks jceks keystore truststore kdbx kdb ppk ovpn der p8 tfstate bcfks agekey "
    "psafe3 1pif 1pux agilekeychain keychain nmconnection har pkcs12 mobileprovision".split()
)
SECRET_PATHS = (
    ".docker/config.json",
    ".kube/config",
    ".config/gh/hosts.yml",
    ".config/hub",
    ".oci/config",
    ".snowsql/config",
    ".m2/settings.xml",
    ".vscode/sftp.json",
    ".cargo/credentials",
    ".huggingface/token",
    ".circleci/cli.yml",
    ".bundle/config",
    ".terraform.d/credentials.tfrc.json",
)
SECRET_FOLDERS = frozenset(".ssh .gnupg .aws .azure .gcloud .password-store".split())

EXAMPLES = frozenset(
    "example examples sample samples template templates tmpl tpl dist defaults schema skel "
    "stub".split()
)
BACKUPS = frozenset("bak backup bkp old orig save saved copy tmp swp disabled".split())
STAGES = frozenset(
    "prod production stage staging stg dev development test testing local qa uat ci live preprod "
    "list docker".split()
)
# Folders whose files are named after what they are about.
ABOUT = frozenset(
    "locale locales i18n l10n intl lang langs translations messages completion completions "
    "commands man docs".split()
)

DATA_SUFFIXES = frozenset(
    "json yml yaml toml ini cfg conf config properties props txt csv tsv xml plist list lst enc "
    "tfrc sql".split()
) | {""}
CODE_SUFFIXES = frozenset(
    "py pyi js mjs cjs jsx ts mts cts tsx go rs rb java kt kts scala c cc cpp cxx h hh hpp cs php "
    "swift zig lua ex exs hs sh bash zsh fish ps1 bat pl pm r jl dart groovy gradle m mm vue "
    "svelte md mdx rst adoc html htm css scss less erb ejs hbs j2 jinja jinja2 tf hcl sol clj "
    "erl hrl fs fsx vb nix proto graphql ipynb ml mli nim cr elm d pas f90 f95 adb ads cljs cljc "
    "coffee tcl awk asm s v sv vhd cu m4 cmake mk lisp el scm rkt vala".split()
)
# The words that make a name worth a second look.
TELLING = frozenset(
    "env envrc dotenv flaskenv tfvars tfstate kubeconfig credential credentials creds secret "
    "secrets token key keyfile sa serviceaccount account adminsdk vault pass passwd password "
    "htpasswd shadow passwords passphrase auth id dump backup".split()
)
KEY_WORDS = frozenset(
    "key keyfile sa service account serviceaccount gcp gcs gcloud google firebase admin "
    "iam private".split()
)
