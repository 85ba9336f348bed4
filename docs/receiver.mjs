// NOTIFY_SECRET=whsec_… PORT=9000 node receiver.mjs, after npm install standardwebhooks
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.NOTIFY_SECRET)
const FILE = 'last-id.txt'
let lastId = existsSync(FILE) ? Number(readFileSync(FILE, 'utf8')) : 0

// Send a push to this person's phone instead.
const notifyPerson = async ({ id, employee_id }) => console.log(`${id} ${employee_id}`)

const receive = async (request, response) => {
  let message
  try {
    message = webhook.verify(await text(request), request.headers)
  } catch {
    return response.writeHead(400).end()
  }
  for (const change of message.type === 'logs.decided' ? message.data.changes : []) {
    if (change.id <= lastId) continue
    await notifyPerson(change)
    lastId = change.id
    writeFileSync(FILE, `${lastId}`)
  }
  response.writeHead(204).end()
}

createServer((...call) => receive(...call).catch(() => call[1].writeHead(500).end())).listen(
  process.env.PORT,
)
