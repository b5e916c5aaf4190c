import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kafka, logLevel } from 'kafkajs'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { isListening } from '../processes/ports.ts'
import { run } from '../processes/run.ts'
import { cached } from './fetch-engine.ts'
import type { EngineSetup } from './fetch-engine.ts'
import { fetchFromMaven } from './fetch-from-maven.ts'

const version = engineVersions.kafka.native
const dependencies = [
  `org.apache.kafka:kafka_2.13:${version}`,
  'org.apache.logging.log4j:log4j-slf4j-impl:2.25.3',
]
const checksums = readFileSync(join(import.meta.dirname, 'kafka-jars.sha256'), 'utf8')
const clusterId = 'MkU3OEVBNTcwNTJENDM2Qk'

const log4j = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %p %c{1} %m%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
`

/** A broker that is its own controller. After a kill it can rejoin when its old session has expired, in 3 s. */
export const kafkaProperties = (dir: string, port: number, controllerPort: number): string =>
  `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
log.dirs=${dir}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=8
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
num.network.threads=2
num.io.threads=2
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
`

/** One KRaft node that is broker and controller. */
export async function createKafka({
  dataDir,
  port,
  progress,
  controllerPort,
}: EngineSetup & { controllerPort: number }): Promise<Child> {
  const engine = { name: `kafka-${version}`, title: 'Fetching Kafka (43 MB)', bytes: 100e6, progress }
  const folder = await cached(engine, (part) => fetchFromMaven(part, dependencies, checksums))
  const dir = join(dataDir, 'kafka')
  const data = join(dir, 'data')
  const config = join(dir, 'server.properties')
  const log4jFile = join(dir, 'log4j2.properties')
  await mkdir(dir, { recursive: true })
  await writeFile(config, kafkaProperties(data, port, controllerPort))
  await writeFile(log4jFile, log4j)
  const java = '-Xms128m -Xmx320m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp'.split(' ')
  const classPath = join(folder, 'libs', '*')
  if (!existsSync(join(data, 'meta.properties')))
    await run('java', [
      ...java,
      classPath,
      'kafka.tools.StorageTool',
      'format',
      '-t',
      clusterId,
      '-c',
      config,
    ])
  return createChild({
    name: 'kafka',
    command: 'java',
    args: [...java, classPath, `-Dlog4j2.configurationFile=${log4jFile}`, 'kafka.Kafka', config],
    logDir: join(dataDir, 'logs'),
    ready: () => kafkaServes(port),
  })
}

/** Whether the broker on this port is a member of its own cluster. */
export async function kafkaServes(port: number): Promise<boolean> {
  if (!(await isListening(port))) return false
  const admin = new Kafka({
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    retry: { retries: 0 },
  }).admin()
  try {
    await admin.connect()
    return (await admin.describeCluster()).brokers.length > 0
  } finally {
    await admin.disconnect()
  }
}
