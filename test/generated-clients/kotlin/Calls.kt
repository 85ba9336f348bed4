// The six calls of the contract, good and bad, with openapi-generator's client for Kotlin.
import org.openapitools.client.apis.AuthApi
import org.openapitools.client.apis.ClientsApi
import org.openapitools.client.apis.HealthApi
import org.openapitools.client.apis.IncidentsApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.models.EntryCodeBody
import org.openapitools.client.models.LogStatus
import org.openapitools.client.models.LoginBody
import org.openapitools.client.models.StatusChangeBody

fun refused(status: Int, call: () -> Unit): String {
    try {
        call()
    } catch (error: ClientException) {
        check(error.statusCode == status) { "$status: ${error.message}" }
        return "${(error.response as ClientError<*>).body}"
    }
    error("Not refused with $status")
}

fun main(args: Array<String>) {
    val base = args[0]
    val auth = AuthApi(base)
    val clients = ClientsApi(base)
    val signedIn = auth.login(LoginBody("ana.torres@demo.mx", "checada-demo")).data
    check(signedIn.user.active == 1L)
    refused(401) { auth.login(LoginBody("ana.torres@demo.mx", "otra")) }
    refused(401) { auth.me() }

    ApiClient.accessToken = signedIn.token
    check(auth.me().data.employee?.fullName != "")
    check(clients.modulesEnabled().data[0].enabledApp)
    check("${clients.validateCode(EntryCodeBody("DEMO-2026")).data.urlBase}/api" == base)
    refused(404) { clients.validateCode(EntryCodeBody("DEMO-0000")) }
    check(clients.config("logo").data.tipo == "archivo")
    refused(404) { clients.config("nada") }

    val incidents = IncidentsApi(base)
    val logId = incidents.listLogs(limit = 2).data.logs[0].logId
    val change = StatusChangeBody(logId, LogStatus.approved, "Bien.")
    check(incidents.changeLogStatus(change).data.status == LogStatus.approved)
    val body = refused(422) { incidents.changeLogStatus(change.copy(logId = 999_999_999)) }
    check("\"errors\":{\"log_id\":" in body) { body }
    check(HealthApi(base).health().success)
    println("openapi-generator’s client for Kotlin works.")
}
