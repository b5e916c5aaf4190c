import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readFileFrom } from '@sumlock/backup/backup-file'
import { makeBackup } from '@sumlock/backup/make-backup'
import { deadLetterTopic, topics } from '@sumlock/contracts/topics'
import { databaseOwners, databaseUrls } from '@sumlock/deployment/provision'
import { systemClock } from '@sumlock/service-kit/clock'
import { withDatabase } from './database.ts'
import { publishedIn } from './events.ts'
import type { RunningStack } from './shared-stack.ts'

export interface RedisRecording {
  /** Returns all commands since the start, one per line. */
  text(): string
  close(): void
}

/** Records the commands that Redis receives, by the Redis command MONITOR. */
export async function recordRedis({ addresses }: RunningStack): Promise<RedisRecording> {
  const { hostname, port, password } = new URL(addresses.redisUrl)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.write(`AUTH ${password}\r\n`)
  await once(socket, 'data')
  socket.write('MONITOR\r\n')
  await once(socket, 'data')
  socket.on('data', (chunk) => {
    text += String(chunk)
  })
  return { text: () => text, close: () => void socket.destroy() }
}

/**
 * Returns the text of every place where the stack stores or sends data: collections, topics, logs, and the recorded
 * Redis traffic.
 */
export async function readPlaces(stack: RunningStack, redis: RedisRecording): Promise<Map<string, string>> {
  const places = new Map<string, string>()
  for (const owner of databaseOwners)
    await withDatabase(stack, owner, async (database) => {
      for (const { name } of await database.listCollections())
        places.set(`${owner}.${name}`, JSON.stringify(await database.collection(name).find({}).toArray()))
    })
  for (const name of topics.flatMap((topic) => [topic.name, deadLetterTopic(topic.name)] as const))
    places.set(`topic ${name}`, (await publishedIn(stack, name)).join('\n'))
  for (const { service, index, logFile } of stack.services)
    places.set(`log of ${service}-${index + 1}`, readFileSync(logFile, 'utf8'))
  return places.set('redis', redis.text())
}

/** Returns every place of the stack that contains a text in readable form. */
export async function placesWith(
  stack: RunningStack,
  mark: string,
  redis: RedisRecording,
): Promise<string[]> {
  const places = [...(await readPlaces(stack, redis))]
  return places.filter(([, text]) => text.includes(mark)).map(([place]) => place)
}

/** Makes a backup of all databases, and returns its decrypted content. */
export async function backedUp({ addresses, secrets, namespace }: RunningStack): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-backups-'))
  const options = { folder, key: randomBytes(32), bucket: null, peppers: [], keepDays: 1 }
  const urls = databaseUrls(addresses, secrets, namespace)
  const progress = () => undefined
  try {
    const backup = { ...options, databaseUrls: urls, clock: systemClock(), progress }
    const { path, manifest } = await makeBackup(backup)
    const files = manifest.databases.flatMap(({ collections }) => collections)
    const contents = files.map((file) => buffer(readFileFrom({ ...backup, folder: path }, file)))
    return Buffer.concat(await Promise.all(contents))
  } finally {
    await rm(folder, { recursive: true })
  }
}
