"""The six calls of the contract, good and bad, with openapi-generator's client for Python."""

import sys

from openapi_client import (
    ApiClient,
    AuthApi,
    ClientsApi,
    Configuration,
    EntryCodeBody,
    HealthApi,
    IncidentsApi,
    LoginBody,
    LogStatus,
    StatusChangeBody,
)
from openapi_client.exceptions import ApiException

base = sys.argv[1]
anonymous = ApiClient(Configuration(host=base))
auth, clients = AuthApi(anonymous), ClientsApi(anonymous)


def refused(status, call, *args):
    try:
        call(*args)
    except ApiException as error:
        assert error.status == status, error
        return error
    raise AssertionError(f"Not refused with {status}")


signed_in = auth.login(LoginBody(email="ana.torres@demo.mx", password="checada-demo")).data
assert signed_in.user.active == 1, signed_in
refused(401, auth.login, LoginBody(email="ana.torres@demo.mx", password="otra"))

client = ApiClient(Configuration(host=base, access_token=signed_in.token))
assert AuthApi(client).me().data.employee.full_name != ""
refused(401, auth.me)

assert clients.modules_enabled().data[0].enabled_app
assert f"{clients.validate_code(EntryCodeBody(code='DEMO-2026')).data.url_base}/api" == base
refused(404, clients.validate_code, EntryCodeBody(code="DEMO-0000"))
assert clients.config("logo").data.tipo == "archivo"
refused(404, clients.config, "nada")

incidents = IncidentsApi(client)
log_id = incidents.list_logs(limit=2).data.logs[0].log_id
change = StatusChangeBody(log_id=log_id, status=LogStatus.APPROVED, comment="Bien.")
assert incidents.change_log_status(change).data.status == LogStatus.APPROVED
change.log_id = 999_999_999
assert "log_id" in refused(422, incidents.change_log_status, change).data.errors
assert HealthApi(anonymous).health().success
print("openapi-generator’s client for Python works.")
