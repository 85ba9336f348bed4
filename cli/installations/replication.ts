import { configuredDatabase } from '../core/installation-file.ts'
import { captureWrangler, captureWranglerOrFail } from '../core/wrangler.ts'

const API = 'https://api.cloudflare.com/client/v4'
const API_MS = 30_000

export const isReplicated = (installation: string): boolean => {
  const out = captureWranglerOrFail(['d1', 'info', 'DB', '--json'], 'read replicas unknown', {
    installation,
  })
  const { read_replication }: { read_replication?: { mode: string } } = JSON.parse(out)
  return read_replication?.mode === 'auto'
}

/** Returns CLOUDFLARE_ACCOUNT_ID, or the id of the user's only account. Otherwise undefined. */
const findAccount = (): string | undefined => {
  if (process.env.CLOUDFLARE_ACCOUNT_ID) return process.env.CLOUDFLARE_ACCOUNT_ID
  const { accounts }: { accounts: { id: string }[] } = JSON.parse(
    captureWrangler(['whoami', '--json']).out,
  )
  return accounts.length === 1 ? accounts[0]?.id : undefined
}

/**
 * Switches read replicas on. Returns the reason if that fails, or undefined. Errors of fetch are
 * not passed on, since an error about a header contains the header's value, which is the token.
 */
const switchOn = async (token: string, database: string): Promise<string | undefined> => {
  const account = findAccount()
  if (!account) return 'there are several accounts: set CLOUDFLARE_ACCOUNT_ID'
  try {
    const response = await fetch(`${API}/accounts/${account}/d1/database/${database}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ read_replication: { mode: 'auto' } }),
      signal: AbortSignal.timeout(API_MS),
    })
    return response.ok ? undefined : `Cloudflare responds ${response.status}; D1 Edit is required`
  } catch {
    return 'Cloudflare does not respond, or the token is malformed'
  }
}

/** Switches read replicas on if CLOUDFLARE_API_TOKEN is set. Returns a text for the operator. */
export const ensureReplication = async (installation: string): Promise<string> => {
  const { name, id = '' } = configuredDatabase(installation)
  const token = process.env.CLOUDFLARE_API_TOKEN
  if (!token && isReplicated(installation)) return 'Read replicas are on already.'
  const problem = token ? await switchOn(token, id) : 'CLOUDFLARE_API_TOKEN is not set'
  if (problem === undefined) return 'Read replicas are on.'
  return `Read replicas are not on (${problem}): far from the database, apps start slowly.
   In the dashboard, https://dash.cloudflare.com/?to=/:account/workers/d1, choose
   ${name} > Settings > Enable Read Replication.`
}
