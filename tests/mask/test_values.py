"""Secret or word: the tests of one value."""

# ruff: noqa: S311, E501, RUF028 (seeds decide all; the lists of values are tables)

from random import Random

import pytest

from resume_forensics.mask.recipe import write_sample
from resume_forensics.mask.values import has_spread, is_code, is_identifier, is_opaque, is_password, is_placeholder, is_token, mean_run

GENERATED = ("<w:24>", "<h:32>", "<H:40>", "<u:43>", "<s:40>", "<b:32>", "<l:40>", "<w:12>-<w:12>")


@pytest.mark.parametrize("recipe", GENERATED)
def test_generated_values_are_opaque(recipe: str) -> None:
    values = [write_sample(recipe, Random(seed)).text for seed in range(100)]
    assert sum(map(is_opaque, values)) >= 95


NAMES = (
    "configuration", "getUserTokenFromRequest", "my-deployment-name", "SOME_ENVIRONMENT_VARIABLE_2", "oauth2-client", "gpt2-medium-v1", "sha256sum",
    "PKCS7PrivateKeyTypes", "curle_ftp_weird_227_format", "CopySourceSSECustomerKeyMD5", "base64url", "xxxxxxxxxxxxxxxx", "aaaabbbb1111", "12345678901234567890",
)  # fmt: skip


@pytest.mark.parametrize("value", NAMES)
def test_names_are_not_opaque(value: str) -> None:
    assert not is_opaque(value)


@pytest.mark.parametrize(
    "value",
    [
        "39a5ad76-3d1f-4471-a386-9929a3fa47bd",
        "toolu_01kvqzvq7rkar96zo991p3",
        "msg_07a2c88225820c1908fe",
        "req_2c3e6dedc1e4e32d",
        "wf_1c2d3e4f-5a6",
        "sha512-abcDEF123==",
        "2026-09-14T09:00:21.000Z",
        "1.20.3-rc1",
        "4096",
        "12.5kB",
        "0xdeadbeef",
    ],  # fmt: skip
)
def test_ids_digests_dates_and_numbers_are_identifiers(value: str) -> None:
    assert is_identifier(value)
    assert not is_token(value)
    assert not is_password(value)


@pytest.mark.parametrize(
    "value",
    [
        "process.env.TOKEN",
        "config->token",
        "get_token(a1, b2)",
        "os.environ['X1Y2Z3']",
        "${{ secrets.X1 }}",
        "$TOKEN_2024",
        "{{ token }}",
        "<your-token-1>",
        "%DB_PASSWORD%",
        "/run/secrets/db1",
        "~/.config/x1/token",
        "./keys/v1.pem",
        "https://host.example/a1b2",
        "keys/prod/v1.pem",
        "C:\\keys\\a1",
        "server1.example.com",
    ],  # fmt: skip
)
def test_variables_calls_templates_and_paths_are_code(value: str) -> None:
    assert is_code(value)
    assert not is_token(value)


def test_values_in_base64_that_begin_with_a_slash_are_no_paths() -> None:
    value = "/" + write_sample("<s:39>", Random(1)).text
    assert not is_code(value)
    assert is_token(value)


@pytest.mark.parametrize("value", ["password", "changeme123", "your-password-1", "********", "xxxxxx", "example1", "postgres", "True"])
def test_placeholders_are_no_passwords(value: str) -> None:
    assert is_placeholder(value)
    assert not is_password(value)


@pytest.mark.parametrize("value", ["hun" + "ter2x", "Tr0ub" + "4dor&3", "correct!" + "Horse", "geheim$" + "parole"])
def test_what_people_choose_is_a_password_though_it_is_no_token(value: str) -> None:
    assert is_password(value)
    assert not is_token(value) or is_opaque(value)


@pytest.mark.parametrize("value", ["short", "a1b2c", "x" * 200])
def test_too_short_and_too_long_are_no_passwords(value: str) -> None:
    assert not is_password(value)


def test_a_row_of_few_characters_has_no_spread() -> None:
    assert not has_spread("abababab")
    assert not has_spread("pw=" * 40)
    assert has_spread("abcdefgh")


def test_mean_run_counts_words_capitals_and_numbers() -> None:
    assert mean_run("tokenValue12") == 4.0
    assert mean_run("a1b2") == 1.0
    assert mean_run("...") == 0.0
