#!/usr/bin/env bash
# kubb: @kubb/plugin-client 4.39.3 (npm), an operation with the path parameter "config".
# A good guess: the parameter's name is its own business.
# What is so: the generated function has two parameters named config, the path's and kubb's own for the
# request, which is a syntax error in a module. An API that is published with that name cannot be cured
# in its document.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init --yes >/dev/null
npm pkg set type=module
npm install --silent --no-audit --no-fund @kubb/core@4.39.3 @kubb/cli@4.39.3 @kubb/plugin-oas@4.39.3 \
  @kubb/plugin-ts@4.39.3 @kubb/plugin-client@4.39.3 typescript@5.9.3
cat >openapi.json <<'JSON'
{
  "openapi": "3.1.0",
  "info": { "title": "clients", "version": "1" },
  "paths": {
    "/clients/{config}": {
      "get": {
        "operationId": "getConfig",
        "parameters": [{ "name": "config", "in": "path", "required": true, "schema": { "type": "string" } }],
        "responses": { "200": { "description": "ok" } }
      }
    }
  }
}
JSON
cat >kubb.config.ts <<'TS'
import { defineConfig } from '@kubb/core'
import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'

export default defineConfig({
  root: '.',
  input: { path: './openapi.json' },
  output: { path: './made' },
  plugins: [pluginOas(), pluginTs(), pluginClient()],
})
TS
npx kubb generate >/dev/null 2>&1
made=$(grep -rl 'function getConfig' made)
{
  grep -o 'function getConfig(config: [^,]*, config' "$made"
  (npx tsc --noEmit --skipLibCheck --module nodenext "$made" || true) |
    grep -o "TS2300: Duplicate identifier 'config'" | sort -u
} | tee seen.txt
diff seen.txt - <<'SEEN'
function getConfig(config: GetConfigPathParams["config"], config
TS2300: Duplicate identifier 'config'
SEEN
