import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@sumlock/stack/config'
import { usualPort } from './local-ports.ts'

/** Which product is meant: by default this checkout's. With both options several run side by side. */
export interface ProductOptions {
  dataDir: string
  /** The gateway's; the others keep their distance from it. */
  port: number
}

/** Reads `--data <folder>` and `--port <number>`. */
export function readProductOptions(): ProductOptions {
  const { data, port } = parseArgs({ options: { data: { type: 'string' }, port: { type: 'string' } } }).values
  return { dataDir: dataFolder(data), port: readPort(port) }
}

/** The folder of `--data`, or this checkout's own. */
export const dataFolder = (data: string | undefined): string =>
  data === undefined ? join(repoRoot, '.data/start') : resolve(data)

function readPort(text: string | undefined): number {
  const port = Number(text ?? usualPort)
  if (!Number.isInteger(port)) throw new Error(`--port wants a number, not ${text}.`)
  return port
}
