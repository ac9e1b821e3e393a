r"""Rules for what is assigned to a name: `DB_PASSWORD=...`, `token: ...`, `"api_key": "..."`, `setSecret("...")`.

Rows, and the tests that all of them share. The name nominates, the value decides (`values.py`). The spelling may be a shell's, YAML's,
JSON's at any depth of escaping, a programming language's, XML's, a query string's.
"""

# ruff: noqa: E501 (a pattern is read in one line; lengths as in values.py)

import re
from typing import Final

from resume_forensics.mask.names import in_place, value_is_any_key, value_is_long_token, value_is_password, value_is_token
from resume_forensics.mask.rule import Rule, Test
from resume_forensics.mask.shapes import LETTER_BEFORE

QUOTE: Final = r"(?:\\{0,8}(?:[\"'`]{1,3}|&quot;|&\#3[49];))"
"""A quotation mark of any language, at any depth of escaping."""

_REST: Final = r"(?>(?:[sS](?![A-Za-z]))?(?:[A-Z][a-z0-9]{1,15}){0,3}[0-9]{0,4}(?:[_\-.][A-Za-z0-9]{1,16}){0,4})"
_NAME_END: Final = rf"(?>(?:{QUOTE}|\]|\*\*){{0,2}}[ \t]{{0,16}})"
_VALUE_LINK: Final = rf"(?={QUOTE}?,?\s|{QUOTE},)(?:{QUOTE}?,?\s{{1,40}}{QUOTE}?(?i:value){QUOTE}?[ ]?[:=][ ]{{0,4}}|{QUOTE},{QUOTE}(?i:value){QUOTE}[ ]?:[ ]?)"
_SEP_QUOTED: Final = (
    rf"(?:{_VALUE_LINK}|{_NAME_END}(?P<sep>:[ \t]?[A-Za-z][\w.\[\]|? ]{{0,40}}?[ \t]?=|=>|:=|\?=|\+=|={{1,3}}|!={{1,2}}|:|->|,|\||\()(?>\*{{0,2}}[ \t]{{0,16}}\n?[ \t]{{0,16}})"
    rf"|[ \t]{{1,4}}+)"
)
_SEP_BARE: Final = rf"(?:{_VALUE_LINK}|(?P<blank>[ \t]{{1,4}}+(?![=:>|]))|{_NAME_END}(?:=>|:=|\?=|={{1,2}}|:|>|\|)(?>\*{{0,2}}[ \t]{{0,16}})(?![0-9]{{1,12}}[\s,;}}\]]))"
_IN_QUOTES: Final = r"[^\"'`\\\s]{1,200}+(?>(?:\\{1,8}[^\"'`\\\snrt][^\"'`\\\s]{0,100}+){0,12})"
_BARE: Final = r"[^\s\"'`,;<>(){}\[\]|\\&]{1,200}+(?>(?:\\{1,8}/[^\s\"'`,;<>(){}\[\]|\\&]{0,100}+){0,12})"
_VALUE: Final = rf"(?:{_SEP_QUOTED}(?P<q>{QUOTE})|{_SEP_BARE})(?P<s>(?(q){_IN_QUOTES}|{_BARE}))"
_TAIL: Final = r"(?:[^\s\"'`,;<>(){}\[\]|\\&]++|\\{1,8}/)*"

_HAS_SIGN: Final = r"(?=[^\s0-9!#$%^&*?~+]{0,200}+[0-9!#$%^&*?~+])"
_PROSE: Final = r"(?:[ ](?:(?![vVkK])[A-Za-z0-9_.~]{1,11}+[ ]|[)};/@%#$<^{\[])|[)};/@%#$<^~{\[])"
"""What stands behind a word of a sentence or of code: one more word, too short for a value, or a sign that parts nothing."""

_GATE: Final = (
    rf"(?=[A-Za-z0-9_.\-]{{2,60}}+(?!{_PROSE})"
    r"(?:[ ]key|)(?>(?=[\"'`\]\\*&])(?:[\"'`\]\\*]|&quot;|&#3[49];){1,20}|)[ \t]{0,16}+"
    r"(?:(?:[:=>|](?<![.]py:(?=:))|[?](?==)|(?:[,(]|[!+]={1,2}|->)(?=[*]{0,2}\s{0,16}[\"'`\\&]))[=>:]{0,2}+\*{0,2}+\s{0,16}+(?![0-9]{1,12}[,\s}\]]|\$[{(])"
    rf"(?:[A-Za-z][\w.\[\]|? ]{{0,40}}+=\s{{0,4}}+|){_HAS_SIGN}"
    rf"|[\"'`]{_HAS_SIGN}|(?=[,\s\"'vV]),?\s*[\"']?(?i:value)|(?<=[ \t])(?=[A-Za-z_+=~.-]{{0,40}}[0-9])[A-Za-z0-9_+=~.-]{{12}}))"
)
"""A look ahead that fails early: after the name comes what can part it from a value, and then no plain number and no template but
something with a digit or a sign in it."""

_SIGNS: Final = ("=", ":", '"', "'", "`", "\\", " =", " :", "*", "]")


def _assigned(  # noqa: PLR0913 (a row of the table below)
    kind: str, words: str, test: Test, *, short: bool = False, catch: tuple[str, ...], spare: tuple[str, ...]
) -> Rule:
    """One family of names (parted by spaces, `+` for a space inside), its value in quotation marks or bare.

    `short` names also end other words: they count where no letter stands before and a separator behind.
    """
    heads = tuple(word.replace("+", " ") for word in words.split())
    keywords = tuple(head + sign for head in heads for sign in _SIGNS) if short else heads
    names = "|".join(re.escape(head) for head in sorted(heads, key=len, reverse=True))
    start = LETTER_BEFORE if short else ""
    return Rule(
        kind=kind,
        keywords=keywords,
        pattern=rf"{_GATE}{start}(?P<n>(?i:{names}){_REST}){_VALUE}",
        tail=_TAIL,
        accepts=in_place(test),
        catch=catch,
        spare=spare,
        seen="configuration files, shells and code of every kind",
    )


FAMILIES: Final = (
    _assigned(
        "password",
        "password passwd passwort pwd",
        value_is_password,
        catch=(
            '{"password": "<p:14>"}',
            "db_passwd = '<w:12>'",
            "DB_PASSWORD=<w:16>",
            "password: <p:16>\n",
            "?user=bo&password=<w:12>&x=1",
        ),
        spare=(
            "password: string",
            'password = "password"',
            "password=os.environ['DB_PASSWORD']",
            "PASSWORD=$DB_PASSWORD",
            "password: ${{ secrets.DB }}",
            "PWD=/home/dev/shop",
            "password: 12345678",
            'password: "Please enter your password"',
            "PASSWORD_FILE=/run/secrets/db",
            "password = getpass.getpass()",
            "password_length=20",
            "password: <your password>",
            'passwordHint: "first pet 2x"',
            '"ec2:GetPasswordData", "ec2:ReleaseAddress"',
            'password.encode("latin1")',
        ),
    ),
    _assigned(
        "passphrase",
        "passphrase passcode pass_phrase",
        value_is_password,
        catch=('passphrase: "<p:14>"', "passphrase='<w:12>'", "GPG_PASSPHRASE=<w:16>", "passphrase: <w:20>\n"),
        spare=("passphrase: none", "passphrase = prompt()", 'passphrase: "${PASSPHRASE}"'),
    ),
    _assigned(
        "secret",
        "secret",
        value_is_token,
        catch=('"client_secret":"<w:32>"', "secretKey = '<s:40>'", "AWS_SECRET_ACCESS_KEY=<s:40>", "secret: <h:40>\n", "JWT_SECRET=<u:43>"),
        spare=(
            "secretName: db-credentials-v2",
            "secret = vault.read('x1')",
            "SECRET_KEY=${SECRET_KEY}",
            'secret: "<uuid>"',
            "client_secret: your-client-secret",
            '"AWS::SecretsManager::Secret": "<h:16>"',
            '"arn:aws:secretsmanager:*:*:secret:aws/ssm/3p/*"',
            "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf",
        ),
    ),
    _assigned(
        "token",
        "token",
        value_is_token,
        catch=('{\\"token\\": \\"<w:40>\\"}', "authToken: '<u:32>'", "ACCESS_TOKEN=<w:32>", "token: <h:40>\n", "?token=<w:24>&page=2"),
        spare=(
            '"max_tokens": 4096',
            "2403 tokens truncated…me/dev/sessions/2026/06/25/rollout-2026-06-25T04-07-10-019efc87-fa98-7971",
            "tokens: 1234567",
            "tokenizer: gpt2-medium-v1",
            "token_type=Bearer",
            "nextPageToken: CAoQ1a2b3c4d5e6f7",
            "token = get_token(a1b2)",
            "token: ${{ secrets.GITHUB_TOKEN }}",
            "token=<uuid>",
            "GITHUB_TOKEN: GITHUB_TOKEN_V2",
            "token: toolu_<w:24>",
            'token_uri: "https://oauth2.example.com/token"',
        ),
    ),
    _assigned(
        "api-key",
        "api_key apikey api-key api+key api_secret apitoken",
        value_is_token,
        catch=("api_key: '<h:32>'", '{"apiKey":"<w:32>"}', "SERVICE_API_KEY=<w:40>", "X-Api-Key: <w:32>\n", "x-api-key:<u:24>"),
        spare=(
            "apiKey: string",
            "API_KEY=your_api_key_1",
            "api_key=config.api_key",
            "apiKey: process.env.API_KEY",
            "api key: see 1password",
        ),
    ),
    _assigned(
        "access-key",
        "access_key accesskey access-key account_key accountkey sharedaccesskey shared_key sharedkey subscription-key functions-key storage_key",
        value_is_token,
        catch=(
            "access_key = '<w:40>'",
            '"accessKey": "<w:32>"',
            "AccountName=x;AccountKey=<s:86>==;",
            "SharedAccessKey=<s:43>=",
            "access_key=<w:32>",
        ),
        spare=("access_key: none", "AccountKey=...", "access-key: ${KEY}", "shared_key=compute_shared(k1)"),
    ),
    _assigned(
        "encryption-key",
        "encryption_key encryptionkey encryption-key encrypt_key master_key masterkey signing_key signingkey signing-key auth_key authkey auth-key "
        "hmac_key session_key service_key deploy_key webhook_key license_key app_key appkey client_key cookie_key private_key privatekey private-key secretkey",
        value_is_token,
        catch=(
            '"encryption_key": "<h:64>"',
            "signingKey = '<s:44>'",
            "MASTER_KEY=<h:32>",
            "RAILS_MASTER_KEY: <h:32>\n",
            "APP_KEY=base64:<s:43>=",
        ),
        spare=(
            "MLKEM768X25519PrivateKey = openssl.hpke.MLKEM768X25519PrivateKey",
            "private_key: PKCS7PrivateKeyTypes",
            '"PrivateKey", "MLKEM768X25519PublicKey"',
            "signing_key: keys/v1.pem",
            "master_key = derive(k1, n2)",
            "private_key: /etc/ssl/private/key1.pem",
            "session_key=session.key1",
        ),
    ),
    _assigned(
        "password",
        "pass pw psk userpass",
        value_is_password,
        short=True,
        catch=('"pass": "<w:14>"', "pass: <w:12>\n", "PW=<p:14>", "psk='<w:20>'", "user: bo / pass: <w:10>"),
        spare=("bypass: a1b2c3d4", "pass: 12 passed", "two_pass: true", "compass='n0rth-3ast'", "pass=true", "pass: skip1"),
    ),
    _assigned(
        "auth",
        "auth",
        value_is_long_token,
        short=True,
        catch=("auth: <w:32>\n", "auth='<h:40>'"),
        spare=("auth: oauth2-client", "oauth: a1b2c3d4e5f6a7b8c9d0", "auth=basic", "auth: auth-provider-v2-configuration"),
    ),
    _assigned(
        "credential",
        "credential creds auth_code authcode connection_pass db_pass dbpass _pass",
        value_is_password,
        catch=('credential: "<w:20>"', "creds='<w:16>'", "DB_PASS=<p:16>", "SMTP_PASS=<w:14>", "credentials: <w:24>\n"),
        spare=(
            "Credential=a/20240524/us-east-1/x/aws4_request,",
            "credentials: include",
            "credentials=service_account.Credentials(x1)",
            "DB_PASS=$1",
            "test_pass: 12",
            "two_pass: true",
        ),
    ),
)


ANY_KEY: Final = (
    Rule(
        kind="named-key",
        keywords=("key=", "key:", 'key"', "key'", "key\\", "key =", "key :"),
        pattern=rf"{_GATE}(?P<n>(?i:key)){_VALUE}",
        tail=_TAIL,
        accepts=in_place(value_is_any_key),
        catch=("stripe_key: '<w:32>'", 'mailerKey="<w:40>"', "MAPS_KEY=<w:36>", "KEY=<w:40>", "sendgrid-key: <w:40>\n"),
        spare=(
            "cache_key: 'v1-a1b2c3d4e5f6a7b8c9d0'",
            "public_key = '<w:40>'",
            '"key": "<w:40>"',
            'objectKey: "uploads/2024/a1b2c3d4e5f6.png"',
            "cache-key: v1-a1b2c3d4e5f6a7b8c9d0",
            "PUBLIC_KEY=<w:40>",
            "key: <w:40>",
            "monkey: a1b2c3d4e5f6a7b8c9d0",
        ),
        seen="configuration files, shells and code of every kind",
    ),
)

ASSIGNED: Final[tuple[Rule, ...]] = (*FAMILIES, *ANY_KEY)
