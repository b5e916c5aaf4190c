import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

/** What k6 needs of a person; see load/lib/people.js. */
export interface LoadPerson {
  userId: string
  username: string
  password: string
  pin: string
  /** The Cookie header of an unlocked session, and the CSRF token that goes with it. */
  cookie: string
  csrfToken: string
  conversationId: string
}

export type LoadPair = readonly [LoadPerson, LoadPerson]

/** Where the people of a gateway are kept: outside git, one file for each gateway. */
export const peopleFile = (gateway: string): string =>
  join(repoRoot, '.data/load', `${new URL(gateway).host.replace(':', '-')}.json`)

/** Who was seeded before; nobody when there is no file. */
export function readPairs(file: string): LoadPair[] {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { pairs: LoadPair[] }).pairs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new Error(`${file} cannot be read: delete it, and the people are made anew.`, { cause: error })
  }
}

/** They hold passwords and sessions: for their owner's eyes only. */
export function writePairs(file: string, pairs: readonly LoadPair[]): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.part`, JSON.stringify({ pairs }, null, 1), { mode: 0o600 })
  renameSync(`${file}.part`, file)
}
