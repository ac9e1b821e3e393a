"""Rules for opaque values that stand beside the name of the vendor they open: `DATADOG_API_KEY=...`, `algolia key: ...`.

Rows only. The vendor's word nominates; between it and the value may stand the rest of a name, a separator, quotation marks. A value
that looks like a digest or a uuid counts only where that name says key, token or the like.
"""

# ruff: noqa: E501, PLR2004 (as in contexts.py)

import re
from typing import Final

from resume_forensics.mask.rule import Candidate, Rule
from resume_forensics.mask.values import count_digits, has_spread, is_code, is_identifier, is_opaque, mean_run

_ALPHABETS: Final = {
    "h": "a-f0-9",
    "H": "A-F0-9",
    "l": "a-z0-9",
    "U": "A-Z0-9",
    "w": "A-Za-z0-9",
    "u": r"A-Za-z0-9_\-",
    "s": r"A-Za-z0-9+/",
}
_UUID: Final = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_SHAPE: Final = re.compile(r"<(?P<class>[hHlUwus]):(?P<count>[0-9]{1,3})>|<uuid>")
_NAMES_KEY: Final = re.compile(
    r"(?i)key|token|secret|passw|auth|credential|\bpat\b|_pat|dsn|licen[cs]e|(?:^|[_.-])(?:pw|pwd|pass)(?:$|[^a-z])"
)
_NAMES_ELSE: Final = re.compile(
    r"(?i)(?:commit|sha|hash|digest|rev|version|uuid|guid|build|request|trace|span|session|deployment|image|public|cache)"
)
_LOOKS_DIGEST: Final = re.compile(rf"[0-9a-f]{{32}}|[0-9a-f]{{40}}|[0-9a-f]{{64}}|{_UUID}|[0-9]+")


def _names_its_key(found: Candidate) -> bool:
    """Whether the words between the vendor and the value, or a bare environment variable, say that the value is a secret."""
    value, between = found.value, found.match["n"]
    if is_code(value) or not has_spread(value) or _NAMES_ELSE.search(between):
        return False
    if _NAMES_KEY.search(between):
        return is_opaque(value) or _LOOKS_DIGEST.fullmatch(value) is not None or (count_digits(value) > 0 and mean_run(value) <= 5)
    return is_opaque(value) and not (is_identifier(value) or _LOOKS_DIGEST.fullmatch(value))


def _pair(kind: str, words: str, *shapes: str) -> Rule:
    """One vendor: the words that name it, and the shapes of what opens it, in recipe notation."""
    vendors = tuple(words.split())
    name = "|".join(vendors)
    values = "|".join(_value_pattern(shape) for shape in shapes)
    return Rule(
        kind=kind,
        keywords=vendors,
        pattern=rf"(?i:{name})(?P<n>[\w .\-]{{0,40}}+)(?:[\"'`\]\\]|&quot;){{0,8}}[ \t]{{0,4}}(?:=>|:=|[=:,(|])[ \t]{{0,4}}(?:[\"'`\\]|&quot;){{0,8}}"
        rf"(?P<s>{values})(?![A-Za-z0-9_+/\-])",
        accepts=_names_its_key,
        catch=tuple(text for shape in shapes for text in (f"{vendors[0].upper()}_API_KEY={shape}", f'"{vendors[0]}_token": "{shape}"')),
        spare=(f"{vendors[0]}_version: <h:40>", f"{vendors[0]}_api_key=your_key_here", f"{vendors[0]}: enabled", f"see {vendors[0]} docs"),
        seen="the vendor's documentation",
    )


def _value_pattern(shape: str) -> str:
    found = _SHAPE.fullmatch(shape)
    if found is None or not found["class"]:
        return _UUID
    return f"[{_ALPHABETS[found['class']]}]{{{found['count']}}}"


PAIRS: Final[tuple[Rule, ...]] = (
    _pair("adafruit-key", "adafruit", "<u:32>"),
    _pair("algolia-key", "algolia", "<h:32>"),
    _pair("amplitude-key", "amplitude", "<h:32>"),
    _pair("asana-secret", "asana", "<l:32>"),
    _pair("assemblyai-key", "assemblyai", "<h:32>"),
    _pair("auth0-secret", "auth0", "<u:64>"),
    _pair("azure-openai-key", "azure_openai openai_azure azureopenai", "<h:32>", "<w:84>"),
    _pair("bitbucket-secret", "bitbucket", "<u:64>", "<w:32>"),
    _pair("bittrex-key", "bittrex", "<h:32>"),
    _pair("bugsnag-key", "bugsnag", "<h:32>"),
    _pair("cloudflare-key", "cloudflare", "<u:40>", "<h:37>"),
    _pair("codecov-token", "codecov", "<uuid>", "<l:32>"),
    _pair("cohere-key", "cohere", "<w:40>"),
    _pair("coinbase-key", "coinbase", "<u:64>"),
    _pair("confluent-key", "confluent", "<w:64>", "<U:16>"),
    _pair("datadog-key", "datadog dd_api dd_app", "<h:32>", "<h:40>"),
    _pair("deepgram-key", "deepgram", "<h:40>"),
    _pair("deepl-key", "deepl", "<uuid>"),
    _pair("droneci-token", "drone_", "<w:32>"),
    _pair("etsy-key", "etsy", "<l:24>"),
    _pair("facebook-secret", "facebook", "<h:32>"),
    _pair("fastly-token", "fastly", "<u:32>"),
    _pair("finnhub-key", "finnhub", "<l:20>"),
    _pair("freshbooks-token", "freshbooks", "<l:64>"),
    _pair("gitea-token", "gitea forgejo codeberg", "<h:40>"),
    _pair("heroku-api-key", "heroku", "<uuid>"),
    _pair("hetzner-token", "hcloud hetzner", "<w:64>"),
    _pair("honeybadger-key", "honeybadger", "<h:32>"),
    _pair("intercom-token", "intercom", "<w:60>"),
    _pair("jira-token", "jira confluence", "<w:24>"),
    _pair("kraken-secret", "kraken", "<s:80>"),
    _pair("kucoin-secret", "kucoin", "<uuid>"),
    _pair("launchdarkly-token", "launchdarkly", "<u:40>"),
    _pair("linkedin-secret", "linkedin", "<w:16>"),
    _pair("linode-token", "linode", "<h:64>"),
    _pair("lob-key", "lob_", "<h:35>"),
    _pair("loggly-token", "loggly", "<uuid>"),
    _pair("mailjet-secret", "mailjet", "<h:32>"),
    _pair("mattermost-token", "mattermost", "<l:26>"),
    _pair("messagebird-key", "messagebird", "<w:25>"),
    _pair("mistral-key", "mistral codestral", "<w:32>"),
    _pair("mongodb-atlas-key", "atlas_", "<uuid>"),
    _pair("netlify-key", "netlify", "<u:43>"),
    _pair("ngrok-token", "ngrok", "<u:49>"),
    _pair("okta-token", "okta", "<u:42>"),
    _pair("opsgenie-key", "opsgenie", "<uuid>"),
    _pair("pagerduty-token", "pagerduty", "<u:20>"),
    _pair("plaid-secret", "plaid", "<h:30>"),
    _pair("postmark-token", "postmark", "<uuid>"),
    _pair("pusher-secret", "pusher", "<h:20>"),
    _pair("railway-token", "railway", "<uuid>"),
    _pair("rapidapi-key", "rapidapi", "<w:50>"),
    _pair("rollbar-token", "rollbar", "<h:32>"),
    _pair("segment-key", "segment_", "<w:32>"),
    _pair("sendbird-key", "sendbird", "<h:40>"),
    _pair("sentry-key", "sentry", "<h:64>"),
    _pair("shodan-key", "shodan", "<w:32>"),
    _pair("snyk-key", "snyk", "<uuid>"),
    _pair("spotify-secret", "spotify", "<h:32>"),
    _pair("squarespace-token", "squarespace", "<uuid>"),
    _pair("sumologic-key", "sumologic sumo_", "<w:64>"),
    _pair("travis-token", "travis", "<w:22>"),
    _pair("trello-key", "trello", "<h:32>", "<h:64>"),
    _pair("twilio-auth-token", "twilio", "<h:32>"),
    _pair("twitch-secret", "twitch", "<l:30>"),
    _pair("twitter-secret", "twitter", "<w:50>", "<w:25>"),
    _pair("vercel-key", "vercel", "<w:24>"),
    _pair("vonage-secret", "vonage nexmo", "<w:16>"),
    _pair("vultr-key", "vultr", "<U:36>"),
    _pair("wandb-api-key", "wandb", "<h:40>"),
    _pair("yandex-secret", "yandex", "<u:40>"),
    _pair("zendesk-secret", "zendesk", "<l:40>"),
    _pair("zoom-secret", "zoom_", "<w:32>"),
)
