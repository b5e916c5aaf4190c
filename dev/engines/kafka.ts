import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { Kafka, logLevel } from 'kafkajs'
import type { KafkaConfig } from 'kafkajs'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import type { Progress } from '../processes/progress.ts'
import { run } from '../processes/run.ts'
import { cached, verifyChecksums } from './fetch-engine.ts'
import type { EngineSetup } from './fetch-engine.ts'

const version = engineVersions.kafka.native.version
const clusterId = 'MkU3OEVBNTcwNTJENDM2Qk'
const fileOf = (name: string) => join(import.meta.dirname, 'kafka', name)

export const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1'

async function fetchKafka(folder: string): Promise<void> {
  const settings = [
    `-Dkafka.version=${version}`,
    '-DincludeScope=runtime',
    `-DoutputDirectory=${folder}/libs`,
  ]
  await run('mvn', [
    '-q',
    '-B',
    '-f',
    fileOf('pom.xml'),
    `${dependencyPlugin}:copy-dependencies`,
    ...settings,
  ])
  await verifyChecksums(join(folder, 'libs'), readFileSync(fileOf('jars.sha256'), 'utf8'))
}

/**
 * Returns the settings of a broker that is its own controller. Anybody may do anything there unless the lines of
 * `brokerUsers` are appended.
 */
export const kafkaProperties = (dir: string, port: number, controllerPort: number): string =>
  `${readFileSync(fileOf('server.properties'), 'utf8')}
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=CLIENTS://127.0.0.1:${port}
log.dirs=${dir}
`

type Connection = Pick<KafkaConfig, 'brokers' | 'ssl' | 'sasl'>

/** A variant describes a broker with users, or one that a test sets up in another way. */
export interface KafkaVariant {
  /** These lines are appended to the broker's properties and override them. */
  properties: string
  /** Kafka's tool formats the storage with these further arguments. */
  format?: readonly string[]
  connection: Connection
  /** The broker is run by this command, such as one that enters a network namespace. */
  within?: readonly string[]
}

/** Returns the folder with Kafka's jars in the cache. The first call fetches them. */
export async function kafkaLibs(progress: Progress): Promise<string> {
  const engine = { name: `kafka-${version}`, title: 'Fetching Kafka (43 MB)', bytes: 100e6, progress }
  return join(await cached(engine, fetchKafka), 'libs')
}

export async function createKafka({
  dataDir,
  port,
  progress,
  controllerPort,
  variant,
}: EngineSetup & { controllerPort: number; variant?: KafkaVariant }): Promise<Child> {
  const libs = await kafkaLibs(progress)
  const data = join(dataDir, 'kafka/data')
  const config = join(dataDir, 'kafka/server.properties')
  await mkdir(join(dataDir, 'kafka'), { recursive: true })
  // The file is removed first, because a file of an earlier version would keep its permissions, with which everybody
  // can read it.
  await rm(config, { force: true })
  const properties = kafkaProperties(data, port, controllerPort) + (variant?.properties ?? '')
  await writeFile(config, properties, { mode: 0o600 })
  const java = [
    ...'-Xms128m -Xmx320m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData'.split(' '),
    `-Dlog4j2.configurationFile=${fileOf('log4j2.properties')}`,
    '-cp',
    join(libs, '*'),
  ]
  if (!existsSync(join(data, 'meta.properties')))
    await run('java', [
      ...java,
      'kafka.tools.StorageTool',
      ...['format', '-t', clusterId, '-c', config],
      ...(variant?.format ?? []),
    ])
  const [command = 'java', ...before] = [...(variant?.within ?? []), 'java']
  return createChild({
    name: 'kafka',
    command,
    args: [...before, ...java, 'kafka.Kafka', config],
    logDir: join(dataDir, 'logs'),
    port,
    ready: () => kafkaServes(port, variant?.connection),
  })
}

/** Returns whether the broker on this port is a member of its own cluster. Throws while it cannot be reached. */
export async function kafkaServes(
  port: number,
  connection: Connection = { brokers: [`127.0.0.1:${port}`] },
): Promise<boolean> {
  const admin = new Kafka({ ...connection, logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin()
  try {
    await admin.connect()
    return (await admin.describeCluster()).brokers.length > 0
  } finally {
    await admin.disconnect()
  }
}
