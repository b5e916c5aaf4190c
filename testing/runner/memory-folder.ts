import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { freeBytes } from '@sumlock/dev/engines/disk-space'

const memory = '/dev/shm'
/** Several times what the engines of one run write. */
const roomBytes = 6e9
/** Memory that engines and services need for themselves. */
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
