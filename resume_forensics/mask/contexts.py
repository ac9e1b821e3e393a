"""Rules for secrets that other surroundings give away: URLs, headers, cookies, flags, configuration files, sentences.

Rows only. The surroundings nominate, the value decides (`values.py`).
"""

# ruff: noqa: E501, PLR2004 (a pattern is read in one line; lengths as in values.py)

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from typing import Final

from resume_forensics.mask.assigned import QUOTE
from resume_forensics.mask.names import names_secret, plain_value
from resume_forensics.mask.rule import Candidate, Rule
from resume_forensics.mask.shapes import LETTER_BEFORE
from resume_forensics.mask.values import is_code, is_identifier, is_opaque, is_password, is_placeholder, is_token


def _uuid(value: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", value) is not None


def _is_url_password(found: Candidate) -> bool:
    value = found.value
    if (
        value.isdigit()
        or value.startswith(("$", "%(", "%s", "{", "<", "[", ":"))
        or (is_placeholder(value) and not is_opaque(value))
        or is_code(value)
    ):
        return False
    return found.text[found.end : found.end + 1] == "@" or (found.is_last and is_password(value))


def _is_flag_value(found: Candidate) -> bool:
    value = found.value
    if value.startswith(("-", "$", "{", "<", "[", "%(", "**", "@")) or (is_code(value) and not is_opaque(value)):
        return False
    return not (is_placeholder(value) or is_identifier(value) or (value.isalpha() and value.islower()))


def _is_basic(found: Candidate) -> bool:
    """Whether base64 decodes to `user:password`; the padding may be cut off."""
    value = found.value.rstrip("=")
    try:
        plain = b64decode(value[: len(value) // 4 * 4], validate=True).decode()
    except (NotBase64, UnicodeDecodeError):
        return False
    return (":" in plain or found.is_last) and plain.isprintable()


def _is_private_base64(found: Candidate) -> bool:
    return b"PRIVATE KEY" in b64decode(found.value[:88])


def _is_header_value(found: Candidate) -> bool:
    value = found.value
    if not names_secret(found) or is_code(value) or is_identifier(value):
        return False
    return is_opaque(value) or _is_basic(found) or (len(value) >= 12 and not is_placeholder(value) and any(c.isdigit() for c in value))


def _is_spoken(found: Candidate) -> bool:
    return is_password(plain_value(found.value)) and any(char.isdigit() for char in found.value) and names_secret(found)


def _has_opaque_cookie(found: Candidate) -> bool:
    pairs = (pair.partition("=")[2].strip() for pair in found.value.split(";"))
    return any(len(value) >= 8 and (is_opaque(value) or len(value) >= 20) and not is_code(value) for value in pairs)


_ENCODED_KEY: Final = b64encode(b"-----BEGIN EC " + b"PRIVATE KEY-----\nMH").decode()
_ENCODED_CERTIFICATE: Final = b64encode(b"-----BEGIN CERTIFICATE-----\nMI").decode()
_SCHEMES: Final = (
    r"(?i:Basic|Bearer|Token|Bot|ApiKey|Api-Key|Key|SSWS|GenieKey|Splunk|DeepL-Auth-Key|Negotiate|NTLM|OAuth|Digest|PRIVATE-TOKEN)"
)
_SPOKEN: Final = tuple(
    f"{name}{word}"
    for name in ("password", "passphrase", "passcode", "login", "token", "api key", "secret", "secret key")
    for word in (" is ", " is:", " was ", " was:", " are ", " to ", " for ", " of ", " as ", " will be ", " should be ", "s are ")
)
"""What people write before they give a secret away in a sentence."""

_FLAG: Final = r"(?<![\w-])(?:--?(?:[a-z0-9]{1,16}[-_.]){0,3}[a-z0-9]{1,16}|-|)"
"""What stands of a command-line flag before the dash or underscore of its last word."""

_DOC: Final = "RFC 9110"

CONTEXTS: Final[tuple[Rule, ...]] = (
    Rule(
        kind="url-credentials",
        keywords=("://", ":\\/\\/"),
        pattern=r":(?:\\{0,4}/){2}[^\s/:@\"'`<>\\(){}\[\],]{0,120}+:(?!(?:pass|password|postgres|root|secret)@)(?P<s>[^\s/@\"'`<>\\]{3,200}+)(?:@|\Z|…|\.\.\.)",
        accepts=_is_url_password,
        catch=(
            "postgres://svc:<w:16>@db.internal/app",
            "https://x-access-token:<w:40>@github.com/a/b.git",
            "redis://:<p:20>@cache:6379/0",
            "amqp:\\/\\/u:<w:12>@mq\\/v",
        ),
        spare=(
            "postgres://user:password@localhost/app",
            "http://localhost:3000/a@b",
            "postgres://postgres:postgres@db:5432/x",
            "https://u:${TOKEN}@host/x",
            "mysql://root:<password>@host",
            "http://[::1]:8080/",
            "https://user:****@host/",
        ),
        seen="RFC 3986",
    ),
    Rule(
        kind="url-credentials",
        keywords=("://", ":\\/\\/"),
        before=r"(?i:(?:https?|git|wss?|ftps?|rediss?|mongodb(?:\+srv)?|postgres(?:ql)?|amqps?))",
        pattern=r":(?:\\{0,4}/){2}(?P<s>[A-Za-z0-9_~.+=%-]{16,200}+)(?::x-oauth-basic)?@[A-Za-z0-9]",
        accepts=lambda found: is_opaque(found.value) and not is_identifier(found.value),
        catch=("https://<h:40>@github.com/acme/shop.git", "https://<h:32>@o42.ingest.sentry.io/7"),
        spare=(
            "ssh://git@github.com/acme/shop.git",
            "https://firstname.lastname@example.com/",
            "ssh://deploy-user-2024@build.example.com",
            "smp://<w:40>@host",
        ),
        seen="RFC 3986",
    ),
    Rule(
        kind="dsn-password",
        keywords=("@tcp(", "@unix(", "@("),
        before=r"(?<![\w/])[\w.-]{1,40}:[^\s/@\"'`<>\\:]{4,100}",
        pattern=r"@(?:tcp|unix)?\(",
        accepts=lambda found: is_password(found.value.rsplit("@", 1)[0].partition(":")[2]),
        catch=("root:<w:16>@tcp(127.0.0.1:3306)/shop",),
        spare=("root:password@tcp(localhost:3306)/x", "Q[:, k:k+2]@(G.T)", "dial @tcp(127.0.0.1)"),
        seen="Go's MySQL driver",
    ),
    Rule(
        kind="dsn-password",
        keywords=(":thin:", ":oci:"),
        pattern=r":(?:thin|oci):[A-Za-z0-9_.$#-]{1,60}/(?P<s>[^\s/@\"'`<>\\]{4,100}+)@",
        accepts=lambda found: is_password(found.value),
        catch=("jdbc:oracle:thin:scott/<w:12>@//host:1521/x",),
        spare=("jdbc:oracle:thin:user/password@host", "jdbc:oracle:thin:@host:1521/x"),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="auth-header",
        keywords=("authorization",),
        pattern=rf"(?i:authorization){QUOTE}?\]?[ \t]{{0,4}}(?:=>|:=|[:=,])[ \t]{{0,8}}+[a-z]?{QUOTE}?(?>(?:{_SCHEMES}[ \t]{{1,4}}(?:token=)?)?){QUOTE}?(?P<s>(?!AWS4-HMAC)[A-Za-z0-9._~+/=:-]{{8,1500}}+)",
        tail=r"[A-Za-z0-9._~+/=:-]*+",
        accepts=_is_header_value,
        catch=(
            "Authorization: Bearer <u:40>",
            "-H 'Authorization: Basic <basic:16>'",
            '\\"authorization\\": \\"token <h:40>\\"',
            "Proxy-Authorization: Basic <basic:12>",
            "Authorization: <w:32>",
        ),
        spare=(
            "Authorization: Bearer $TOKEN",
            "Authorization: Bearer <token>",
            "authorization: required",
            "Authorization: `Bearer ${token}`",
            "Authorization: Basic authentication",
            "Authorization = request.headers.get",
            "Authorization: AWS4-HMAC-SHA256 Credential=a/20240101/b/c/aws4_request",
            '"AWS::Config::AggregationAuthorization": "af318b77aaceeeaa"',
        ),
        seen=_DOC,
    ),
    Rule(
        kind="bearer",
        keywords=("bearer ", "bearer%20", "bearer+", "bearer:", "bearer="),
        pattern=rf"(?i:bearer)(?:[:=]?[ ]{{1,3}}|[:=]|%20|\+){QUOTE}?(?P<s>[A-Za-z0-9._~+/-]{{8,1500}}+={{0,2}})",
        tail=r"[A-Za-z0-9._~+/=-]*+",
        accepts=lambda found: is_token(found.value) and not is_code(found.value),
        catch=("send Bearer <u:40> along", "bearer <h:32>"),
        spare=("a bearer token is sent", "Bearer authentication", "Bearer YOUR_TOKEN_HERE", "bearer of bad news since 2024-01-01"),
        seen="RFC 6750",
    ),
    Rule(
        kind="basic-auth",
        keywords=("basic ",),
        pattern=r"(?i:basic)[ ]{1,3}(?P<s>[A-Za-z0-9+/]{8,400}+={0,2})",
        accepts=_is_basic,
        catch=("Basic <basic:14>", "basic <basic:9>"),
        spare=("basic authentication", "Basic usage", "basic understanding of it"),
        seen="RFC 7617",
    ),
    Rule(
        kind="docker-auth",
        keywords=('"auth"', '\\"auth\\"', "'auth'"),
        pattern=rf"{QUOTE}auth{QUOTE}[ \t]{{0,4}}:[ \t]{{0,4}}{QUOTE}(?P<s>[A-Za-z0-9+/]{{8,1500}}+={{0,2}})",
        accepts=lambda found: _is_basic(found) or is_token(found.value),
        catch=('{"auths": {"ghcr.io": {"auth": "<basic:30>"}}}',),
        spare=('"auth": "oauth2"', '"auth": "required"', '"auth": "bearer-v1"'),
        seen="Docker's config.json",
    ),
    Rule(
        kind="cookie",
        keywords=("cookie:", "cookie'", 'cookie"', "cookie\\", "cookie ="),
        pattern=rf"(?i:(?:set-)?cookie){QUOTE}?[ ]{{0,2}}[:=,][ ]{{0,4}}{QUOTE}?(?P<s>[A-Za-z0-9_.$-]{{1,64}}=[^\s;\"'`\\]{{1,1500}}+(?:;[ ]?[^\s;=\"'`\\]{{1,64}}(?:=[^\s;\"'`\\]{{0,400}}+)?)*)",
        accepts=_has_opaque_cookie,
        catch=("Cookie: sid=<w:32>; theme=dark", "Set-Cookie: session=<u:43>; Path=/; HttpOnly", "-H 'cookie: a=1; auth=<w:40>'"),
        spare=("Set-Cookie: theme=dark; Path=/", "cookie: false", "Cookie: name=value"),
        seen="RFC 6265",
    ),
    Rule(
        kind="session-cookie",
        keywords=("phpsessid", "jsessionid", "connect.sid", "laravel_session", "asp.net_sessionid"),
        pattern=r"(?i:phpsessid|jsessionid|connect\.sid|laravel_session|asp\.net_sessionid)(?:=|%3D|[\"']?:[ ]?[\"']?)(?P<s>[^\s;&<>\"'`\\]{8,600}+)",
        accepts=lambda found: len(found.value) >= 16 and any(map(str.isdigit, found.value)) and not is_identifier(found.value),
        catch=("JSESSIONID=<H:32>", "PHPSESSID=<l:26>;", "connect.sid=s%3A<u:32>.<s:43>"),
        spare=("PHPSESSID=", "jsessionid: required", "JSESSIONID=<session id>"),
        seen="server documentation",
    ),
    Rule(
        kind="flag-password",
        keywords=("-password", "-passwd", "-passphrase", "-pass", "-pwd", "-db_password", "-user_password"),
        before=_FLAG,
        pattern=rf"-(?i:(?:db_|user_)?password|passwd|passphrase|pass|pwd)(?:[ \t]{{1,4}}|=)(?:{QUOTE})?(?P<s>[^\s\"'`\\|;&<>]{{4,200}}+)",
        accepts=_is_flag_value,
        catch=("tool --password <w:12> run", "mysqldump --password=<p:12> shop", "cli --db-pass '<w:10>'", "x -password <w:12>"),
        spare=(
            "tool --password $PW",
            "tool --password <password>",
            "docker login --password-stdin registry",
            "--pass",
            "the --password options",
            "use --password=PASSWORD",
        ),
        seen="command lines",
    ),
    Rule(
        kind="flag-token",
        keywords=(
            "-token",
            "-secret",
            "-api-key",
            "-apikey",
            "-api_key",
            "-access-key",
            "-key",
            "-auth",
            "-access_token",
            "-auth_token",
            "-api_token",
            "-client_secret",
        ),
        before=_FLAG,
        pattern=rf"-(?i:(?:access_|auth_|api_)?token|(?:client_)?secret|api[-_]?key|access-key|key|auth)(?:-[a-z]{{2,12}})?(?:[ \t]{{1,4}}|=)(?:{QUOTE})?(?P<s>[^\s\"'`\\|;&<>(){{}}]{{8,400}}+)",
        accepts=lambda found: is_token(found.value),
        catch=("tool --token <w:32>", "cli --api-key=<h:32>", "deploy --auth-token '<u:40>'"),
        spare=("tool --token $TOKEN", "--token-file /run/a1b2c3d4", "--key server-key-2024.pem", "--api-key YOUR_API_KEY"),
        seen="command lines",
    ),
    Rule(
        kind="curl-user",
        keywords=("-u ", "--user ", "--user=", "-u'", '-u"', "--proxy-user ", "basic_auth", "basicauth", "basic-auth"),
        pattern=rf"(?:-u[ =]{{0,2}}|--(?:proxy-)?user[ =]{{0,2}}|(?i:basic[_-]?auth){QUOTE}?[ ]?[:=][ ]?){QUOTE}?[A-Za-z0-9_.@-]{{0,80}}:(?P<s>(?!%)[^\s\"'`\\]{{4,200}}+)",
        accepts=lambda found: is_password(found.value),
        catch=("curl -u admin:<w:14> https://host/", 'curl --user "bo:<p:16>" x', "curl -u :<w:24> x", "basic_auth: admin:<w:14>"),
        spare=(
            "basic_auth: enabled:v1",
            "docker run -u 1000:1000 img",
            "curl -u user:pass x",
            "chown -u root:wheel",
            "curl -u $USER:$PASS x",
            "-u name:group",
            "date -u +%Y-%m-%dT%H:%M:%S.%6NZ",
        ),
        seen="curl(1)",
    ),
    Rule(
        kind="tool-password",
        keywords=(
            "sshpass -p",
            "mysql ",
            "mysqldump ",
            "mysqladmin ",
            "redis-cli ",
            "docker login ",
            "podman login ",
            "ldapsearch ",
            "mongosh ",
            "az login ",
            "openssl enc ",
        ),
        pattern=r"(?:openssl enc|sshpass|mysql(?:dump|admin)?|redis-cli|(?:docker|podman) login|ldapsearch|mongosh|az login)(?:[ ][^\n|;&]{0,200}?)?[ ](?:-p|-a|-w|-k)[ ]{0,2}[\"']?"
        r"(?P<s>[^\s\"'`\\|;&<>-][^\s\"'`\\|;&<>]{3,200}+)",
        accepts=lambda found: is_password(found.value),
        catch=(
            "sshpass -p <w:12> ssh host",
            "mysql -u root -p<p:14> shop",
            "docker login -u bo -p '<w:20>' ghcr.io",
            "redis-cli -h h -a <w:24> ping",
        ),
        spare=("mysql -u root -p shop", "docker login -u bo --password-stdin", "sshpass -p $PW ssh host", "redis-cli -a password"),
        seen="command lines",
    ),
    Rule(
        kind="piped-password",
        keywords=("echo ", "printf "),
        pattern=r"(?:echo|printf)[ ](?:-n[ ])?(?:[\"']?%s\\n[\"']?[ ])?[\"']?(?P<s>[^\s\"'`\\|;&<>$][^\s\"'`\\|;&<>]{3,200}+)[\"']?[ ]?\|[ ]?"
        r"(?:sudo[ ]-S|[^|\n]{0,80}?(?:--password-stdin|--with-token|--stdin[ ]\w+|passwd|chpasswd|cryptsetup))",
        accepts=lambda found: not (is_code(found.value) or is_placeholder(found.value)),
        catch=(
            "echo <w:14> | sudo -S apt update",
            "echo '<w:30>' | docker login -u x --password-stdin",
            "echo -n <w:40> | gh auth login --with-token",
        ),
        spare=("echo $TOKEN | docker login --password-stdin", "echo hello | cat", "echo password | sudo -S id"),
        seen="command lines",
    ),
    Rule(
        kind="openssl-password",
        keywords=("pass pass:", "passin pass:", "passout pass:"),
        pattern=r"pass(?:in|out)?[ ]pass:(?P<s>[^\s\"'`\\|;&<>]{4,200}+)",
        accepts=_is_flag_value,
        catch=("openssl rsa -passin pass:<w:14> -in k.pem",),
        spare=("-passin pass:$PW", "-passout pass:password"),
        seen="openssl(1)",
    ),
    Rule(
        kind="netrc-password",
        keywords=("machine ",),
        pattern=r"machine\s{1,4}\S{1,120}\s{1,8}login\s{1,4}\S{1,120}\s{1,8}password\s{1,4}(?P<s>\S{4,200}+)",
        accepts=_is_flag_value,
        catch=("machine api.example.com login bo password <p:16>\n", "machine h\n  login bo\n  password <w:12>\n"),
        spare=("machine h login bo password $PW", "machine learning login password"),
        seen="netrc(5)",
    ),
    Rule(
        kind="npmrc-auth",
        keywords=("_authtoken", "_auth"),
        pattern=rf"{LETTER_BEFORE}_auth(?:Token)?{QUOTE}?[ ]{{0,2}}[=:][ ]{{0,2}}{QUOTE}?(?P<s>[A-Za-z0-9+/_.=-]{{8,600}}+)",
        accepts=lambda found: is_opaque(found.value) or _is_basic(found) or (_uuid(found.value)),
        catch=("//npm.example.com/:_authToken=<uuid>", "_auth = <s:40>", "//npm.example.com/:_authToken=<w:36>"),
        spare=("//npm.example.com/:_authToken=${NPM_TOKEN}", "_auth=true", "is_auth: required", "proxy_auth = base64.b64encode(x1)"),
        seen="npm's .npmrc",
    ),
    Rule(
        kind="sql-password",
        keywords=("identified by", "with password", "set password"),
        pattern=rf"(?i:identified by|with password|set password(?:[ ]=)?)[ ]{{1,4}}(?:PASSWORD\()?{QUOTE}(?P<s>[^\s\"'`\\]{{4,200}}+)",
        accepts=_is_flag_value,
        catch=("CREATE USER x IDENTIFIED BY '<w:14>';", "ALTER ROLE x WITH PASSWORD '<p:16>'"),
        spare=("a library identified by 'name'", "IDENTIFIED BY 'password'", "login with password 'x'"),
        seen="SQL",
    ),
    Rule(
        kind="secure-string",
        keywords=("convertto-securestring",),
        pattern=rf"(?i:ConvertTo-SecureString)(?:[ ]-String)?[ ]{{1,3}}{QUOTE}(?P<s>[^\s\"'`\\]{{4,200}}+)",
        accepts=_is_flag_value,
        catch=('ConvertTo-SecureString "<p:16>" -AsPlainText -Force',),
        spare=("ConvertTo-SecureString $plain -AsPlainText", 'ConvertTo-SecureString "password"'),
        seen="PowerShell",
    ),
    Rule(
        kind="spoken-password",
        keywords=_SPOKEN,
        pattern=r"(?P<n>(?i:password|passphrase|passcode|login|token|api key|secret(?: key)?)s?)(?:[ ](?:for|of|to)(?:[ ][\w.@/'-]{1,40}){1,4}?)?[ ](?:is|was|are|to|as|will be|should be)(?:[ ]now)?[: ]{1,3}[`\"'*]{0,3}"
        r"(?P<s>[^\s`\"',;<>(){}\\]{6,200}+)",
        accepts=_is_spoken,
        catch=("the password is <w:12>", "Password for bo is `<w:14>`", "set the token to <w:24>", "the api key was: <h:32>"),
        spare=(
            "the password is hashed",
            "password is stored in vault2.example.com/path",
            "the token is valid",
            "password was changed 2024-01-01",
        ),
        seen="what people type",
    ),
    Rule(
        kind="presigned-signature",
        keywords=("sig=", "x-amz-signature=", "x-goog-signature=", "x-amz-security-token=", "signature="),
        pattern=r"(?i:(?<=[?&;])sig|x-amz-signature|x-goog-signature|x-amz-security-token|(?<=[?&])signature)=(?P<s>(?>(?:[A-Za-z0-9/+~_-]|%[0-9A-Fa-f]{2}){32,1500})=?)",
        tail=r"(?:[A-Za-z0-9/+~_-]++|%[0-9A-Fa-f]{2})*=?",
        accepts=lambda found: is_opaque(found.value),
        catch=("?sv=2022-11-02&sp=r&sig=<w:43>%3D", "&X-Amz-Signature=<h:64>", "X-Goog-Signature=<h:512>&x=1"),
        spare=("&sig=none", "X-Amz-Signature=...", "?signature=required"),
        seen="the vendors' documentation",
    ),
    Rule(
        kind="pem-base64",
        keywords=("ls0tls1crudjti",),
        pattern=r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,1500}+={0,2}",
        tail=r"[A-Za-z0-9+/]*+={0,2}",
        accepts=_is_private_base64,
        catch=(_ENCODED_KEY + "<s:300>", f"PRIVATE: {_ENCODED_KEY}<s:1200>=="),
        spare=("LS0tLS1CRUdJTi", _ENCODED_CERTIFICATE + "<s:300>"),
        seen="kubeconfig, CI variables",
    ),
    Rule(
        kind="kube-client-key",
        keywords=("client-key-data",),
        pattern=rf"client-key-data{QUOTE}?:[ ]{{0,4}}{QUOTE}?(?P<s>[A-Za-z0-9+/]{{8,1500}}+={{0,2}})",
        tail=r"[A-Za-z0-9+/]*+={0,2}",
        catch=("    client-key-data: <s:400>=\n",),
        spare=("client-key-data: <base64>", "client-key-data: ${KEY}"),
        seen="kubeconfig",
    ),
)
