"""Claude Code, as one row of the table of harnesses."""

from resume_forensics.harness.claude_code import layout, needles, records, speakers, speech
from resume_forensics.harness.claude_code.fields import read_time
from resume_forensics.model.layout import Harness

CLAUDE_CODE = Harness(
    name="claude-code",
    transcript_suffix=layout.SUFFIX,
    output_suffix=layout.OUTPUT_SUFFIX,
    folders=layout.FOLDERS,
    translate=records.translate,
    session_id_of=records.session_id_of,
    belonging_of=records.read_belonging,
    is_activity=records.is_activity,
    time_of=lambda record: read_time(record.data.get("timestamp")),
    find_store=layout.find_store,
    store_of=layout.store_of,
    is_session_name=layout.is_session_name,
    worker_id_of=layout.worker_id_of,
    sidecar_name=layout.sidecar_name,
    slug=layout.slug,
    slug_prefix_chars=layout.SLUG_PREFIX_CHARS,
    read_sidecar=layout.read_sidecar,
    read_registry=layout.read_registry,
    read_job=layout.read_job,
    read_snapshot=layout.read_snapshot,
    read_journal=layout.read_journal,
    liveness=layout.LIVENESS,
    delivery_traced_since=layout.DELIVERY_TRACED_SINCE,
    sidechains_until=layout.SIDECHAINS_UNTIL,
    shutdown_remedy=layout.SHUTDOWN_REMEDY,
    needles=needles.NEEDLES,
    result_key=needles.RESULT_KEY,
    link_key=needles.LINK_KEY,
    link_mark=needles.LINK_MARK,
    own_id_variable=layout.OWN_ID_VARIABLE,
    read_speech=speech.read_speech,
    continuations=(*speakers.CONTINUATION_TEXTS, speakers.CONTINUATION_ORIGIN),
)
