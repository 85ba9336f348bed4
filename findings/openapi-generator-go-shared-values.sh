#!/usr/bin/env bash
# openapi-generator 7.25.0, Go, two enums of one document that share a value.
# A good guess: each enum has constants of its own, as in the other languages.
# What is so: the constants have the name of the value alone, in one package, so the client does not
# compile. The option enumClassPrefix, which is off, or names in the document cure it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'chmod -R u+w "$PWD"; rm -rf "$PWD"' EXIT
mvn --quiet --batch-mode dependency:copy -DoutputDirectory=. -Dmdep.stripVersion \
  -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 >/dev/null
cat >openapi.yaml <<'YAML'
openapi: 3.0.3
info: { title: logs, version: '1' }
paths:
  /logs:
    get:
      operationId: listLogs
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties:
                  status: { $ref: '#/components/schemas/Status' }
                  notice: { $ref: '#/components/schemas/Notice' }
components:
  schemas:
    Status: { type: string, enum: [approved, rejected] }
    Notice: { type: string, enum: [rejected, late] }
YAML
for option in '' --additional-properties=enumClassPrefix=true; do
  rm -rf made
  # shellcheck disable=SC2086
  java -jar openapi-generator-cli.jar generate --input-spec openapi.yaml --generator-name go --output made $option >/dev/null 2>&1
  (
    cd made
    rm -rf test
    if GOFLAGS=-mod=mod GOPATH=$PWD/../go go build ./... >build.txt 2>&1; then echo compiles; fi
    grep -o 'REJECTED redeclared in this block' build.txt || true
  )
done | tee seen.txt
diff seen.txt - <<'SEEN'
REJECTED redeclared in this block
compiles
SEEN
