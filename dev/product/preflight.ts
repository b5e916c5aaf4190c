import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { requireSpace } from '../engines/disk-space.ts'
import { portOwner } from '../processes/port-owner.ts'
import { canListen } from '../processes/ports.ts'
import type { LocalPorts } from './local-ports.ts'

/** MongoDB's journal alone takes 300 MB when it is made. */
const firstStartBytes = 1e9
const laterStartBytes = 300e6

/** Throws a sentence with the fix when a start could not come to its end, before anything is begun. */
export function requireFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC') requireSpace(dataDir, firstStartBytes, 'a first start')
    throw new Error(
      `Nothing can be written to ${dataDir} (${code}): make it yours, or take another folder with --data.`,
      { cause: error },
    )
  }
  const isFirst = !existsSync(join(dataDir, 'mongo'))
  requireSpace(dataDir, isFirst ? firstStartBytes : laterStartBytes, isFirst ? 'a first start' : 'a start')
}

/** Throws a sentence that says who holds which port. */
export async function requirePorts(ports: LocalPorts, first: number): Promise<void> {
  const free = await Promise.all(ports.all.map(canListen))
  const taken = ports.all.filter((_, index) => !free[index])
  const [port] = taken
  if (port === undefined) return
  const owner = portOwner(port)
  const more = taken.length > 1 ? ` (and ${taken.length - 1} more of ours)` : ''
  throw new Error(
    `Port ${port} is in use${owner === null ? '' : ` by ${owner}`}${more}. End that program, or take other ports: npm start -- --port ${first + 100}`,
  )
}
