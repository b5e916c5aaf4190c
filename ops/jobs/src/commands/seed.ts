import { parseArgs } from 'node:util'
import { RefusedError } from '@sumlock/deployment/api-client'
import { isTransient } from '@sumlock/service-kit/transient'
import { setting } from '../config.ts'
import { refuseOpenDemo, registerDemoAccounts, seedDemoAccounts } from '../demo-accounts.ts'
import { runJob, waitFor } from '../run-job.ts'

// Creates the demo accounts of `npm start` through the public API, in three steps: this command with --accounts,
// auth's command services/auth/src/commands/set-admin.ts, and this command without --accounts.
const { values } = parseArgs({ options: { accounts: { type: 'boolean', default: false } } })
const refuseToMakeAdmin = (username: string) =>
  Promise.reject(new Error(`${username} is not an administrator: run set-admin in the auth image first.`))

async function requireGateway(url: string): Promise<void> {
  const { ok, status } = await fetch(`${url}/api/csrf-token`)
  if (!ok) throw new Error(`The gateway answers ${status}.`)
}

/** A service that starts refuses connections or answers with 500 and above. */
function isFatal(error: unknown): boolean {
  return !(error instanceof RefusedError ? error.status >= 500 : isTransient(error))
}

await runJob('seed', async (logger) => {
  if (setting('DEMO_ACCOUNTS') === 'off') return 'demo accounts are switched off'
  const origins = setting('PUBLIC_ORIGINS')
    .split(',')
    .map((origin) => origin.trim())
  refuseOpenDemo(origins)
  const api = { gatewayUrl: setting('GATEWAY_URL'), origin: origins[0] ?? '' }
  const seed = async () => {
    await (values.accounts ? registerDemoAccounts(api) : seedDemoAccounts(api, refuseToMakeAdmin))
  }
  await waitFor('the gateway', () => requireGateway(api.gatewayUrl), logger)
  await waitFor('the product', seed, logger, { isFatal })
  return values.accounts ? 'the demo accounts exist' : 'the demo accounts have their conversation'
})
