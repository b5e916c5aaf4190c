import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineAddresses } from '@sumlock/deployment/engine-addresses'
import { brokerUsers, kafkaAdmin } from '@sumlock/deployment/kafka-users'
import { loadSecrets } from '@sumlock/deployment/secrets'
import type { Secrets } from '@sumlock/deployment/secrets'
import { enginesMode, externalEngines, repoRoot } from '../config.ts'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { freePorts } from '../processes/ports.ts'
import { silent, step } from '../processes/progress.ts'
import type { Progress } from '../processes/progress.ts'
import type { EngineSetup } from './fetch-engine.ts'
import { wheelProgram } from './fetch-from-wheel.ts'
import { createKafka } from './kafka.ts'
import { createMongo } from './mongo.ts'
import { createS3 } from './s3.ts'
import { redisServer } from './wheels.ts'

export type EnginePorts = Record<
  'mongo' | 'kafka' | 'kafkaController' | 'redis' | 's3' | 'smtp' | 'inbox',
  number
>
export type EngineName = 'mongo' | 'kafka' | 'redis' | 's3' | 'inbox'

export interface Engines {
  addresses: EngineAddresses
  secrets: Secrets
  children: Child[]
  /** Returns an engine, so that tests can kill or pause it. Throws in mode `external`. */
  engine(name: EngineName): Child
  stop(): Promise<void>
}

/** Starts all engines and resolves when they answer. In mode `external` it only returns the configured addresses. */
export async function startEngines({
  dataDir,
  ports,
  progress = silent,
}: {
  dataDir: string
  ports?: EnginePorts
  progress?: Progress
}): Promise<Engines> {
  const secrets = await loadSecrets(join(dataDir, 'secrets.json'))
  if (enginesMode === 'external') return useExternal(secrets)
  const port = ports ?? (await chooseEnginePorts())
  const common = { dataDir, progress }
  const kafkaAddress = {
    kafkaBrokers: `127.0.0.1:${port.kafka}`,
    kafkaAdminPassword: secrets.kafkaAdminPassword,
  }
  const [mongo, kafka, redis, s3] = await Promise.all([
    createMongo({ ...common, port: port.mongo, adminPassword: secrets.mongoAdminPassword }),
    createKafka({
      ...common,
      port: port.kafka,
      controllerPort: port.kafkaController,
      variant: { properties: brokerUsers(secrets), connection: kafkaAdmin(kafkaAddress) },
    }),
    createRedis({ ...common, port: port.redis, password: secrets.redisPassword }),
    createS3({ ...common, port: port.s3, secretKey: secrets.s3SecretKey }),
  ])
  const inbox = createInbox({ dataDir, smtpPort: port.smtp, webPort: port.inbox })
  const children = [mongo, kafka, redis, s3, inbox]
  const stop = async () => {
    await Promise.all(children.map((child) => child.stop()))
  }
  try {
    await step(progress, 'Starting MongoDB, Kafka, Redis, the S3 store and the inbox', () =>
      Promise.all(children.map((child) => child.start())),
    )
  } catch (error) {
    await stop()
    throw error
  }
  return {
    addresses: {
      mongoAdminUrl: mongo.adminUrl,
      ...kafkaAddress,
      redisUrl: redisUrlOf(port.redis, secrets.redisPassword),
      s3Url: s3.url,
      smtpUrl: `smtp://127.0.0.1:${port.smtp}`,
      inboxUrl: `http://127.0.0.1:${port.inbox}`,
    },
    secrets,
    children,
    engine: (name) => ({ mongo, kafka, redis, s3, inbox })[name],
    stop,
  }
}

const useExternal = (secrets: Secrets): Engines => ({
  addresses: externalEngines,
  secrets,
  children: [],
  stop: () => Promise.resolve(),
  engine: (name) => {
    throw new Error(`In mode external ${name} was started elsewhere, so it cannot be controlled from here.`)
  },
})

/** Returns a mail server that delivers nothing and shows every mail. SMS arrive as mail to `<phone>@sms.local`. */
export function createInbox(options: { dataDir: string; smtpPort: number; webPort: number }): Child {
  const { dataDir, smtpPort, webPort } = options
  const maildev = join(repoRoot, 'node_modules/maildev/bin/maildev')
  const ports = [`--smtp=${smtpPort}`, `--web=${webPort}`, '--ip=127.0.0.1']
  return createChild({
    name: 'inbox',
    command: process.execPath,
    args: [maildev, ...ports, '--silent', `--mail-directory=${join(dataDir, 'inbox')}`],
    logDir: join(dataDir, 'logs'),
    port: webPort,
    healthUrl: `http://127.0.0.1:${webPort}/email`,
  })
}

/**
 * With these settings Redis stores no data on the disk and does its maintenance only once a second, to save CPU time.
 */
const redisSettings = ['--save', '', '--appendonly', 'no', '--hz', '1']

/** Returns the address with the administrator's password. */
export const redisUrlOf = (port: number, password: string): string => `redis://:${password}@127.0.0.1:${port}`

/** Redis keeps only its users in a file, because all its data may be lost. `password` is the administrator's. */
export async function createRedis({
  dataDir,
  port,
  progress,
  password,
}: EngineSetup & { password: string }): Promise<Child> {
  const command = await wheelProgram(redisServer, progress)
  const dir = join(dataDir, 'redis')
  const users = join(dir, 'users.acl')
  await mkdir(dir, { recursive: true })
  await writeFile(users, `user default on >${password} ~* &* +@all\n`, { mode: 0o600 })
  return createChild({
    name: 'redis',
    command,
    args: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--aclfile', users],
      ...redisSettings,
    ],
    logDir: join(dataDir, 'logs'),
    port,
  })
}

async function chooseEnginePorts(): Promise<EnginePorts> {
  const [mongo = 0, kafka = 0, kafkaController = 0, redis = 0, s3 = 0, smtp = 0, inbox = 0] =
    await freePorts(7)
  return { mongo, kafka, kafkaController, redis, s3, smtp, inbox }
}
