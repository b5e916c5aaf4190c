import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lines for a person or a log. */
export const say = (text: string): void => {
  process.stderr.write(`  ${text.replaceAll('\n', '\n  ')}\n`)
}

/** Ends this process with the sentence of an error. */
export function failWith(error: unknown): never {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

export const productVersion = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string }
).version
