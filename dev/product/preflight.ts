import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { enginesMode } from '../config.ts'
import { requireSpace } from '../engines/disk-space.ts'
import { canListen } from '../processes/ports.ts'
import type { LocalPorts } from './local-ports.ts'

/** Throws an error that says what to do when the data folder cannot be used. */
export function requireFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(
      `The folder ${dataDir} is not writable (${code}): make it writable, or choose another folder with --data.`,
      { cause: error },
    )
  }
  // MongoDB's journal alone takes 300 MB on the first start.
  if (existsSync(join(dataDir, 'mongo'))) requireSpace(dataDir, 300e6, 'a start')
  else requireSpace(dataDir, 1e9, 'a first start')
}

/** Throws an error that names all ports in use by other programs. */
export async function requirePorts({ all, engines }: LocalPorts, first: number): Promise<void> {
  const elsewhere = enginesMode === 'external' ? Object.values(engines) : []
  const wanted = all.filter((port) => !elsewhere.includes(port))
  const free = await Promise.all(wanted.map(canListen))
  const taken = wanted.filter((_, index) => !free[index])
  if (taken.length === 0) return
  throw new Error(
    `Port ${taken.join(', ')} is in use (\`lsof -i :${taken[0]}\` shows by which program). End that program, or choose other ports: npm start -- --port ${first + 100}`,
  )
}
