import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { freeBytes } from '@sumlock/dev/engines/disk-space'

const memory = '/dev/shm'
/** What the engines of one run write, several times over. */
const roomBytes = 6e9
/** With that much left the engines and the services still find theirs. */
const spareBytes = 12e9

/**
 * A new folder in memory for what only tests keep, where there is room: a slow disk then says nothing about the product.
 * Null where there is none; the system's folder for temporary files does as well.
 */
export function memoryFolder(prefix: string): string | null {
  try {
    if (freeBytes(memory) < roomBytes || process.availableMemory() < spareBytes) return null
    return mkdtempSync(join(memory, prefix))
  } catch {
    return null
  }
}
