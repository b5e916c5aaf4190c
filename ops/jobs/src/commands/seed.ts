import { parseArgs } from 'node:util'
import { setting } from '../config.ts'
import { refuseOpenDemo, registerDemoAccounts, seedDemoAccounts } from '../demo-accounts.ts'

// Creates the demo accounts of `npm start` through the public API, in three steps: this command with --accounts,
// auth's command services/auth/src/commands/set-admin.ts, and this command without --accounts.
const { values } = parseArgs({ options: { accounts: { type: 'boolean', default: false } } })
process.stdout.write(`seed: ${await seed()}\n`)

async function seed(): Promise<string> {
  if (setting('DEMO_ACCOUNTS') === 'off') return 'demo accounts are switched off'
  const origins = setting('PUBLIC_ORIGINS')
    .split(',')
    .map((origin) => origin.trim())
  refuseOpenDemo(origins)
  const api = { gatewayUrl: setting('GATEWAY_URL'), origin: origins[0] ?? '' }
  if (values.accounts) {
    await registerDemoAccounts(api)
    return 'the demo accounts exist'
  }
  await seedDemoAccounts(api, (username) =>
    Promise.reject(new Error(`${username} is not an administrator: run set-admin in the auth image first.`)),
  )
  return 'the demo accounts have their conversation'
}
