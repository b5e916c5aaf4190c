import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Prints progress, indented. */
export const report = (text: string): void => {
  process.stderr.write(`  ${text.replaceAll('\n', '\n  ')}\n`)
}

/** Prints the message of an error and exits with code 1. */
export function failWith(error: unknown): never {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

export const productVersion = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
).version
