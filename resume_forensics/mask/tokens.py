"""The tokens that begin with a literal of their vendor, one row a kind: name, shapes, where the shape is known from.

Shapes are in recipe notation. Rows hold no secret and no secret-shaped literal.
"""

# ruff: noqa: E501 (the shapes of one kind stand together)

from itertools import chain
from typing import Final

from resume_forensics.mask.rule import Rule
from resume_forensics.mask.shapes import token

_DOC: Final = "the vendor's documentation"
_SCAN: Final = "public secret-scanning lists"
_PYPI: Final = "pypi-"
_SEED: Final = "public secret-scanning lists"

AI: Final = (
    token(
        "anthropic-key", "sk-ant-api03-<u:93>AA", "sk-ant-admin01-<u:93>AA", "sk-ant-oat01-<u:93>AA", "sk-ant-ort01-<u:93>AA",
        "sk-ant-sid01-<u:86>AA", "sk-ant-<u:80>", seen=_SEED, spare=("sk-ant-your-key-here", "sk-ant-api03-...", "sk-ant-…"),
    ),
    token("openai-key", "sk-proj-<u:74>T3BlbkFJ<u:74>", "sk-svcacct-<u:74>T3BlbkFJ<u:74>", "sk-admin-<u:58>T3BlbkFJ<u:58>",
          "sk-None-<w:48>", seen=_SEED, spare=("sk-proj-your-key", "sk-admin-panel-button", "sk-proj-<your key>")),
    token("openai-key", "sk-<w:20>T3BlbkFJ<w:20>", "sk-<w:48>", seen=_SEED, weak=True,
          spare=("risk-assessment-of-2024-portfolios", "sk-container-id-1", "task-a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0c1d2e3f4a5b6")),
    token("sk-key", "sk-<h:32>", "sk-<w:40>", seen=_SCAN, weak=True, spare=("sk-toggleable__label", "disk-0123456789abcdef0123456789abcdef")),
    token("openrouter-key", "sk-or-v1-<h:64>", "sk-or-<h:64>", seen="public issue reports"),
    token("langfuse-key", "sk-lf-<uuid>", seen=_DOC),
    token("helicone-key", "sk-helicone-<l:7>-<l:7>-<l:7>-<l:7>", seen=_DOC),
    token("kimi-key", "sk-kimi-<w:64>", seen=_SCAN),
    token("groq-key", "gsk_<w:52>", seen=_DOC),
    token("xai-key", "xai-<w:80>", seen=_DOC),
    token("perplexity-key", "pplx-<w:48>", seen=_DOC),
    token("replicate-key", "r8_<w:37>", seen=_DOC, weak=True, spare=("r8_unorm_srgb", "var8_of_something_much_longer_than_that_here")),
    token("huggingface-token", "hf_<w:34>", seen=_DOC, weak=True, spare=("hf_hub_download", "hf_transfer", "shelf_abcdef")),
    token("huggingface-token", "api_org_<w:34>", seen=_SCAN, spare=("api_org_settings_page",)),
    token("fireworks-key", "fw_<w:22>", seen=_DOC, weak=True, spare=("fw_cfg_name", "fw_update_required_by_vendor")),
    token("together-key", "tgp_v1_<u:43>", seen=_DOC),
    token("nvidia-key", "nvapi-<u:64>", seen=_DOC),
    token("langsmith-key", "lsv2_pt_<h:32>_<h:10>", "lsv2_sk_<h:32>_<h:10>", seen=_DOC),
    token("pinecone-key", "pcsk_<w:6>_<w:63>", seen=_DOC),
    token("cerebras-key", "csk-<l:48>", seen=_DOC, spare=("csk-certificate-signing-key",)),
    token("voyage-key", "pa-<u:43>", seen=_DOC, weak=True, spare=("pa-11y", "pa-rest-client-configuration-for-the-new-service-module")),
    token("jina-key", "jina_<h:32><u:28>", seen=_DOC, spare=("jina_embeddings_v3",)),
    token("tavily-key", "tvly-<w:32>", "tvly-dev-<w:32>", seen=_DOC),
    token("firecrawl-key", "fc-<h:32>", seen=_DOC, weak=True, spare=("fc-cache", "fc-list")),
    token("elevenlabs-key", "sk_<h:48>", seen=_DOC, weak=True, spare=("sk_buff", "task_0123456789")),
    token("runpod-key", "rpa_<w:46>", seen=_DOC),
    token("wandb-key", "wandb_v1_<w:77>", seen=_DOC, spare=("wandb_v1_project_name",)),
    token("cursor-key", "crsr_<h:64>", seen=_SCAN),
    token("vercel-ai-key", "vck_<w:56>", seen=_DOC),
    token("friendli-token", "flp_<w:46>", seen=_SCAN),
    token("e2b-key", "e2b_<h:40>", seen=_DOC, spare=("e2b_code_interpreter",)),
    token("browserbase-key", "bb_live_<u:27>", seen=_DOC),
    token("anyscale-key", "esecret_<w:28>", seen=_SCAN),
    token("bedrock-key", "ABSK<s:128>", "bedrock-api-key-<s:120>", seen=_DOC, spare=("bedrock-api-key-rotation", "ABSKY")),
    token("gemini-key", "AQ.Ab8<u:48>", seen=_SCAN),
    token("apify-token", "apify_api_<w:36>", seen=_DOC),
    token("logfire-token", "pylf_v1_us_<w:43>", "pylf_v1_eu_<w:43>", seen=_DOC),
)  # fmt: skip

CLOUD: Final = (
    token("aws-key", "AKIA<b:16>", "ASIA<b:16>", "ABIA<b:16>", "ACCA<b:16>", seen=_SEED, spare=("AKIAXXXXXXXXXXXXXXXX", "ASIA-PACIFIC", "ASIAN")),
    token("aws-bedrock-session", "IQoJb3JpZ2luX2<s:400>", "FwoGZXIvYXdz<s:300>", seen=_SCAN, spare=("IQoJb3JpZ2luX2Vj",)),
    token("aws-mws-token", "amzn.mws.<uuid>", seen=_SCAN),
    token("google-key", "AIza<u:35>", seen=_SEED, spare=("AIzaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX",)),
    token("google-oauth-token", "ya29.<u:120>", "ya29.a0<u:160>", seen=_DOC, spare=("ya29.", "ya29.example-of-a-token")),
    token("google-oauth-secret", "GOCSPX-<u:28>", seen=_DOC),
    token("google-refresh-token", "1//0<u:60>", seen=_DOC, weak=True, spare=("http://127.0.0.1//0", "1//0123")),
    token("digitalocean-token", "dop_v1_<h:64>", "doo_v1_<h:64>", "dor_v1_<h:64>", seen=_DOC),
    token("alibaba-key", "LTAI<w:20>", seen=_SCAN, spare=("LTAIN", "VOLTAIRE")),
    token("tencent-key", "AKID<w:32>", seen=_SCAN, spare=("AKIDS",)),
    token("volcengine-key", "AKLT<w:40>", seen=_SCAN, spare=("AKLT",)),
    token("yandex-token", "AQVN<u:36>", "y0_<u:56>", seen=_SCAN, weak=True, spare=("y0_offset", "ray0_position_of_something")),
    token("scaleway-key", "SCW<U:17>", seen=_SCAN, weak=True, spare=("SCW_ACCESS_KEY", "SCWEREWOLFANDOTHERS")),
    token("heroku-key", "HRKU-AA<u:58>", "HRKU-<uuid>", seen=_DOC),
    token("fly-token", "fo1_<u:43>", "fm1r_<s:120>", "fm1a_<s:120>", "fm2_<s:160>", seen=_DOC, spare=("fo1_", "fm2_gain_control")),
    token("render-key", "rnd_<w:28>", seen=_DOC, spare=("rnd_number_generator", "rnd_seed_value")),
    token("netlify-token", "nfp_<w:36>", seen=_DOC),
    token("vercel-token", "vcp_<w:56>", "vci_<w:56>", "vca_<w:56>", "vcr_<w:56>", seen=_DOC, spare=("vcp_video_codec", "vca_gain")),
    token("supabase-key", "sbp_<h:40>", "sbp_oauth_<h:40>", "sb_secret_<u:31>", seen="public issue reports", spare=("sbp_v0", "sb_secret_name")),
    token("neon-key", "napi_<l:64>", seen=_DOC, spare=("napi_create_function", "napi_get_value_int32", "napi_threadsafe_function")),
    token("planetscale-token", "pscale_tkn_<u:43>", "pscale_pw_<u:43>", "pscale_oauth_<u:43>", seen=_DOC),
    token("cloudflare-origin-key", "v1.0-<h:24>-<h:146>", seen=_DOC, spare=("v1.0-rc1", "v1.0-beta-20240101")),
    token("cloudflare-token", "cfut_<w:48>", "cfat_<w:48>", "cfk_<w:48>", seen=_DOC, spare=("cfk_key",)),
    token("doppler-token", "dp.pt.<w:43>", "dp.st.<w:43>", "dp.ct.<w:43>", "dp.sa.<w:43>", "dp.scim.<w:43>", "dp.audit.<w:43>",
          "dp.st.prd.<w:40>", seen=_DOC),
    token("vault-token", "hvs.<u:90>", "hvb.<u:140>", "hvr.<u:90>", seen=_DOC, spare=("hvs.example", "hvs.new_client")),
    token("pulumi-token", "pul-<h:40>", seen=_DOC, spare=("pul-request",)),
    token("infracost-key", "ico-<w:32>", seen=_DOC, spare=("ico-arrow-left", "ico-24px")),
    token("databricks-token", "dapi<h:32>", seen=_DOC, spare=("dapi", "dapicontroller", "dapi0")),
    token("tailscale-key", "tskey-auth-<w:12>-<w:32>", "tskey-api-<w:12>-<w:32>", "tskey-client-<w:12>-<w:32>", "tskey-<w:12>-<w:22>", seen=_DOC),
    token("akamai-key", "akab-<l:16>-<l:16>", seen=_DOC),
    token("prefect-key", "pnu_<w:36>", "pnb_<w:36>", seen=_DOC),
    token("sourcegraph-token", "sgp_<h:16>_<h:40>", "sgp_local_<h:40>", "sgp_<h:40>", "slk_<h:64>", seen=_DOC),
    token("aiven-token", "AVNS_<u:20>", seen=_DOC),
    token("openshift-token", "sha256~<u:43>", seen=_DOC, spare=("sha256~",)),
    token("xata-key", "xau_<w:40>", seen=_DOC),
    token("fauna-key", "fnAE<u:36>", "fnAF<u:36>", seen=_DOC),
    token("deno-token", "ddp_<w:36>", "ddo_<w:36>", seen=_DOC, spare=("ddp_model", "ddp_find_unused_parameters")),
    token("infisical-token", "st.<h:24>.<h:32>.<h:32>", seen=_DOC, weak=True, spare=("st.markdown", "st.session_state", "test.a_b")),
    token("op-service-account", "ops_eyJ<u:250>", seen=_DOC),
)  # fmt: skip

CODE: Final = (
    token("github-token", "ghp_<w:36>", "gho_<w:36>", "ghu_<w:36>", "ghs_<w:36>", "ghr_<w:36>", "ghv_<w:36>", seen=_SEED,
          spare=("ghp_your_token_here", "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "ghp_***")),
    token("github-pat", "github_pat_<w:22>_<w:59>", seen=_SEED, spare=("github_pat_token", "github_pat_...")),
    token("gitlab-token", "glpat-<u:20>", "glpat-<u:27>.01.<l:9>", "glptt-<h:40>", "gldt-<u:20>", "glrt-<u:20>", "glrtr-<u:20>",
          "glcbt-<l:5>_<u:20>", "glft-<u:20>", "glimt-<u:25>", "glagent-<u:50>", "glsoat-<u:20>", "glffct-<u:20>", "gloas-<h:64>",
          "glwt-<u:20>", "GR1348941<u:20>", seen=_SEED, spare=("glpat-your-token", "glpat-<token>", "glrt-runner-token")),
    token("bitbucket-token", "ATBB<w:32>", "ATCTT3xFfGN0<u:180>", seen=_DOC, spare=("ATBBOX",)),
    token("atlassian-token", "ATATT3xFfGF0<u:172>", "ATOA<u:100>", seen=_DOC, spare=("ATOASTER", "ATATT3")),
    token("linear-key", "lin_api_<w:40>", "lin_oauth_<h:64>", "lin_wh_<w:40>", seen=_DOC, spare=("lin_api_client_v2",)),
    token("phabricator-token", "api-<l:28>", "cli-<l:28>", seen=_SCAN, weak=True, spare=("api-gateway-integration-responses", "cli-a1b2c3")),
)  # fmt: skip

REGISTRIES: Final = (
    token("npm-token", "npm_<w:36>", seen=_SEED, spare=("npm_config_registry", "npm_lifecycle_event", "npm_package_version2")),
    token("pypi-token", f"{_PYPI}AgEIcHlwaS5vcmc<u:140>", f"{_PYPI}AgENdGVzdC5weXBpLm9yZ<u:140>", "pypi-<u:160>", seen=_DOC,
          spare=("pypi-publish-to-test-registry", "pypi-attestations==0.0.21")),
    token("rubygems-key", "rubygems_<h:48>", seen=_DOC, spare=("rubygems_version", "rubygems_api_key")),
    token("crates-token", "cio<w:32>", seen=_DOC, weak=True, spare=("ciolog", "ciontekniikan")),
    token("nuget-key", "oy2<l:43>", seen=_DOC, weak=True, spare=("oy2b", "toy2story")),
    token("docker-token", "dckr_pat_<u:27>", "dckr_oat_<u:32>", seen=_DOC),
    token("artifactory-key", "AKCp8<w:68>", "AKCp5<w:68>", "cmVmdGtuOjAxO<w:52>", seen=_DOC),
    token("clojars-token", "CLOJARS_<h:60>", seen=_DOC, spare=("CLOJARS_USERNAME", "CLOJARS_PASSWORD")),
    token("packagist-token", "packagist_uut_<h:68>", "packagist_out_<h:68>", "packagist_ack_<h:68>", seen=_DOC),
    token("postman-key", "PMAK-<h:24>-<h:34>", "PMAT-<U:26>", seen=_DOC),
    token("sonar-token", "squ_<h:40>", "sqp_<h:40>", "sqa_<h:40>", "sqb_<h:40>", seen=_DOC, spare=("squ_are", "sqa_session_maker")),
    token("circleci-token", "CCIPAT_<w:22>_<h:40>", "CCIPRJ_<w:22>_<h:40>", seen=_DOC),
    token("buildkite-token", "bkua_<h:40>", "bkaj_<h:40>", "bkct_<h:40>", seen=_DOC),
    token("harness-token", "pat.<u:22>.<h:24>.<w:20>", "sat.<u:22>.<h:24>.<w:20>", seen=_DOC, weak=True,
          spare=("pat.findall", "sat.coordinates", "pat.compiled_expression_value.another_name")),
    token("octopus-key", "API-<U:26>", seen=_DOC, weak=True, spare=("API-DOCUMENTATION", "API-REFERENCEGUIDEANDMANUALS")),
    token("scalingo-token", "tk-us-<u:48>", seen=_SCAN),
    token("readme-key", "rdme_<l:70>", seen=_DOC, spare=("rdme_file",)),
    token("snyk-token", "snyk_uat.<h:8>.<u:60>", "snyk_sat.<h:8>.<u:60>", seen=_DOC),
    token("checkly-key", "cu_<h:32>", seen=_DOC, weak=True, spare=("cu_count", "vacu_um")),
    token("thunderstore-token", "tss_<u:40>", seen=_SCAN, spare=("tss_segment_selector",)),
    token("age-key", "AGE-SECRET-KEY-1<U:58>", seen="age(1)"),
)  # fmt: skip

CHAT: Final = (
    token("slack-token", "xoxb-<d:12>-<d:13>-<w:24>", "xoxp-<d:12>-<d:12>-<d:13>-<h:32>", "xoxa-2-<d:12>-<h:32>", "xoxr-<d:12>-<h:32>",
          "xoxs-<d:12>-<d:12>-<d:12>-<h:10>", "xoxo-<d:12>-<h:32>", "xoxe-1-<w:146>", "xoxe.xoxp-1-<w:163>", "xoxe.xoxb-1-<w:163>",
          "xoxc-<d:12>-<d:12>-<d:12>-<h:64>", "xoxd-<u:90>", "xapp-1-<U:11>-<d:13>-<h:64>", seen=_SEED,
          spare=("xoxb-your-bot-token", "xoxp-...", "xoxb-xxxxxxxxxxxx-xxxxxxxxxxxx")),
    token("matrix-token", "syt_<u:12>_<w:20>_<w:6>", "MDAxY<u:200>", seen=_DOC, spare=("syt_table",)),
    token("discord-webhook", "discord.com/api/webhooks/<d:18>/<u:68>", "discordapp.com/api/webhooks/<d:18>/<u:68>", seen=_DOC,
          spare=("discord.com/api/webhooks/", "discord.com/api/webhooks/<id>/<token>")),
    token("slack-webhook", "hooks.slack.com/services/T<U:10>/B<U:10>/<w:24>", "hooks.slack.com/workflows/T<U:10>/A<U:10>/<d:18>/<w:24>",
          "hooks.slack.com/triggers/<U:11>/<d:13>/<h:32>", seen=_DOC, spare=("hooks.slack.com/services/", "hooks.slack.com/services/T00/B00/XXXX")),
    token("teams-webhook", "webhook.office.com/webhookb2/<uuid>@<uuid>/IncomingWebhook/<h:32>/<uuid>", seen=_DOC),
    token("feishu-webhook", "open.feishu.cn/open-apis/bot/v2/hook/<uuid>", "open.larksuite.com/open-apis/bot/v2/hook/<uuid>", seen=_DOC,
          spare=("open.feishu.cn/open-apis/bot/v2/hook/your-hook-id",)),
    token("zapier-webhook", "hooks.zapier.com/hooks/catch/<d:8>/<l:7>", seen=_DOC, spare=("hooks.zapier.com/hooks/catch/",)),
)  # fmt: skip

PAYMENT: Final = (
    token("stripe-key", "sk_live_<w:24>", "sk_test_<w:24>", "rk_live_<w:24>", "rk_test_<w:24>", "sk_live_51<w:97>", "sk_org_live_<w:40>",
          seen=_DOC, spare=("sk_test_your_key_here", "sk_live_...", "rk_test_key")),
    token("webhook-secret", "whsec_<s:32>", seen="public issue reports", spare=("whsec_your_signing_secret",)),
    token("square-token", "sq0atp-<u:22>", "sq0csp-<u:43>", "sq0idp-<u:22>", seen=_DOC),
    token("square-token", "EAAAE<u:59>", "EAAAl<u:59>", seen=_DOC, weak=True, spare=("EAAAEA",)),
    token("facebook-token", "EAAC<w:120>", "EAAB<w:120>", "EAAG<w:120>", "EAAJ<w:120>", seen=_SCAN, weak=True, spare=("EAACX",)),
    token("instagram-token", "IGQVJ<u:120>", "IGQWR<u:120>", seen=_SCAN),
    token("paypal-token", "access_token$production$<l:16>$<h:32>", "access_token$sandbox$<l:16>$<h:32>", seen=_DOC),
    token("shopify-token", "shpat_<h:32>", "shpca_<h:32>", "shppa_<h:32>", "shpss_<h:32>", "shptka_<h:32>", seen=_DOC),
    token("adyen-key", "AQE<u:20>hmf<s:100>", seen=_DOC, weak=True, spare=("AQED",)),
    token("plaid-token", "access-sandbox-<uuid>", "access-development-<uuid>", "access-production-<uuid>", seen=_DOC,
          spare=("access-production-database", "access-sandbox-environment")),
    token("razorpay-key", "rzp_live_<w:14>", "rzp_test_<w:14>", seen=_DOC),
    token("flutterwave-key", "FLWSECK-<h:32>-X", "FLWSECK_TEST-<h:32>-X", seen=_DOC),
    token("paddle-key", "pdl_live_apikey_<l:26>_<w:22>_<w:3>", "pdl_sdbx_apikey_<l:26>_<w:22>_<w:3>", "pdl_ntfset_<l:26>_<w:32>", seen=_DOC),
    token("mollie-key", "live_<w:30>", "test_<w:30>", seen=_DOC, weak=True, spare=("test_everything_works", "live_reload", "test_a1b2c3")),
    token("gocardless-token", "live_<u:40>", seen=_SCAN, weak=True, spare=("live_reload_of_the_whole_page_after_a_change",)),
    token("mercadopago-token", "APP_USR-<d:16>-<d:6>-<h:32>-<d:9>", seen=_DOC),
    token("polar-token", "polar_oat_<w:43>", "polar_pat_<w:43>", "polar_whs_<w:43>", seen=_DOC),
    token("xendit-key", "xnd_production_<w:60>", "xnd_development_<w:60>", seen=_DOC),
    token("easypost-key", "EZAK<w:54>", "EZTK<w:54>", seen=_DOC),
    token("shippo-token", "shippo_live_<h:40>", "shippo_test_<h:40>", seen=_DOC),
    token("duffel-token", "duffel_live_<u:43>", "duffel_test_<u:43>", seen=_DOC),
)  # fmt: skip

MAIL: Final = (
    token("sendgrid-key", "SG.<u:22>.<u:43>", seen=_DOC, spare=("SG.example", "MSG.length", "SG.security_group_identifier")),
    token("mailgun-key", "key-<h:32>", "pubkey-<h:32>", seen=_DOC, weak=True, spare=("key-value", "key-0", "monkey-patching")),
    token("sendinblue-key", "xkeysib-<h:64>-<w:16>", "xsmtpsib-<h:64>-<w:16>", seen=_DOC),
    token("resend-key", "re_<w:8>_<w:24>", seen=_DOC, weak=True, spare=("re_compile", "re_export_as_default", "are_a1b2")),
    token("mandrill-key", "md-<u:22>", seen=_DOC, weak=True, spare=("md-button", "cmd-line-options-and-switches-v1")),
    token("mailersend-token", "mlsn.<h:64>", seen=_DOC),
    token("frameio-token", "fio-u-<u:64>", seen=_DOC),
)  # fmt: skip

MONITORING: Final = (
    token("sentry-token", "sntrys_eyJ<s:200>", "sntryu_<h:64>", "sntrya_<h:64>", seen=_DOC),
    token("newrelic-key", "NRAK-<U:27>", "NRJS-<h:19>", "NRII-<u:32>", "NRIQ-<u:32>", "NRRA-<h:42>", "NRAL-<U:27>", seen=_DOC),
    token("grafana-token", "glc_eyJ<s:80>", "glsa_<w:32>_<h:8>", "eyJrIjoi<s:80>", seen=_DOC, spare=("glsa_service_account", "glc_client")),
    token("honeycomb-key", "hcaik_<l:58>", "hcamk_<l:58>", "hcxik_<l:58>", "hcbik_<l:58>", seen=_DOC),
    token("dynatrace-token", "dt0c01.<U:24>.<U:64>", "dt0s01.<U:24>.<U:64>", "dt0s16.<U:24>.<U:64>", seen=_DOC),
    token("posthog-key", "phx_<w:43>", seen=_DOC, spare=("phx_endpoint", "phx_new")),
    token("axiom-token", "xaat-<uuid>", "xapt-<uuid>", seen=_DOC, spare=("xapt-get",)),
    token("statsig-key", "secret-<w:43>", seen=_DOC, weak=True, spare=("secret-manager", "secret-santa", "secret-a1b2c3")),
    token("launchdarkly-key", "sdk-<uuid>", "api-<uuid>", "mob-<uuid>", seen=_DOC, weak=True, spare=("sdk-core", "api-v2", "sdk-2024-01-01")),
    token("settlemint-token", "sm_pat_<w:16>", "sm_aat_<w:16>", "sm_sat_<w:16>", seen=_SCAN),
    token("nightfall-key", "NF-<w:32>", seen=_SCAN, weak=True, spare=("NF-CORE", "CNF-1234")),
    token("influx-token", "apiv3_<u:86>", seen=_DOC),
)  # fmt: skip

APPS: Final = (
    token("airtable-token", "pat<w:14>.<h:64>", seen=_DOC, weak=True, spare=("pattern.compile", "path.resolve", "patch.example")),
    token("notion-token", "ntn_<d:11><w:35>", seen=_DOC),
    token("notion-token", "secret_<w:43>", seen=_DOC, weak=True, spare=("secret_access_key", "secret_key_base")),
    token("figma-token", "figd_<u:40>", "figo_<u:40>", "figoh_<u:40>", "figor_<u:40>", seen=_DOC),
    token("contentful-token", "CFPAT-<u:43>", seen=_DOC),
    token("mapbox-secret", "sk.eyJ<u:80>.<u:22>", seen=_DOC),
    token("clickup-token", "pk_<d:8>_<U:32>", seen=_DOC, weak=True, spare=("pk_users", "pk_12345678")),
    token("typeform-token", "tfp_<u:59>", seen=_DOC),
    token("hubspot-token", "pat-na1-<uuid>", "pat-eu1-<uuid>", "pat-na2-<uuid>", seen=_DOC),
    token("dropbox-token", "sl.<u:136>", "sl.u.<u:200>", seen=_DOC, weak=True, spare=("sl.append", "ssl.create_default_context")),
    token("intra42-secret", "s-s4t2ud-<h:64>", "s-s4t2af-<h:64>", seen=_SCAN),
    token("trello-token", "ATTA<h:64>", seen=_DOC, weak=True, spare=("ATTACK", "ATTACHMENTSANDOTHERTHINGS", "ATTACK0")),
    token("edgedb-key", "nbwt1_<u:80>", "edbt1_<u:80>", seen=_SCAN),
    token("courier-key", "pk_prod_<U:28>", "pk_test_<U:28>", seen=_DOC, spare=("pk_test_your_key", "pk_prod_table_name")),
    token("liveblocks-key", "sk_prod_<u:56>", "sk_dev_<u:56>", seen=_DOC, spare=("sk_dev_mode",)),
    token("stytch-secret", "secret-live-<u:36>", "secret-test-<u:36>", seen=_DOC, spare=("secret-test-value", "secret-live-data")),
    token("svix-key", "testsk_<u:32>", "sk_svix_<u:40>", seen=_DOC),
    token("unkey-key", "unkey_<w:22>", seen=_DOC, spare=("unkey_verify",)),
    token("valtown-token", "vtwn_<w:36>", seen=_DOC),
    token("zuplo-key", "zpka_<h:32>_<h:8>", seen=_DOC),
    token("convex-key", "prod:<l:8>-<l:8>-<d:3>|<s:80>", seen=_DOC, spare=("prod:latest", "prod:happy-animal-123")),
    token("telnyx-key", "KEY0<H:31>_<w:22>", seen=_DOC, weak=True, spare=("KEY0", "MONKEY0")),
    token("twitch-token", "oauth:<l:30>", seen=_DOC, spare=("oauth:callback", "oauth:read_write")),
    token("trigger-key", "tr_dev_<w:20>", "tr_prod_<w:20>", "tr_pat_<w:40>", seen=_DOC, spare=("tr_dev_index",)),
    token("inngest-key", "signkey-prod-<h:64>", "signkey-test-<h:32>", "signkey-branch-<h:64>", seen=_DOC),
)  # fmt: skip

TOKENS: Final[tuple[Rule, ...]] = tuple(
    chain.from_iterable(chain(AI, CLOUD, CODE, REGISTRIES, CHAT, PAYMENT, MAIL, MONITORING, APPS)),
)
