// The six calls of the contract, good and bad, with openapi-generator's client for Go.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"

	checada "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func expect(holds bool, what any) {
	if !holds {
		panic(fmt.Sprint(what))
	}
}

func done(err error) { expect(err == nil, err) }

func refused(status int, response *http.Response, err error) string {
	expect(err != nil && response != nil && response.StatusCode == status, err)
	return string(err.(*checada.GenericOpenAPIError).Body())
}

func main() {
	base := os.Args[1]
	config := checada.NewConfiguration()
	config.Servers = checada.ServerConfigurations{{URL: base}}
	client := checada.NewAPIClient(config)
	auth, clients, anonymous := client.AuthAPI, client.ClientsAPI, context.Background()

	login := *checada.NewLoginBody("ana.torres@demo.mx", "checada-demo")
	signedIn, _, err := auth.Login(anonymous).LoginBody(login).Execute()
	done(err)
	expect(signedIn.Data.User.Active == 1, "active")
	login.Password = "otra"
	_, response, err := auth.Login(anonymous).LoginBody(login).Execute()
	refused(401, response, err)

	ctx := context.WithValue(anonymous, checada.ContextAccessToken, signedIn.Data.Token)
	me, _, err := auth.Me(ctx).Execute()
	done(err)
	expect(me.Data.Employee.Get().FullName != "", "me")
	_, response, err = auth.Me(anonymous).Execute()
	refused(401, response, err)

	modules, _, err := clients.ModulesEnabled(anonymous).Execute()
	done(err)
	expect(modules.Data[0].EnabledApp, "modules")
	code := checada.NewEntryCodeBody("DEMO-2026")
	found, _, err := clients.ValidateCode(anonymous).EntryCodeBody(*code).Execute()
	done(err)
	expect(found.Data.UrlBase+"/api" == base, found.Data.UrlBase)
	code.Code = "DEMO-0000"
	_, response, err = clients.ValidateCode(anonymous).EntryCodeBody(*code).Execute()
	refused(404, response, err)
	entry, _, err := clients.Config(anonymous, "logo").Execute()
	done(err)
	expect(entry.Data.Tipo == "archivo", "config")
	_, response, err = clients.Config(anonymous, "nada").Execute()
	refused(404, response, err)

	page, _, err := client.IncidentsAPI.ListLogs(ctx).Limit(2).Execute()
	done(err)
	change := checada.NewStatusChangeBody(page.Data.Logs[0].LogId, checada.APPROVED)
	change.SetComment("Bien.")
	changed, _, err := client.IncidentsAPI.ChangeLogStatus(ctx).StatusChangeBody(*change).Execute()
	done(err)
	expect(changed.Data.Status == checada.APPROVED, "change")
	change.LogId = 999_999_999
	_, response, err = client.IncidentsAPI.ChangeLogStatus(ctx).StatusChangeBody(*change).Execute()
	body := refused(422, response, err)
	expect(strings.Contains(body, `"errors":{"log_id":`), body)
	health, _, err := client.HealthAPI.Health(anonymous).Execute()
	done(err)
	expect(health.Success, "health")
	fmt.Println("openapi-generator’s client for Go works.")
}
