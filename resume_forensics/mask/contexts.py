r"""Rules for secrets that only their surroundings give away: assignments, flags, headers, URLs, configuration files, sentences.

Rows only. The name of a thing nominates; the value decides (`values.py`). The spelling may be a shell's, YAML's, JSON's at any depth
of escaping, a programming language's, XML's, a query string's.
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from itertools import chain
from typing import Final

from resume_forensics.mask.rule import Candidate, Rule, Test
from resume_forensics.mask.values import is_code, is_identifier, is_opaque, is_password, is_placeholder, is_token

_QUOTE: Final = r"(?:\\{0,8}(?:[\"'`]{1,3}|&quot;|&\#3[49];))"
_REST: Final = r"(?:[sS](?![A-Za-z]))?(?:[A-Z][a-z0-9]{1,15}){0,3}[0-9]{0,4}(?:[_\-.][A-Za-z0-9]{1,16}){0,4}"
_NAME_END: Final = rf"(?:{_QUOTE}|\]|\*\*){{0,2}}"
_VALUE_LINK: Final = rf"{_QUOTE}?,?\s{{1,40}}{_QUOTE}?(?i:value){_QUOTE}?[ ]?[:=][ ]{{0,4}}|{_QUOTE},{_QUOTE}(?i:value){_QUOTE}[ ]?:[ ]?"
_SEP_QUOTED: Final = (
    rf"(?:{_NAME_END}[ \t]{{0,16}}(?::[ \t]?[A-Za-z][\w.\[\]|? ]{{0,40}}?[ \t]?=|=>|:=|\?=|\+=|={{1,3}}|!={{1,2}}|:|->|,|\||\()[ \t]{{0,16}}\n?[ \t]{{0,16}}"
    rf"|[ \t]{{1,4}}|{_VALUE_LINK})"
)
_SEP_BARE: Final = rf"(?:{_NAME_END}[ \t]{{0,16}}(?:=>|:=|\?=|={{1,2}}|:|>|\|)\*{{0,2}}[ \t]{{0,16}}|{_VALUE_LINK})"
_IN_QUOTES: Final = r"(?:[^\"'`\\\s]|\\{1,8}[^\"'`\\\snrt]){4,400}+"
_BARE: Final = r"(?:[^\s\"'`,;<>(){}\[\]|\\&]|\\{1,8}/){4,400}+"

_SPARE_ENDINGS: Final = re.compile(
    r"(?i)(?:count|limit|type|ur[il]s?|endpoint|path|file|filename|dir|name|names|ids?|length|len|size|expir\w*|ttl|budget|usage|used|window|prompt"
    r"|field|label|hint|policy|env|index|status|version|format|alg|algorithm|provider|regex|pattern|prefix|suffix|error|required|enabled|valid"
    r"|ref|arn|store|manager|source|placeholder|title|description|message|reset|change|strategy|rule|rules|mode|scope|scopes|issuer|audience"
    r"|per|rate|price|cost|total|max|min|class|handler|service|helper|input|output|column|table|key_?ref|version_?id|hash_?algo\w*)$"
)
_SPARE_STARTS: Final = re.compile(
    r"(?i)(?:^|[_\-.])(?:next|page|prev|previous|continuation|sync|cursor|pagination|max|min|num|total|input|output|prompt|completion|cache|cached|read|stop"
    r"|eos|bos|pad|unk|mask|special|public|primary|foreign|sort|partition|idempotency|dedupe|etag|commit|git|object|storage|query|row|group"
    r"|index|map|lookup|translation|i18n|hot|short|arrow|host|known|reserved|design|syntax|lexer|parse|start|end|first|last|reasoning|budget)"
    r"(?:(?:[_\-. ]|(?-i:(?=[A-Z][a-z])))[a-z]{1,12})?[_\-. ]?$"
)
_NAME_BEFORE: Final = re.compile(r"[A-Za-z0-9_.\-]{0,40}\Z")


def _name_parts(found: Candidate) -> tuple[str, str]:
    """What the name has before its keyword, and the name from the keyword on."""
    before = _NAME_BEFORE.search(found.text, max(0, found.at - 40), found.at)
    name = found.match["n"] if "n" in found.match.re.groupindex else ""
    return (before.group() if before else ""), name or ""


def _names_secret(found: Candidate) -> bool:
    """Whether the name means the secret itself, not its length, its place or its cursor."""
    before, name = _name_parts(found)
    return not (_SPARE_ENDINGS.search(name) or _SPARE_STARTS.search(before))


def _is_closed(found: Candidate) -> bool:
    """Whether a quoted value ends with its quotation mark (or with the text), so that it is no first word of a sentence."""
    return found.is_last or found.text[found.end] in "\"'`\\&"


def _quoted(test: Test) -> Test:
    def accepts(found: Candidate) -> bool:
        return test(found) and _names_secret(found) and (_is_closed(found) or (len(found.value) >= 16 and is_token(found.value)))  # noqa: PLR2004

    return accepts


def _bare(test: Test) -> Test:
    def accepts(found: Candidate) -> bool:
        follows = found.text[found.end : found.end + 1]
        return follows not in ("(", "[", "{") and test(found) and _names_secret(found)

    return accepts


def _value_is_password(found: Candidate) -> bool:
    return is_password(_plain(found.value))


def _value_is_token(found: Candidate) -> bool:
    return is_token(_plain(found.value))


def _plain(value: str) -> str:
    """The value without escapes of the slash and without the end of a sentence."""
    return re.sub(r"\\+/", "/", value).rstrip(".,:!?*")


def _assigned(kind: str, words: str, test: Test, *, catch: tuple[str, ...], spare: tuple[str, ...]) -> tuple[Rule, ...]:
    """Two rules for one family of names: with the value in quotation marks, and bare. `words` are parted by spaces."""
    keywords = tuple(words.replace("+", " ") for words in words.split())
    name = rf"(?P<n>(?i:{'|'.join(re.escape(word) for word in sorted(keywords, key=len, reverse=True))}){_REST})"
    common = {"kind": kind, "keywords": keywords, "spare": spare, "seen": "configuration files, shells and code of every kind"}
    return (
        Rule(**common, pattern=rf"{name}{_SEP_QUOTED}{_QUOTE}(?P<s>{_IN_QUOTES})", accepts=_quoted(test), catch=catch[:2]),  # type: ignore[arg-type]
        Rule(**common, pattern=rf"{name}{_SEP_BARE}(?P<s>{_BARE})", accepts=_bare(test), catch=catch[2:]),  # type: ignore[arg-type]
    )


ASSIGNED: Final = chain.from_iterable(
    (
        _assigned(
            "password",
            "password passwd passwort pwd",
            _value_is_password,
            catch=('{"password": "<p:14>"}', "db_passwd = '<w:12>'", "DB_PASSWORD=<w:16>", "password: <p:16>\n", "?user=bo&password=<w:12>&x=1"),
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
            ),
        ),
        _assigned(
            "passphrase",
            "passphrase passcode pass_phrase",
            _value_is_password,
            catch=('passphrase: "<p:14>"', "passphrase='<w:12>'", "GPG_PASSPHRASE=<w:16>", "passphrase: <w:20>\n"),
            spare=("passphrase: none", "passphrase = prompt()", 'passphrase: "${PASSPHRASE}"'),
        ),
        _assigned(
            "secret",
            "secret",
            _value_is_token,
            catch=('"client_secret":"<w:32>"', "secretKey = '<s:40>'", "AWS_SECRET_ACCESS_KEY=<s:40>", "secret: <h:40>\n", "JWT_SECRET=<u:43>"),
            spare=(
                "secretName: db-credentials-v2",
                "secret = vault.read('x1')",
                "SECRET_KEY=${SECRET_KEY}",
                'secret: "<uuid>"',
                "client_secret: your-client-secret",
                "secret: arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-AbCdEf",
            ),
        ),
        _assigned(
            "token",
            "token",
            _value_is_token,
            catch=('{\\"token\\": \\"<w:40>\\"}', "authToken: '<u:32>'", "ACCESS_TOKEN=<w:32>", "token: <h:40>\n", "?token=<w:24>&page=2"),
            spare=(
                '"max_tokens": 4096',
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
            _value_is_token,
            catch=("api_key: '<h:32>'", '{"apiKey":"<w:32>"}', "SERVICE_API_KEY=<w:40>", "X-Api-Key: <w:32>\n", "x-api-key:<u:24>"),
            spare=("apiKey: string", "API_KEY=your_api_key_1", "api_key=config.api_key", "apiKey: process.env.API_KEY", "api key: see 1password"),
        ),
        _assigned(
            "access-key",
            "access_key accesskey access-key account_key accountkey sharedaccesskey shared_key sharedkey subscription-key functions-key storage_key",
            _value_is_token,
            catch=("access_key = '<w:40>'", '"accessKey": "<w:32>"', "AccountName=x;AccountKey=<s:86>==;", "SharedAccessKey=<s:43>=", "access_key=<w:32>"),
            spare=("access_key: none", "AccountKey=...", "access-key: ${KEY}", "shared_key=compute_shared(k1)"),
        ),
        _assigned(
            "encryption-key",
            "encryption_key encryptionkey encryption-key encrypt_key master_key masterkey signing_key signingkey signing-key auth_key authkey auth-key "
            "hmac_key session_key service_key deploy_key webhook_key license_key app_key appkey client_key cookie_key private_key privatekey private-key secretkey",
            _value_is_token,
            catch=('"encryption_key": "<h:64>"', "signingKey = '<s:44>'", "MASTER_KEY=<h:32>", "RAILS_MASTER_KEY: <h:32>\n", "APP_KEY=base64:<s:43>="),
            spare=("signing_key: keys/v1.pem", "master_key = derive(k1, n2)", "private_key: /etc/ssl/private/key1.pem", "session_key=session.key1"),
        ),
        _assigned(
            "credential",
            "credential creds auth_code authcode connection_pass db_pass dbpass _pass",
            _value_is_password,
            catch=('credential: "<w:20>"', "creds='<w:16>'", "DB_PASS=<p:16>", "SMTP_PASS=<w:14>", "credentials: <w:24>\n"),
            spare=("credentials: include", "credentials=service_account.Credentials(x1)", "DB_PASS=$1", "test_pass: 12", "two_pass: true"),
        ),
    ),
)


def _value_is_any_key(found: Candidate) -> bool:
    """A long opaque value under a name that ends in key: digests and ids have such names too, so one case of hex is not enough."""
    value = _plain(found.value)
    before, _ = _name_parts(found)
    if len(before.strip("_-.")) < 2 or not is_token(value) or len(value) < 20:  # noqa: PLR2004 (bounds of meaning)
        return False
    return before.isupper() or not re.fullmatch(r"[0-9a-f-]+", value)


ANY_KEY: Final = (
    Rule(
        kind="named-key",
        keywords=("key=", "key:", 'key"', "key'", "key\\", "key =", "key :"),
        pattern=rf"(?P<n>(?i:key)){_SEP_QUOTED}{_QUOTE}(?P<s>{_IN_QUOTES})",
        accepts=_quoted(_value_is_any_key),
        catch=("stripe_key: '<w:32>'", 'mailerKey="<w:40>"'),
        spare=("cache_key: 'v1-a1b2c3d4e5f6a7b8c9d0'", "public_key = '<w:40>'", '"key": "<w:40>"', 'objectKey: "uploads/2024/a1b2c3d4e5f6.png"'),
        seen="configuration files, shells and code of every kind",
    ),
    Rule(
        kind="named-key",
        keywords=("key=", "key:", 'key"', "key'", "key\\", "key =", "key :"),
        pattern=rf"(?P<n>(?i:key)){_SEP_BARE}(?P<s>{_BARE})",
        accepts=_bare(_value_is_any_key),
        catch=("MAPS_KEY=<w:36>", "sendgrid-key: <w:40>\n"),
        spare=("cache-key: v1-a1b2c3d4e5f6a7b8c9d0", "PUBLIC_KEY=<w:40>", "key: <w:40>", "monkey: a1b2c3d4e5f6a7b8c9d0"),
        seen="configuration files, shells and code of every kind",
    ),
)


def _is_url_password(found: Candidate) -> bool:
    value = found.value
    if is_code(value) or is_placeholder(value) and not is_opaque(value) or value.isdigit() or value.startswith(("$", "%", "{", "<", "[", "*", ":")):
        return False
    return found.text[found.end : found.end + 1] == "@" or (found.is_last and is_password(value))


def _is_flag_value(found: Candidate) -> bool:
    value = found.value
    return not (is_code(value) or is_placeholder(value) or is_identifier(value) or value.startswith("-"))


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
    if is_code(value) or is_identifier(value):
        return False
    return is_opaque(value) or _is_basic(found) or (len(value) >= 12 and not is_placeholder(value) and any(c.isdigit() for c in value))  # noqa: PLR2004


def _is_spoken(found: Candidate) -> bool:
    return is_password(_plain(found.value)) and any(char.isdigit() for char in found.value) and _names_secret(found)


def _has_opaque_cookie(found: Candidate) -> bool:
    pairs = (pair.partition("=")[2].strip() for pair in found.value.split(";"))
    return any(len(value) >= 8 and (is_opaque(value) or len(value) >= 20) and not is_code(value) for value in pairs)  # noqa: PLR2004


_ENCODED_KEY: Final = b64encode(b"-----BEGIN EC " + b"PRIVATE KEY-----\nMH").decode()
_ENCODED_CERTIFICATE: Final = b64encode(b"-----BEGIN CERTIFICATE-----\nMI").decode()
_SCHEMES: Final = r"(?i:Basic|Bearer|Token|Bot|ApiKey|Api-Key|Key|SSWS|GenieKey|Splunk|DeepL-Auth-Key|Negotiate|NTLM|OAuth|Digest|PRIVATE-TOKEN)"
_DOC: Final = "RFC 9110"

SURROUNDED: Final = (
    Rule(
        kind="url-credentials",
        keywords=("://", ":\\/\\/"),
        pattern=r":(?:\\{0,4}/){2}(?:[^\s/:@\"'`<>\\(){}\[\],]{0,120}+):(?P<s>[^\s/@\"'`<>\\]{3,200}+)(?:@|\Z|…|\.\.\.)",
        accepts=_is_url_password,
        catch=("postgres://svc:<w:16>@db.internal/app", "https://x-access-token:<w:40>@github.com/a/b.git", "redis://:<p:20>@cache:6379/0", "amqp:\\/\\/u:<w:12>@mq\\/v"),
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
        pattern=r":(?:\\{0,4}/){2}(?P<s>[A-Za-z0-9_~.+=%-]{16,200}+)(?::x-oauth-basic)?@[A-Za-z0-9]",
        accepts=lambda found: is_opaque(found.value) and not is_identifier(found.value),
        catch=("https://<h:40>@github.com/acme/shop.git", "https://<h:32>@o42.ingest.sentry.io/7"),
        spare=("ssh://git@github.com/acme/shop.git", "https://firstname.lastname@example.com/", "ssh://deploy-user-2024@build.example.com"),
        seen="RFC 3986",
    ),
    Rule(
        kind="dsn-password",
        keywords=("@tcp(", "@unix(", "@("),
        before=r"(?<![\w/])[\w.-]{1,40}:[^\s/@\"'`<>\\:]{4,100}",
        pattern=r"@(?:tcp|unix)?\(",
        accepts=lambda found: not is_placeholder(found.value.rsplit("@", 1)[0].partition(":")[2]),
        catch=("root:<w:16>@tcp(127.0.0.1:3306)/shop",),
        spare=("root:password@tcp(localhost:3306)/x", "dial @tcp(127.0.0.1)"),
        seen="Go's MySQL driver",
    ),
    Rule(
        kind="auth-header",
        keywords=("authorization",),
        pattern=rf"(?i:authorization){_QUOTE}?\]?[ \t]{{0,4}}(?:=>|:=|[:=,])[ \t]{{0,8}}[a-z]?{_QUOTE}?(?:{_SCHEMES}[ \t]{{1,4}}(?:token=)?)?{_QUOTE}?(?P<s>[A-Za-z0-9._~+/=:-]{{8,1500}}+)",
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
        ),
        seen=_DOC,
    ),
    Rule(
        kind="bearer",
        keywords=("bearer ", "bearer%20", "bearer+"),
        pattern=rf"(?i:bearer)(?:[ ]{{1,3}}|%20|\+){_QUOTE}?(?P<s>[A-Za-z0-9._~+/-]{{8,1500}}+={{0,2}})",
        tail=r"[A-Za-z0-9._~+/=-]*+",
        accepts=lambda found: is_token(found.value) and not is_code(found.value),
        catch=("send Bearer <u:40> along", "bearer <h:32>"),
        spare=("a bearer token is sent", "Bearer authentication", "Bearer YOUR_TOKEN_HERE", "bearer of bad news since 2024-01-01"),
        seen="seed 003, RFC 6750",
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
        pattern=rf"{_QUOTE}auth{_QUOTE}[ \t]{{0,4}}:[ \t]{{0,4}}{_QUOTE}(?P<s>[A-Za-z0-9+/]{{8,1500}}+={{0,2}})",
        accepts=lambda found: _is_basic(found) or is_token(found.value),
        catch=('{"auths": {"ghcr.io": {"auth": "<basic:30>"}}}',),
        spare=('"auth": "oauth2"', '"auth": "required"', '"auth": "bearer-v1"'),
        seen="Docker's config.json",
    ),
    Rule(
        kind="cookie",
        keywords=("cookie:", "cookie'", 'cookie"', "cookie\\", "cookie ="),
        pattern=rf"(?i:(?:set-)?cookie){_QUOTE}?[ ]{{0,2}}[:=,][ ]{{0,4}}{_QUOTE}?(?P<s>[A-Za-z0-9_.$-]{{1,64}}=[^\s;\"'`\\]{{1,1500}}+(?:;[ ]?[^\s;=\"'`\\]{{1,64}}(?:=[^\s;\"'`\\]{{0,400}}+)?)*+)",
        accepts=_has_opaque_cookie,
        catch=("Cookie: sid=<w:32>; theme=dark", "Set-Cookie: session=<u:43>; Path=/; HttpOnly", "-H 'cookie: a=1; auth=<w:40>'"),
        spare=("Set-Cookie: theme=dark; Path=/", "cookie: false", "Cookie: name=value"),
        seen="RFC 6265",
    ),
    Rule(
        kind="session-cookie",
        keywords=("phpsessid", "jsessionid", "connect.sid", "laravel_session", "asp.net_sessionid", "_session_id"),
        pattern=r"(?i:phpsessid|jsessionid|connect\.sid|laravel_session|asp\.net_sessionid|_session_id)(?:=|%3D|[\"']?:[ ]?[\"']?)(?P<s>[^\s;&\"'`\\]{8,600}+)",
        accepts=lambda found: is_opaque(found.value) and not is_identifier(found.value),
        catch=("JSESSIONID=<H:32>", "PHPSESSID=<l:26>;", "connect.sid=s%3A<u:32>.<s:43>"),
        spare=("PHPSESSID=", "jsessionid: required", "JSESSIONID=<session id>"),
        seen="server documentation",
    ),
    Rule(
        kind="flag-password",
        keywords=("password", "passwd", "passphrase", "pass", "pwd"),
        before=r"(?<![\w-])--?(?:[a-z0-9]{1,16}[-_.]){0,4}",
        pattern=rf"(?i:password|passwd|passphrase|pass|pwd)(?:[ \t]{{1,4}}|=)(?:{_QUOTE})?(?P<s>[^\s\"'`\\|;&<>]{{4,200}}+)",
        accepts=_is_flag_value,
        catch=("tool --password <w:12> run", "mysqldump --password=<p:12> shop", "cli --db-pass '<w:10>'", "x -password <w:12>"),
        spare=("tool --password $PW", "tool --password <password>", "docker login --password-stdin registry", "--pass", "use --password=PASSWORD"),
        seen="command lines",
    ),
    Rule(
        kind="flag-token",
        keywords=("token", "secret", "api-key", "apikey", "api_key", "access-key", "key", "auth"),
        before=r"(?<![\w-])--?(?:[a-z0-9]{1,16}[-_.]){0,4}",
        pattern=rf"(?i:token|secret|api[-_]?key|access-key|key|auth)(?:-[a-z]{{2,12}})?(?:[ \t]{{1,4}}|=)(?:{_QUOTE})?(?P<s>[^\s\"'`\\|;&<>(){{}}]{{8,400}}+)",
        accepts=lambda found: is_token(found.value),
        catch=("tool --token <w:32>", "cli --api-key=<h:32>", "deploy --auth-token '<u:40>'"),
        spare=("tool --token $TOKEN", "--token-file /run/a1b2c3d4", "--key server-key-2024.pem", "--api-key YOUR_API_KEY"),
        seen="command lines",
    ),
    Rule(
        kind="curl-user",
        keywords=("-u ", "--user ", "--user=", "-u'", '-u"', "--proxy-user "),
        pattern=rf"(?:-u|--(?:proxy-)?user)[ =]{{0,2}}{_QUOTE}?[^\s:\"'`\\/]{{0,80}}:(?P<s>[^\s\"'`\\]{{4,200}}+)",
        accepts=lambda found: is_password(found.value),
        catch=("curl -u admin:<w:14> https://host/", 'curl --user "bo:<p:16>" x', "curl -u :<w:24> x"),
        spare=("docker run -u 1000:1000 img", "curl -u user:pass x", "chown -u root:wheel", "curl -u $USER:$PASS x", "-u name:group"),
        seen="curl(1)",
    ),
    Rule(
        kind="tool-password",
        keywords=("sshpass -p", "mysql ", "mysqldump ", "mysqladmin ", "redis-cli ", "docker login ", "podman login ", "ldapsearch ", "mongosh ", "az login "),
        pattern=r"(?:sshpass|mysql(?:dump|admin)?|redis-cli|(?:docker|podman) login|ldapsearch|mongosh|az login)(?:[ ][^\n|;&]{0,200}?)?[ ](?:-p|-a|-w)[ ]{0,2}[\"']?"
        r"(?P<s>[^\s\"'`\\|;&<>-][^\s\"'`\\|;&<>]{3,200}+)",
        accepts=lambda found: is_password(found.value),
        catch=("sshpass -p <w:12> ssh host", "mysql -u root -p<p:14> shop", "docker login -u bo -p '<w:20>' ghcr.io", "redis-cli -h h -a <w:24> ping"),
        spare=("mysql -u root -p shop", "docker login -u bo --password-stdin", "sshpass -p $PW ssh host", "redis-cli -a password"),
        seen="command lines",
    ),
    Rule(
        kind="piped-password",
        keywords=("echo ", "printf "),
        pattern=r"(?:echo|printf)[ ](?:-n[ ])?(?:[\"']?%s\\n[\"']?[ ])?[\"']?(?P<s>[^\s\"'`\\|;&<>$][^\s\"'`\\|;&<>]{3,200}+)[\"']?[ ]?\|[ ]?"
        r"(?:sudo[ ]-S|[^|\n]{0,80}?(?:--password-stdin|--with-token|--stdin[ ]\w+|passwd|chpasswd|cryptsetup))",
        accepts=lambda found: not (is_code(found.value) or is_placeholder(found.value)),
        catch=("echo <w:14> | sudo -S apt update", "echo '<w:30>' | docker login -u x --password-stdin", "echo -n <w:40> | gh auth login --with-token"),
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
        pattern=rf"_auth(?:Token)?{_QUOTE}?[ ]{{0,2}}[=:][ ]{{0,2}}{_QUOTE}?(?P<s>[A-Za-z0-9+/_.=-]{{8,600}}+)",
        accepts=lambda found: is_opaque(found.value) or _is_basic(found) or (_uuid(found.value)),
        catch=("//registry.npmjs.org/:_authToken=<uuid>", "_auth = <s:40>", "//npm.example.com/:_authToken=<w:36>"),
        spare=("//registry.npmjs.org/:_authToken=${NPM_TOKEN}", "_auth=true", "is_auth: required"),
        seen="npm's .npmrc",
    ),
    Rule(
        kind="sql-password",
        keywords=("identified by", "with password", "set password"),
        pattern=rf"(?i:identified by|with password|set password(?:[ ]=)?)[ ]{{1,4}}(?:PASSWORD\()?{_QUOTE}(?P<s>[^\s\"'`\\]{{4,200}}+)",
        accepts=_is_flag_value,
        catch=("CREATE USER x IDENTIFIED BY '<w:14>';", "ALTER ROLE x WITH PASSWORD '<p:16>'"),
        spare=("IDENTIFIED BY 'password'", "login with password 'x'"),
        seen="SQL",
    ),
    Rule(
        kind="secure-string",
        keywords=("convertto-securestring",),
        pattern=rf"(?i:ConvertTo-SecureString)(?:[ ]-String)?[ ]{{1,3}}{_QUOTE}(?P<s>[^\s\"'`\\]{{4,200}}+)",
        accepts=_is_flag_value,
        catch=('ConvertTo-SecureString "<p:16>" -AsPlainText -Force',),
        spare=("ConvertTo-SecureString $plain -AsPlainText", 'ConvertTo-SecureString "password"'),
        seen="PowerShell",
    ),
    Rule(
        kind="spoken-password",
        keywords=("password", "passphrase", "passcode", "login", "token", "api key", "secret"),
        pattern=r"(?P<n>(?i:password|passphrase|passcode|login|token|api key|secret(?: key)?)s?)(?:[ ](?:for|of|to)(?:[ ][\w.@/'-]{1,40}){1,4}?)?[ ](?:is|was|are|to|as|will be|should be)(?:[ ]now)?[: ]{1,3}[`\"'*]{0,3}"
        r"(?P<s>[^\s`\"',;<>(){}\\]{6,200}+)",
        accepts=_is_spoken,
        catch=("the password is <w:12>", "Password for bo is `<w:14>`", "set the token to <w:24>", "the api key was: <h:32>"),
        spare=("the password is hashed", "password is stored in vault2.example.com/path", "the token is valid", "password was changed 2024-01-01"),
        seen="what people type",
    ),
    Rule(
        kind="presigned-signature",
        keywords=("sig=", "x-amz-signature=", "x-goog-signature=", "x-amz-security-token=", "signature="),
        pattern=r"(?i:(?<=[?&;])sig|x-amz-signature|x-goog-signature|x-amz-security-token|(?<=[?&])signature)=(?P<s>(?:[A-Za-z0-9/+~_-]|%[0-9A-Fa-f]{2}){32,1500}+=?)",
        tail=r"(?:[A-Za-z0-9/+~_-]|%[0-9A-Fa-f]{2})*+=?",
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
        pattern=rf"client-key-data{_QUOTE}?:[ ]{{0,4}}{_QUOTE}?(?P<s>[A-Za-z0-9+/]{{8,1500}}+={{0,2}})",
        tail=r"[A-Za-z0-9+/]*+={0,2}",
        catch=("    client-key-data: <s:400>=\n",),
        spare=("client-key-data: <base64>", "client-key-data: ${KEY}"),
        seen="kubeconfig",
    ),
)


def _uuid(value: str) -> bool:
    return re.fullmatch(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", value) is not None


CONTEXTS: Final[tuple[Rule, ...]] = tuple(chain(SURROUNDED, ASSIGNED, ANY_KEY))
