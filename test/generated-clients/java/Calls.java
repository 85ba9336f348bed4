// The six calls of the contract, good and bad, with openapi-generator's client for Java.
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

public class Calls {
  interface Call {
    void run() throws ApiException;
  }

  static void expect(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  static String refused(int status, Call call) {
    try {
      call.run();
    } catch (ApiException error) {
      expect(error.getCode() == status, status + ": " + error.getMessage());
      return error.getResponseBody();
    }
    throw new AssertionError("Not refused with " + status);
  }

  public static void main(String[] args) throws ApiException {
    var anonymous = new ApiClient().setBasePath(args[0]);
    var auth = new AuthApi(anonymous);
    var clients = new ClientsApi(anonymous);
    var login = new LoginBody().email("ana.torres@demo.mx").password("checada-demo");
    var signedIn = auth.login(login).getData();
    expect(signedIn.getUser().getActive() == 1, "active");
    refused(401, () -> auth.login(new LoginBody().email("ana.torres@demo.mx").password("otra")));

    var client = new ApiClient().setBasePath(args[0]);
    client.setBearerToken(signedIn.getToken());
    expect(!new AuthApi(client).me().getData().getEmployee().getFullName().isEmpty(), "me");
    refused(401, () -> auth.me());

    expect(clients.modulesEnabled().getData().get(0).getEnabledApp(), "modules");
    var code = new EntryCodeBody().code("DEMO-2026");
    expect(args[0].equals(clients.validateCode(code).getData().getUrlBase() + "/api"), "code");
    refused(404, () -> clients.validateCode(new EntryCodeBody().code("DEMO-0000")));
    expect(clients.config("logo").getData().getTipo().equals("archivo"), "config");
    refused(404, () -> clients.config("nada"));

    var incidents = new IncidentsApi(client);
    var page = incidents.listLogs(null, null, null, null, null, null, null, null, null, 2L, null);
    var logId = page.getData().getLogs().get(0).getLogId();
    var change = new StatusChangeBody().logId(logId).status(LogStatus.APPROVED).comment("Bien.");
    expect(incidents.changeLogStatus(change).getData().getStatus() == LogStatus.APPROVED, "change");
    var unknown = new StatusChangeBody().logId(999_999_999L).status(LogStatus.APPROVED);
    var body = refused(422, () -> incidents.changeLogStatus(unknown));
    expect(body.contains("\"errors\":{\"log_id\":"), body);
    expect(new HealthApi(anonymous).health().getSuccess(), "health");
    System.out.println("openapi-generator’s client for Java works.");
  }
}
