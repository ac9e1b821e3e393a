r"""Rules for secrets that are blocks or have an inner mark: private keys of every armour, JWTs, bots, tokens without a prefix.

Rows only. Blocks run to their END mark, or as far as lines look like body: through line-number gutters, diff marks, quotation
marks and escaped newlines.
"""

# ruff: noqa: E501, PLR2004 (as in contexts.py)

from base64 import b64encode
from itertools import chain
from typing import Final

from resume_forensics.mask.rule import Candidate, Rule
from resume_forensics.mask.shapes import LETTER_BEFORE, NOT_IN_BASE64
from resume_forensics.mask.values import has_spread, is_opaque

_BETWEEN: Final = r"(?:\s|\\{1,8}[nrt\"'`]|\\{1,8}u000[aAdD]|\\(?=\r?\n)|[\"'`+,;.>|│#*→]|-(?!-)|\d{1,6}(?=[ ]{0,4}(?:[:→|│>\t-]|\\{1,8}t))|:|//(?=\s)|<br[ ]*/?>|&\#10;)"
"""What may stand between two lines of a block: the break itself, and what editors, diffs and languages put around it."""

_GAP: Final = rf"{_BETWEEN}{{1,60}}+"
_HEADER: Final = r"(?:[A-Z][A-Za-z-]{2,24}:[ ][^\n\\]{0,120}+)"
_BODY: Final = r"(?:[A-Za-z0-9+]|\\{0,8}/)"
_ARMOUR_TAIL: Final = (
    r"(?:[^-]++|-(?!----)){0,32768}+-----END[^-\n\\]{0,60}-----"
    rf"|{_BODY}*+={{0,2}}(?:{_GAP}{_BODY}{{16,}}+={{0,2}})*+(?:{_GAP}{_BODY}{{1,15}}+={{0,2}}(?=\s*\Z|\.\.\.|…))?+"
)


def _armour(kind: str, title: str, *, catch: tuple[str, ...], spare: tuple[str, ...], seen: str) -> Rule:
    """A block between `-----BEGIN` and `-----END`; masked from the first dash on."""
    return Rule(
        kind=kind,
        keywords=("-----begin",),
        pattern=rf"-----BEGIN[ ]{title}-----{_GAP}(?:{_HEADER}{_GAP}){{0,6}}+(?P<body>{_BODY}{{8,400}}+)={{0,2}}",
        tail=_ARMOUR_TAIL,
        accepts=_starts_body,
        catch=catch,
        spare=spare,
        seen=seen,
        by_regex=True,
    )


def _starts_body(found: Candidate) -> bool:
    """Whether the first line of the block is no word of a sentence or of code about such blocks."""
    first = found.match["body"]
    return is_opaque(first) or (found.is_last and not (first.islower() or first.istitle()))


def _join_lines(begin: str, end: str, *, gap: str = "\n", line: str = "<s:64>", last: str = "<s:20>=") -> str:
    return gap.join((begin, line, line, last, end))


_RSA: Final = ("-----BEGIN RSA " + "PRIVATE KEY-----", "-----END RSA " + "PRIVATE KEY-----")
_PKCS8: Final = ("-----BEGIN " + "PRIVATE KEY-----", "-----END " + "PRIVATE KEY-----")
_SSH: Final = ("-----BEGIN OPENSSH " + "PRIVATE KEY-----", "-----END OPENSSH " + "PRIVATE KEY-----")
_PGP: Final = ("-----BEGIN PGP " + "PRIVATE KEY BLOCK-----", "-----END PGP " + "PRIVATE KEY BLOCK-----")

BLOCKS: Final = (
    _armour(
        "pem",
        r"(?:[A-Z0-9]{2,20}[ ]){0,3}PRIVATE[ ]KEY",
        catch=(
            _join_lines(*_RSA),
            _join_lines(*_PKCS8, gap="\\n"),
            _join_lines(*_SSH, gap="\\\\n"),
            _join_lines(*_PKCS8, gap=" "),
            _join_lines(*_RSA, gap="\r\n"),
            _join_lines(*_RSA, gap="\n   12\t"),
            _join_lines(*_RSA, gap="\n+"),
            _join_lines(*_SSH, gap="\n    7→"),
            _join_lines(*_PKCS8, gap='\\n" +\n  "'),
            f"{_RSA[0]}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,<H:32>\n\n<s:64>\n<s:64>\n",
            f"{_SSH[0]}\n<s:70>\n<s:70>\n<s:40>",
            f"{_PKCS8[0]}\n<s:30>",
        ),
        spare=(
            f'if "{_RSA[0]}" in text:\n    raise ValueError("no keys here")',
            f"{_PKCS8[0]}\nfollowed by lines of base64",
            _join_lines("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"),
            _join_lines("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----"),
            f"{_PKCS8[0]}\n...\n{_PKCS8[1]}",
        ),
        seen="RFC 7468",
    ),
    _armour(
        "pgp-private-key",
        r"PGP[ ]PRIVATE[ ]KEY[ ]BLOCK",
        catch=(f"{_PGP[0]}\nVersion: GnuPG v2\n\n<s:64>\n<s:64>\n=<s:4>\n{_PGP[1]}", _join_lines(*_PGP, gap="\\n")),
        spare=(f"{_PGP[0]} is how it starts", _join_lines("-----BEGIN PGP MESSAGE-----", "-----END PGP MESSAGE-----")),
        seen="RFC 4880",
    ),
    Rule(
        kind="ssh2-private-key",
        keywords=("---- begin",),
        pattern=rf"----[ ]BEGIN[ ]SSH2[ ]ENCRYPTED[ ]PRIVATE[ ]KEY[ ]----{_GAP}(?:{_HEADER}{_GAP}){{0,4}}+{_BODY}{{8,400}}+={{0,2}}",
        tail=rf"(?:[^-]++|-(?!---)){{0,32768}}+----[ ]END[^-\n]{{0,60}}----|(?:{_GAP}{_BODY}{{16,}}+={{0,2}})*+",
        catch=(_join_lines("---- BEGIN SSH2 ENCRYPTED " + "PRIVATE KEY ----", "---- END SSH2 ENCRYPTED " + "PRIVATE KEY ----"),),
        spare=("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA",),
        seen="RFC 4716 and ssh.com",
        by_regex=True,
    ),
    Rule(
        kind="putty-private-key",
        keywords=("private-lines:",),
        pattern=rf"Private-Lines:[ ]\d{{1,4}}(?P<s>{_GAP}{_BODY}{{8,400}}+={{0,2}})",
        tail=rf"(?:{_GAP}{_BODY}{{4,}}+={{0,2}}(?![-:A-Za-z]))*+",
        catch=("PuTTY-User-Key-File-2: ssh-rsa\nPrivate-Lines: 3\n<s:64>\n<s:64>\n<s:30>==\n",),
        spare=("Private-Lines: 14", "Private-Lines: 14\nPrivate-MAC"),
        seen="PuTTY manual, appendix C",
        by_regex=True,
    ),
    Rule(
        kind="openvpn-static-key",
        keywords=("-----begin openvpn static key",),
        pattern=rf"-----BEGIN OpenVPN Static key V1-----{_GAP}[0-9a-f]{{8,32}}+",
        tail=r"(?:[^-]++|-(?!----)){0,8192}+-----END[^-\n\\]{0,60}-----" + rf"|(?:{_GAP}[0-9a-f]{{8,32}}+)*+",
        catch=(
            _join_lines(
                "-----BEGIN OpenVPN " + "Static key V1-----", "-----END OpenVPN " + "Static key V1-----", line="<h:32>", last="<h:32>"
            ),
        ),
        spare=("-----BEGIN OpenVPN Static key V1-----\nsee the manual",),
        seen="openvpn(8)",
        by_regex=True,
    ),
)


def _jwt_part(found: Candidate) -> bool:
    """Whether something follows the header that could be a payload."""
    return has_spread(found.value[8:])


_ID_STARTS: Final = tuple(b64encode(str(number).encode()).decode().lower() for number in range(100, 1000))
"""How a Discord bot token begins: the base64 of the first three digits of the bot's numeric id."""

MARKED: Final = (
    Rule(
        kind="jwt",
        keywords=(
            "eyjhbgci",
            "eyj0exai",
            "eyjrawqi",
            "eyjlbmmi",
            "eyj4nxqi",
            "eyjqa3ui",
            "eyjjdhki",
            "eyj6axai",
            "ewogicj",
            "eyjhbgxnx",
            "eyaiywxn",
            "eyaidhlw",
        ),
        pattern=NOT_IN_BASE64 + r"e[yw][A-Za-z0-9_-]{8,1500}+\.[A-Za-z0-9_-]{4,1500}+(?:\.[A-Za-z0-9_-]{0,1500}+){0,4}",
        tail=r"[A-Za-z0-9_-]*+(?:\.[A-Za-z0-9_-]{8,}+){0,3}",
        accepts=_jwt_part,
        catch=(
            "eyJhbGciOiJIUzI1NiJ9.<u:60>.<u:43>",
            "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9.eyJ<u:90>.<u:342>",
            "eyJhbGciOiJkaXIi<u:20>.<u:40>",
        ),
        spare=("eyJhbGciOiJIUzI1NiJ9", "eyJhbGciOiJIUzI1NiJ9.", "eyJ0eXAiOiJKV1QiLCJhbGciOiJSUzI1NiJ9..."),
        seen="RFC 7519",
    ),
    Rule(
        kind="telegram-bot-token",
        keywords=(":aa",),
        before=r"(?<![0-9])[0-9]{8,10}",
        pattern=r":AA[A-Za-z0-9_-]{8,60}+",
        accepts=lambda found: is_opaque(found.value.split(":AA", 1)[1]) or len(set(found.value)) >= 20,
        catch=("<d:10>:AA<u:33>", "<d:9>:AA<u:33>"),
        spare=("12345678:AAA", "at 00:AA:11:BB:22:CC", "1234567890:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
        seen="public issue reports",
    ),
    Rule(
        kind="discord-token",
        keywords=_ID_STARTS,
        pattern=LETTER_BEFORE + r"[MNO][A-Za-z0-9_-]{21,29}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{20,60}+",
        accepts=lambda found: is_opaque(found.value),
        catch=("MTA4<w:20>.<u:6>.<u:38>", "OTk5<w:22>.<u:6>.<u:27>"),
        spare=("NTk5", "MTA4.module.something_or_other_that_is_long"),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="firebase-key",
        keywords=(":apa91b",),
        before=r"[A-Za-z0-9_-]{11}",
        pattern=r":APA91b[A-Za-z0-9_-]{8,300}+",
        catch=("AAAA<u:7>:APA91b<u:134>",),
        spare=(":APA91b", "see AAAA:APA91b"),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="azure-client-secret",
        keywords=("q~",),
        before=r"(?:(?<![A-Za-z0-9_~.])|(?<=\\[nrt])|(?<=\[[0-9;]{0,9}m))[A-Za-z0-9_~.]{3}[0-9]",
        pattern=r"Q~[A-Za-z0-9_~.-]{8,40}+",
        accepts=lambda found: is_opaque(found.value),
        catch=("<w:3>8Q~<u:34>", "<w:3>7Q~<u:31>"),
        spare=("Q~ and A", "faq~2"),
        seen="public secret-scanning lists",
    ),
    Rule(
        kind="azure-identifiable-key",
        keywords=("azdo", "apim", "acdb", "+aba", "+amc", "+ast", "+asb", "+aeh", "+arm", "aiot", "azfu", "azse", "+acr"),
        before=r"(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{30,80}",
        pattern=r"(?:AZDO|APIM|ACDb|\+ABa|\+AMC|\+ASt|\+ASb|\+AEh|\+ARm|AIoT|AzFu|AzSe|\+ACR)[A-Za-z0-9+/]{4,12}={0,2}(?![A-Za-z0-9+/=])",
        accepts=lambda found: is_opaque(found.value),
        catch=("<w:76>AZDO<w:4>", "<s:76>+ASt<w:6>==", "<s:76>ACDb<w:6>==", "<s:33>+ASb<w:6>=", "<w:44>AzFu<w:8>==", "<w:42>AzSe<w:6>"),
        spare=("see AzFunctions", "AZDO_PAT", "azsearch", "+acronyms"),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="mailchimp-key",
        keywords=("-us",),
        before=r"(?<![0-9a-f])[0-9a-f]{32}",
        pattern=r"-us[0-9]{1,2}(?![A-Za-z0-9])",
        catch=("<h:32>-us12", "<h:32>-us4"),
        spare=("en-us12", "0123abc-us1"),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="twilio-key",
        keywords=tuple(f"sk{digit}" for digit in "0123456789abcdef"),
        pattern=LETTER_BEFORE + r"SK[0-9a-f]{32}(?![A-Za-z0-9])",
        catch=("SK<h:32>",),
        spare=("SKU0123456789", "TASK0123456789abcdef0123456789abcdef"),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="terraform-token",
        keywords=(".atlasv1.",),
        before=r"[A-Za-z0-9]{10,20}",
        pattern=r"\.atlasv1\.[A-Za-z0-9_-]{8,100}+",
        catch=("<w:14>.atlasv1.<u:67>",),
        spare=("the .atlasv1. infix", "x.atlasv1.y"),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="bitwarden-token",
        keywords=("0.",),
        pattern=r"0\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[A-Za-z0-9]{8,40}+(?::[A-Za-z0-9+/]{0,40}+={0,2})?",
        catch=("0.<uuid>.<w:30>:<s:22>==",),
        spare=("0.1.2", "10.0.0.1", "04:45:20.2198059Z"),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="yandex-iam-token",
        keywords=("t1.9eu",),
        pattern=r"t1\.9eu[A-Za-z0-9_-]{8,300}+(?:\.[A-Za-z0-9_-]{8,120}+)?",
        tail=r"[A-Za-z0-9_-]*+",
        accepts=lambda found: is_opaque(found.value),
        catch=("t1.9eu<u:120>.<u:86>",),
        spare=("t1.9eu", "t1.9europe"),
        seen="public secret-scanning lists",
    ),
    Rule(
        kind="fly-macaroon",
        keywords=("flyv1 ",),
        pattern=r"FlyV1 (?P<s>f[mo][0-9][A-Za-z]?_[A-Za-z0-9+/=,_-]{8,1500}+)",
        tail=r"[A-Za-z0-9+/=,_-]*+",
        catch=("FlyV1 fm2_<s:200>,fm2_<s:100>",),
        spare=("FlyV1 tokens",),
        seen="the vendor's documentation",
    ),
    Rule(
        kind="wireguard-key",
        keywords=("privatekey", "presharedkey"),
        pattern=r"(?i:PrivateKey|PresharedKey)\\{0,4}[\"']?[ \t]{0,4}[=:][ \t]{0,4}\\{0,4}[\"']?(?P<s>[A-Za-z0-9+/]{43}=)",
        catch=("[Interface]\nPrivateKey = <s:43>=\n", "PresharedKey = <s:43>="),
        spare=("PrivateKey = load()", "PublicKey = "),
        seen="wg(8)",
    ),
    Rule(
        kind="jwk-private-part",
        keywords=('"d"', '"d\\'),
        pattern=r"\"d\\{0,8}\"[ \t]{0,4}:[ \t]{0,4}\\{0,8}\"(?P<s>[A-Za-z0-9_-]{40,700}+)",
        accepts=lambda found: is_opaque(found.value),
        catch=('{"kty":"EC","crv":"P-256","d":"<u:43>"}', '{\\"kty\\":\\"OKP\\",\\"d\\":\\"<u:43>\\"}'),
        spare=('"d": "M0 0L10 10"', '"d":"2024-01-01"'),
        seen="RFC 7517",
    ),
    Rule(
        kind="crypt-hash",
        keywords=("$2a$", "$2b$", "$2y$", "$6$", "$5$", "$1$", "$y$", "$argon2id$", "$argon2i$", "$argon2d$", "$7$"),
        pattern=r"\$(?:2[aby]\$\d\d\$[A-Za-z0-9./]{20,53}+|[1567y]\$(?:rounds=\d{1,9}\$)?[A-Za-z0-9./$]{1,32}\$[A-Za-z0-9./]{20,90}+"
        r"|argon2(?:id|i|d)\$v=\d\d\$m=\d{1,9},t=\d{1,4},p=\d{1,3}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{20,100}+)",
        catch=("$2b$12$<w:53>", "root:$6$<w:16>$<w:86>:19000:0:99999:7:::", "$argon2id$v=19$m=65536,t=3,p=4$<s:22>$<s:43>"),
        spare=("costs $1$ or $6$ each", "$2b$12$", "sed 's/$1$/x/'"),
        seen="crypt(5)",
    ),
)
KEYS: Final[tuple[Rule, ...]] = tuple(chain(BLOCKS, MARKED))
