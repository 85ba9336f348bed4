// The six calls of the contract, good and bad, with the client of oapi-codegen.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
)

func expect(holds bool, what any) {
	if !holds {
		panic(fmt.Sprint(what))
	}
}

func done(err error) { expect(err == nil, err) }

func main() {
	base, ctx, token := os.Args[1], context.Background(), ""
	bearer := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	client, err := NewClientWithResponses(base, WithRequestEditorFn(bearer))
	done(err)

	login := LoginBody{Email: "ana.torres@demo.mx", Password: "otra"}
	wrong, err := client.LoginWithResponse(ctx, login)
	done(err)
	expect(wrong.JSON401 != nil && !wrong.JSON401.Success, wrong.Status())
	nobody, err := client.MeWithResponse(ctx)
	done(err)
	expect(nobody.JSON401 != nil && nobody.JSON401.Message != "", nobody.Status())
	login.Password = "checada-demo"
	signedIn, err := client.LoginWithResponse(ctx, login)
	done(err)
	expect(signedIn.JSON200.Data.User.Active == 1, "active")
	token = signedIn.JSON200.Data.Token
	me, err := client.MeWithResponse(ctx)
	done(err)
	expect(me.JSON200.Data.User.Role == "admin", "me")

	modules, err := client.ModulesEnabledWithResponse(ctx)
	done(err)
	expect(modules.JSON200.Data[0].EnabledApp, "modules")
	found, err := client.ValidateCodeWithResponse(ctx, EntryCodeBody{Code: "DEMO-2026"})
	done(err)
	expect(found.JSON200.Data.UrlBase+"/api" == base, found.JSON200.Data.UrlBase)
	unknown, err := client.ValidateCodeWithResponse(ctx, EntryCodeBody{Code: "DEMO-0000"})
	done(err)
	expect(unknown.JSON404 != nil, unknown.Status())
	entry, err := client.ConfigWithResponse(ctx, "logo")
	done(err)
	expect(entry.JSON200.Data.Tipo == "archivo", "config")
	nothing, err := client.ConfigWithResponse(ctx, "nada")
	done(err)
	expect(nothing.JSON404 != nil, nothing.Status())

	page, err := client.ListLogsWithResponse(ctx, &ListLogsParams{})
	done(err)
	change := StatusChangeBody{LogId: page.JSON200.Data.Logs[0].LogId, Status: Approved}
	changed, err := client.ChangeLogStatusWithResponse(ctx, change)
	done(err)
	expect(changed.JSON200.Data.Status == Approved, changed.Status())
	change.LogId = 999_999_999
	refused, err := client.ChangeLogStatusWithResponse(ctx, change)
	done(err)
	expect(len(refused.JSON422.Errors["log_id"]) == 1, refused.Status())
	health, err := client.HealthWithResponse(ctx)
	done(err)
	expect(health.JSON200.Success, "health")
	fmt.Println("The client of oapi-codegen works.")
}
