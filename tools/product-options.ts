import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@sumlock/stack/config'
import { usualPort } from './local-ports.ts'

/** Which product is meant: by default this checkout's. With both options several run side by side. */
export interface ProductOptions {
  dataDir: string
  /** The gateway's; the others keep their distance from it. */
  port: number
  /** False only for a load test on one's own machine. */
  rateLimits: boolean
}

/** Reads `--data <folder>`, `--port <number>` and the environment's `SUMLOCK_RATE_LIMITS`. */
export function readProductOptions(): ProductOptions {
  const { data, port } = parseArgs({ options: { data: { type: 'string' }, port: { type: 'string' } } }).values
  return {
    dataDir: dataFolder(data),
    port: readPort(port),
    rateLimits: readRateLimits(process.env['SUMLOCK_RATE_LIMITS']),
  }
}

/** The folder of `--data`, or this checkout's own. */
export const dataFolder = (data: string | undefined): string =>
  data === undefined ? join(repoRoot, '.data/start') : resolve(data)

function readPort(text: string | undefined): number {
  const port = Number(text ?? usualPort)
  if (!Number.isInteger(port)) throw new Error(`--port wants a number, not ${text}.`)
  return port
}

/** A load test comes from one address, where the limits by address would stop it. */
export function readRateLimits(text = 'on'): boolean {
  if (text !== 'on' && text !== 'off') throw new Error(`SUMLOCK_RATE_LIMITS is on or off, not ${text}.`)
  return text === 'on'
}
