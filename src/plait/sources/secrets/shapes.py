"""Shapes: secrets that are known by how they are written, wherever they stand.

Whoever hands out keys marks them, so that a leaked one is recognised: a prefix nobody else
uses, then letters of one alphabet, so and so many. Each row is a kind, its mark and the rest
of it, in RE2's syntax. A few have their mark in the middle, behind a lead.
"""

from __future__ import annotations

from typing import NamedTuple

W = "[A-Za-z0-9]"  # the alphabets that occur
B = "[A-Za-z0-9_-]"
H = "[0-9a-f]"


class Shape(NamedTuple):
    """How one kind of secret is written."""

    kind: str
    mark: str
    rest: str
    lead: str = ""


# "-----BEGIN " to base 64, then "RSA ", "PRIVATE KEY" and so on: a key within a Kubernetes secret.
KEY_TO_BASE_64 = (
    "(?:QUklWQVRFIEtF|SU0EgUFJJVkFU|EU0EgUFJJVkFU|FQyBQUklWQVRF|PUEVOU1NIIFBS|FTkNSWVBURUQg)"
)

SHAPES = (
    Shape("key to base 64", "LS0tLS1CRUdJTiB", f"{KEY_TO_BASE_64}[A-Za-z0-9+/=]{{40,}}"),
    # clouds
    Shape("aws key", "(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z0-9]{16}"),
    Shape("gcp key", "AIza", f"{B}{{35}}"),
    Shape("gcp client secret", "GOCSPX-", f"{B}{{28}}"),
    Shape("gcp token", "ya29\\.", f"{B}{{30,}}"),
    Shape("azure secret", "[78]Q~", "[A-Za-z0-9_~.-]{31,34}", "[A-Za-z0-9_~.-]{3}"),
    Shape("alibaba key", "LTAI", f"{W}{{16,20}}"),
    Shape("digitalocean token", "do[opr]_v1_", f"{H}{{64}}"),
    Shape("heroku key", "HRKU-", f"{B}{{36,}}"),
    Shape("databricks token", "dapi", f"{H}{{32}}"),
    Shape("tailscale key", "tskey-[a-z]{2,10}-", f"{B}{{16,}}"),
    Shape("fly token", "fo1_", f"{B}{{40,}}"),
    # code and packages
    Shape("github token", "gh[pousr]_", f"{W}{{36,251}}"),
    Shape("github token", "github_pat_", f"{W}{{22}}_{W}{{59}}"),
    Shape(
        "gitlab token", "gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-", "[A-Za-z0-9_.-]{20,}"
    ),
    Shape("npm token", "npm_", f"{W}{{36}}"),
    Shape("pypi token", "pypi-AgE", f"{B}{{60,}}"),
    Shape("rubygems key", "rubygems_", f"{H}{{48}}"),
    Shape("crates token", "cio", f"{W}{{32}}"),
    Shape("nuget key", "oy2", "[a-z0-9]{43}"),
    Shape("docker token", "dckr_[op]at_", f"{B}{{27,}}"),
    Shape("atlassian token", "ATATT3", f"{B}{{60,}}={H.upper()}{{8}}"),
    Shape("bitbucket password", "ATBB", f"{W}{{24,32}}"),
    Shape("artifactory key", "AKCp", f"{W}{{60,80}}"),
    # language models
    Shape("anthropic key", "sk-ant-[a-z]+[0-9]{2}-", f"{B}{{40,}}"),
    Shape("openai key", "sk-(?:proj|svcacct|admin|None)-", f"{B}{{40,}}"),
    Shape("openai key", "sk-", f"{W}{{32,64}}"),
    Shape("openrouter key", "sk-or-v1-", f"{H}{{64}}"),
    Shape("hugging face token", "(?:hf|api_org)_", f"{W}{{34,}}"),
    Shape("groq key", "gsk_", f"{W}{{48,}}"),
    Shape("replicate token", "r8_", f"{W}{{37,}}"),
    Shape("perplexity key", "pplx-", f"{W}{{40,}}"),
    Shape("xai key", "xai-", f"{W}{{70,}}"),
    # messages and mail
    Shape("slack token", "xox[abeoprs]-", "[A-Za-z0-9-]{20,}"),
    Shape("slack app token", "xapp-[0-9]-", "[A-Za-z0-9-]{40,}"),
    Shape(
        "slack hook",
        "hooks\\.slack\\.com/services/",
        "T[A-Z0-9]{8,}/B[A-Z0-9]{8,}/[A-Za-z0-9]{20,}",
    ),
    Shape("discord hook", "discord(?:app)?\\.com/api/webhooks/[0-9]{17,20}/", f"{B}{{60,}}"),
    Shape("discord token", f"\\.{B}{{6}}\\.", f"{B}{{27,}}", "[MNO][A-Za-z0-9]{23,25}"),
    Shape("telegram token", ":AA", f"{B}{{33}}", "[0-9]{8,10}"),
    Shape("sendgrid key", "SG\\.", "[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}"),
    Shape("twilio key", "SK", f"{H}{{32}}"),
    Shape("mailgun key", "key-", f"{H}{{32}}"),
    Shape("mailchimp key", "-us", "[0-9]{1,2}", f"{H}{{32}}"),
    Shape("brevo key", "xkeysib-", f"{H}{{64}}-{W}{{16}}"),
    Shape("postmark or notion key", "(?:secret|ntn)_", f"{W}{{43,50}}"),
    # money and shops
    Shape("stripe key", "[sr]k_(?:live|test)_", f"{W}{{16,}}"),
    Shape("stripe hook", "whsec_", "[A-Za-z0-9+/=]{24,}"),
    Shape("square token", "(?:sq0(?:atp|csp|idp)-|EAAA)", f"{B}{{22,}}"),
    Shape("shopify token", "shp(?:at|ca|pa|ss)_", "[0-9a-fA-F]{32}"),
    # services
    Shape("vault token", "hv[sbr]\\.", f"{B}{{24,}}"),
    Shape("terraform token", "\\.atlasv1\\.", f"{B}{{60,}}", f"{W}{{14}}"),
    Shape("grafana token", "gl(?:sa|c)_", "[A-Za-z0-9_+/=]{32,}"),
    Shape("new relic key", "NRAK-", "[A-Z0-9]{27}"),
    Shape("sentry token", "sntry[su]_", "[A-Za-z0-9_+/=]{40,}"),
    Shape("dynatrace token", "dt0[a-z][0-9]{2}\\.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
    Shape("linear key", "lin_api_", f"{W}{{40}}"),
    Shape("figma token", "figd_", f"{B}{{40}}"),
    Shape("airtable token", f"\\.{H}{{8}}", f"{H}{{56}}", f"pat{W}{{14}}"),
    Shape("doppler token", "dp\\.(?:pt|st|ct|sa)\\.", "[A-Za-z0-9._-]{40,}"),
    Shape("supabase token", "sbp_", f"{H}{{40}}"),
    Shape("planetscale token", "pscale_(?:tkn|pw|oauth)_", "[A-Za-z0-9_.-]{32,}"),
    Shape("postman key", "PMAK-", f"{H}{{24}}-{H}{{34}}"),
    Shape("pulumi token", "pul-", f"{H}{{40}}"),
    Shape("contentful token", "CFPAT-", f"{B}{{43}}"),
    Shape("dropbox token", "sl\\.", f"{B}{{100,}}"),
    Shape("facebook token", "EAA[A-Z]", f"{W}{{80,}}"),
    Shape("mapbox token", "sk\\.eyJ", f"{B}{{30,}}\\.{B}{{16,}}"),
    Shape("age key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
    Shape("web token", "eyJ", f"{B}{{10,}}\\.eyJ{B}{{10,}}\\.{B}{{16,}}"),
)
