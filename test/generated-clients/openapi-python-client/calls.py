"""Makes the contract's six calls, and downloads files, with the client of openapi-python-client."""

import csv
import io
import json
import sys

from checada_client import AuthenticatedClient, Client
from checada_client.api.auth import login, me
from checada_client.api.clients import config, modules_enabled, validate_code
from checada_client.api.incidents import change_log_status, export_logs, list_logs
from checada_client.api.payroll import get_hours
from checada_client.models import (
    EntryCodeBody,
    ExportLogsFormat,
    GetHoursFormat,
    HoursDay,
    LoginBody,
    LogStatus,
    StatusChangeBody,
)

base = sys.argv[1]
anonymous = Client(base_url=base)

signed_in = login.sync(
    client=anonymous, body=LoginBody(email="ana.torres@demo.mx", password="checada-demo")
)
assert signed_in is not None and signed_in.data.user.role == "admin", signed_in
client = AuthenticatedClient(base_url=base, token=signed_in.data.token)

assert me.sync(client=client).data.employee.full_name != ""
assert len(modules_enabled.sync(client=anonymous).data) > 0
found = validate_code.sync(client=anonymous, body=EntryCodeBody(code="DEMO-2026"))
assert base == f"{found.data.url_base}/api", found
assert config.sync("logo", client=anonymous).data.valor != ""

page = list_logs.sync(client=client, limit=2)
assert len(page.data.logs) == 2, page
log_id = page.data.logs[0].log_id
changed = change_log_status.sync(
    client=client,
    body=StatusChangeBody(log_id=log_id, status=LogStatus.APPROVED, comment="electrónico"),
)
assert changed.data.status == "approved", changed

unknown = change_log_status.sync_detailed(
    client=client, body=StatusChangeBody(log_id=999_999_999, status=LogStatus.APPROVED)
)
assert unknown.status_code == 422, unknown
assert "log_id" in unknown.parsed.errors.additional_properties, unknown
text = export_logs.sync(client=client, format_=ExportLogsFormat.CSV)
rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
assert len(rows) > 100 and rows[0]["log_id"] != "", rows[:1]
text = get_hours.sync(client=client, format_=GetHoursFormat.NDJSON, preview=True)
days = [HoursDay.from_dict(json.loads(line)) for line in io.StringIO(text)]
assert len(days) > 100 and len(days[0].log_ids) > 0, days[:1]
print("The Python client works.")
