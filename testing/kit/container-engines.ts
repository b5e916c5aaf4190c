import { join } from 'node:path'
import { s3AccessKeyId } from '@sumlock/deployment/media-bucket'
import { createInbox, redisUrlOf } from '@sumlock/dev/engines/engines'
import type { Engines } from '@sumlock/dev/engines/engines'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { brokerUsers, kafkaAdmin } from '@sumlock/deployment/kafka-users'
import { kafkaProperties, kafkaServes } from '@sumlock/dev/engines/kafka'
import { initiateSet } from '@sumlock/deployment/initiate-set'
import { freePorts, isListening } from '@sumlock/dev/processes/ports'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { loadSecrets } from '@sumlock/deployment/secrets'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { GenericContainer } from 'testcontainers'
import type { StartedTestContainer } from 'testcontainers'
import { dockerProblem } from '../../ops/images/checks/docker-problem.ts'

const startTimeout = { timeoutMs: 120_000, everyMs: 250 }

/**
 * Starts MongoDB, Kafka, Redis and the S3 store in containers of the versions that compose runs, and the inbox as a
 * process. The containers share the machine's network and listen only on its loopback, like the native engines, because
 * MongoDB lets its first user be created only from its own loopback, and brokers advertise the address to which clients
 * connected.
 */
export async function startContainerEngines(dataDir: string, progress: Progress): Promise<Engines> {
  const problem = await dockerProblem()
  if (problem !== undefined) throw new Error(`The engines cannot run in containers: ${problem}`)
  const secrets = await loadSecrets(join(dataDir, 'secrets.json'))
  const [mongo = 0, kafka = 0, controller = 0, redis = 0, s3 = 0, smtp = 0, web = 0] = await freePorts(7)
  const kafkaAddress = {
    kafkaBrokers: `127.0.0.1:${kafka}`,
    kafkaAdminPassword: secrets.kafkaAdminPassword,
  }
  const inbox = createInbox({ dataDir, smtpPort: smtp, webPort: web })
  const containers: StartedTestContainer[] = []
  const start = async (container: GenericContainer) => {
    containers.push(await container.withNetworkMode('host').withStartupTimeout(120_000).start())
  }
  const stop = async () => {
    await Promise.all([inbox.stop(), ...containers.map((container) => container.stop())])
  }
  try {
    await step(progress, 'Starting MongoDB, Kafka, Redis and the S3 store in containers', async () => {
      await Promise.all([
        start(mongoContainer(mongo, secrets.mongoAdminPassword)),
        start(kafkaContainer(kafka, controller, brokerUsers(secrets))),
        start(redisContainer(redis, secrets.redisPassword)),
        start(s3Container(s3, secrets.s3SecretKey)),
        inbox.start(),
      ])
      const address = `127.0.0.1:${mongo}`
      await waitUntil('MongoDB to listen', () => isListening(mongo), startTimeout)
      await initiateSet({ address, member: address, adminPassword: secrets.mongoAdminPassword })
      await waitUntil('Kafka to serve', () => kafkaServes(kafka, kafkaAdmin(kafkaAddress)), startTimeout)
      await waitUntil('Redis to listen', () => isListening(redis), startTimeout)
      await waitUntil('the S3 store to listen', () => isListening(s3), startTimeout)
    })
  } catch (error) {
    await stop()
    throw error
  }
  return {
    addresses: {
      mongoAdminUrl: `mongodb://admin:${secrets.mongoAdminPassword}@127.0.0.1:${mongo}/admin?replicaSet=rs0&authSource=admin`,
      ...kafkaAddress,
      redisUrl: redisUrlOf(redis, secrets.redisPassword),
      s3Url: `http://${s3AccessKeyId}:${secrets.s3SecretKey}@127.0.0.1:${s3}`,
      smtpUrl: `smtp://127.0.0.1:${smtp}`,
      inboxUrl: `http://127.0.0.1:${web}`,
    },
    secrets,
    children: [inbox],
    stop,
    engine: (name) => {
      throw new Error(
        `${name} runs in a container: a test that kills engines starts its own with startFaultStack.`,
      )
    },
  }
}

const withShell = (container: GenericContainer, script: string) =>
  container.withEntrypoint(['bash', '-c']).withCommand([script])

function mongoContainer(port: number, adminPassword: string): GenericContainer {
  const key = Buffer.from(adminPassword, 'hex').toString('base64')
  const options = [
    `--port ${port} --bind_ip 127.0.0.1 --replSet rs0 --keyFile /tmp/keyfile --dbpath /tmp/data`,
    '--wiredTigerCacheSizeGB 0.25 --quiet --setParameter transactionLifetimeLimitSeconds=3 --slowms 86400000',
    '--networkMessageCompressors snappy,zstd',
  ].join(' ')
  return withShell(
    new GenericContainer(engineVersions.mongo.image)
      .withUser('999:999')
      .withCopyContentToContainer([{ content: key, target: '/run/keyfile', mode: 0o444 }]),
    `mkdir /tmp/data && install -m 400 /run/keyfile /tmp/keyfile && exec mongod ${options}`,
  )
}

function kafkaContainer(port: number, controllerPort: number, users: string): GenericContainer {
  const content = kafkaProperties('/tmp/data', port, controllerPort) + users
  const bin = '/opt/kafka/bin'
  const file = '/run/kafka.properties'
  return withShell(
    new GenericContainer(engineVersions.kafka.image)
      .withEnvironment({ KAFKA_HEAP_OPTS: '-Xms128m -Xmx320m', LOG_DIR: '/tmp/logs' })
      .withCopyContentToContainer([{ content, target: file, mode: 0o444 }]),
    `${bin}/kafka-storage.sh format -t MkU3OEVBNTcwNTJENDM2Qk -c ${file} && exec ${bin}/kafka-server-start.sh ${file}`,
  )
}

function redisContainer(port: number, password: string): GenericContainer {
  return new GenericContainer(engineVersions.redis.image)
    .withEntrypoint(['redis-server'])
    .withCommand([
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--requirepass',
      password,
    ])
}

function s3Container(port: number, secretKey: string): GenericContainer {
  return new GenericContainer(engineVersions.s3.image)
    .withEnvironment({ ROOT_ACCESS_KEY: s3AccessKeyId, ROOT_SECRET_KEY: secretKey })
    .withEntrypoint(['/usr/local/bin/versitygw'])
    .withCommand(['--port', `127.0.0.1:${port}`, 'posix', '/tmp'])
}
