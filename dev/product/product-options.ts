import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openOrigins } from '@sumlock/contracts/loopback'
import { refuseOpenDemo } from '@sumlock/jobs/demo-accounts'
import { repoRoot } from '../config.ts'
import { usualPort } from './local-ports.ts'

/** Products with different values can run side by side. */
export interface ProductOptions extends ReturnType<typeof readDemo> {
  dataDir: string
  /** The gateway has this port. All others have a fixed distance from it. */
  port: number
  /** Only a load test on this machine sets this to false. */
  rateLimits: boolean
  /** When true, Vite serves the client, and a service restarts when a file it imports changes. */
  watch: boolean
  /** When true, all services run in one process, which takes less memory but does not isolate them from each other. */
  oneProcess: boolean
}

/** Reads `--data <folder>`, `--port <number>`, `--watch`, `--one-process` and the `SUMLOCK_…` settings of the environment. */
export function readProductOptions(): ProductOptions {
  const values = parseArgs({
    options: {
      data: { type: 'string' },
      port: { type: 'string', default: String(usualPort) },
      watch: { type: 'boolean', default: false },
      'one-process': { type: 'boolean', default: false },
    },
  }).values
  const { data, port, watch } = values
  if (!/^\d+$/.test(port)) throw new Error(`--port must be a number, not ${port}.`)
  return {
    dataDir: dataFolder(data),
    port: Number(port),
    // A load test sends everything from one address, so the limits per address would stop it.
    rateLimits: readSwitch(process.env, 'SUMLOCK_RATE_LIMITS'),
    watch,
    oneProcess: values['one-process'],
    ...readDemo(process.env),
  }
}

/**
 * Reads the settings of the demo. Demo accounts and phone codes on the screen are for this machine only, so it throws
 * when the product has other origins.
 */
export function readDemo(env: NodeJS.ProcessEnv) {
  const origins = (env['SUMLOCK_PUBLIC_ORIGINS'] ?? '').split(',').flatMap((origin) => origin.trim() || [])
  const demoAccounts = readSwitch(env, 'SUMLOCK_DEMO_ACCOUNTS')
  const showPhoneCode = readSwitch(env, 'SUMLOCK_SHOW_PHONE_CODE')
  if (demoAccounts) refuseOpenDemo(origins, 'SUMLOCK_DEMO_ACCOUNTS')
  const [open] = openOrigins(origins)
  if (showPhoneCode && open !== undefined)
    throw new Error(
      `Phone codes may not be shown on screen while ${open} may open the product: set SUMLOCK_SHOW_PHONE_CODE=off.`,
    )
  if (demoAccounts && !showPhoneCode)
    throw new Error(
      'Demo accounts need the phone code shown on screen: set SUMLOCK_DEMO_ACCOUNTS=off as well.',
    )
  return { origins, demoAccounts, showPhoneCode }
}

export const dataFolder = (data: string | undefined): string =>
  data === undefined ? join(repoRoot, '.data/start') : resolve(data)

export function readSwitch(env: NodeJS.ProcessEnv, name: string): boolean {
  const text = env[name] ?? 'on'
  if (text !== 'on' && text !== 'off') throw new Error(`${name} must be on or off, not ${text}.`)
  return text === 'on'
}
