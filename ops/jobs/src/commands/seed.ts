import { parseArgs } from 'node:util'
import { setting } from '../config.ts'
import { refuseOpenDemo, registerDemoAccounts, seedDemoAccounts } from '../demo-accounts.ts'
import { runJob } from '../run-job.ts'

// The demo accounts of `npm start`, through the public door. An administrator is made by auth's own command
// (services/auth/src/commands/set-admin.ts), so it takes two steps with that in between: --accounts first, then the rest.
const { values } = parseArgs({ options: { accounts: { type: 'boolean', default: false } } })
await runJob('seed', async () => {
  if (setting('DEMO_ACCOUNTS') === 'off') return 'no demo accounts are wanted'
  const origins = setting('PUBLIC_ORIGINS')
    .split(',')
    .map((origin) => origin.trim())
  refuseOpenDemo(origins)
  const door = { gatewayUrl: setting('GATEWAY_URL'), origin: origins[0] ?? '' }
  if (values.accounts) {
    await registerDemoAccounts(door)
    return 'the demo accounts are there'
  }
  await seedDemoAccounts(door, (username) =>
    Promise.reject(new Error(`${username} is no administrator yet: run set-admin in the auth image first.`)),
  )
  return 'the demo accounts have their conversation'
})
