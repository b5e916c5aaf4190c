import { readFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/stack/config'
import { run } from '@sumlock/stack/run'
import type { Stack } from '@sumlock/stack/services'
import mongoose from 'mongoose'

/** One line about what all of it ran on. */
export function machine(): string {
  const processors = cpus()
  const memory = (totalmem() / 2 ** 30).toFixed(1)
  return `${processors.length} × ${processors[0]?.model ?? 'unknown processor'}, ${memory} GiB, ${type()} ${release()}`
}
