import type { Kubernetes } from '../kubernetes.ts'
import { pageBlock } from '../pages/page-block.ts'
import { swap } from '../steps/try-step.ts'
import { databaseUser, enginesNamespace, hostOf, kafkaBrokers, mongoMembers } from './accounts.ts'
import type { Accounts } from './accounts.ts'

/** Does what docs/deploy-kubernetes.md and docs/engine-users.md ask of an operator, with the lines of these pages. */
export async function createEngineUsers(kubernetes: Kubernetes, accounts: Accounts): Promise<void> {
  await startReplicaSet(kubernetes, accounts)
  await Promise.all([
    createDatabaseUsers(kubernetes, accounts),
    createKafkaUsers(kubernetes, accounts),
    createRedisUsers(kubernetes, accounts),
    createBucket(kubernetes),
  ])
}

/** Runs a script with sh in a pod of the engines. */
const inPod = ({ kubectlWith }: Kubernetes, target: string, script: string) =>
  kubectlWith(`set -e\n${script}\n`, `--namespace=${enginesNamespace}`, 'exec', '--stdin', target, '--', 'sh')

const trusted = 'tls=true&tlsCAFile=/certificate/ca.pem'
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Initiates the replica set, and creates the administrator by the exception that mongod makes for its own machine. */
async function startReplicaSet(kubernetes: Kubernetes, { administrator }: Accounts): Promise<void> {
  const members = mongoMembers.map((host, _id) => ({ _id, host }))
  const script = `
    try { rs.initiate(${JSON.stringify({ _id: 'rs0', members })}) } catch (error) { if (error.codeName !== 'AlreadyInitialized') throw error }
    while (!db.hello().isWritablePrimary) sleep(200)
    db.getSiblingDB('admin').createUser({ user: 'admin', pwd: ${JSON.stringify(administrator)}, roles: ['root'] })`
  await inPod(
    kubernetes,
    'mongo-0',
    `mongosh --quiet ${quoted(`mongodb://localhost:27017/?directConnection=true&${trusted}`)} --eval ${quoted(script)}`,
  )
}

async function createDatabaseUsers(kubernetes: Kubernetes, { administrator, passwordOf }: Accounts) {
  const block = pageBlock({
    page: 'docs/deploy-kubernetes.md',
    heading: 'Production',
    after: '**MongoDB**',
  })
  const own = `mongodb://admin:${administrator}@${mongoMembers.join(',')}/?replicaSet=rs0&${trusted}`
  const lines = block
    .replace(/mongodb:[^"]*/, own)
    .replace(/sumlock_(\w+)(.*)"…"/g, (_, owner: string, between: string) => {
      return `sumlock_${owner}${between}"${passwordOf(databaseUser(owner))}"`
    })
  await inPod(kubernetes, 'mongo-0', lines)
}

async function createKafkaUsers(kubernetes: Kubernetes, { administrator, passwordOf }: Accounts) {
  const lines = pageBlock({ page: 'docs/engine-users.md', heading: 'Kafka' })
  const topics = pageBlock({
    page: 'docs/deploy-kubernetes.md',
    heading: 'Production',
    after: 'The user of the job `topics`',
  })
  const script = swap(`${lines}\n${topics}`, 'kafka-1.example.com:9093', kafkaBrokers.join(',')).replace(
    /password=…(.*--entity-name (\S+))/g,
    (_, rest: string, user: string) => `password=${passwordOf(user)}${rest}`,
  )
  const properties = `security.protocol=SASL_SSL
ssl.truststore.type=PEM
ssl.truststore.location=/certificate/ca.pem
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="admin" password="${administrator}";`
  const setUp = `cd /tmp\nprintf '%s\\n' ${quoted(properties)} > admin.properties\nexport PATH=$PATH:/opt/kafka/bin`
  await inPod(kubernetes, 'kafka-0', `${setUp}\n${script}`)
}

async function createRedisUsers(kubernetes: Kubernetes, { passwordOf }: Accounts): Promise<void> {
  const lines = pageBlock({ page: 'docs/engine-users.md', heading: 'Redis' })
  const script = swap(lines, 'redis.example.com', hostOf('redis')).replace(
    /SETUSER (\S+)(.*)'>…'/g,
    (_, user: string, between: string) => `SETUSER ${user}${between}'>${passwordOf(user)}'`,
  )
  const answers = await inPod(kubernetes, 'deployment/redis', script)
  // redis-cli ends with 0 when the server refuses a command.
  const refused = answers.split('\n').filter((line) => line !== '' && line !== 'OK')
  if (refused.length > 0) throw new Error(`Redis refused users: ${refused.join(', ')}`)
}

/** The bucket is made with the job of the local overlay, which the page leaves to the operator's own tools. */
async function createBucket(kubernetes: Kubernetes): Promise<void> {
  await inPod(kubernetes, 'deployment/client', 'node src/commands/create-bucket.ts')
}
