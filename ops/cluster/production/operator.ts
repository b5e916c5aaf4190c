import type { Kubernetes } from '../kubernetes.ts'
import { pageBlock } from '../pages/page-block.ts'
import { swap } from '../steps/try-step.ts'
import { databaseUser, enginesNamespace, hostOf, kafkaBrokers, mongoMembers } from './accounts.ts'
import type { Accounts } from './accounts.ts'

/** Does what docs/deploy-kubernetes.md and docs/engine-users.md ask of an operator, with the lines of these pages. */
export async function createEngineUsers(kubernetes: Kubernetes, accounts: Accounts): Promise<void> {
  await startReplicaSet(kubernetes, accounts)
  await Promise.all([
    runAtMongo(kubernetes, accounts, databaseUsersBlock()),
    createKafkaUsers(kubernetes, accounts),
    runAtRedis(kubernetes, accounts, redisBlock()),
    createBucket(kubernetes, accounts),
  ])
}

/** Runs a script with sh in a pod of the engines. */
export const inPod = ({ kubectlWith }: Kubernetes, target: string, script: string) =>
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

const databaseUsersBlock = () =>
  pageBlock({ page: 'docs/deploy-kubernetes.md', heading: 'Production', after: '**MongoDB**' })
const kafkaBlock = () => pageBlock({ page: 'docs/engine-users.md', heading: 'Kafka' })
const redisBlock = () => pageBlock({ page: 'docs/engine-users.md', heading: 'Redis' })

/** Runs lines of the page's block for MongoDB as the administrator. */
export async function runAtMongo(
  kubernetes: Kubernetes,
  { administrator, passwordOf }: Accounts,
  block: string,
): Promise<void> {
  const own = `mongodb://admin:${administrator}@${mongoMembers.join(',')}/?replicaSet=rs0&${trusted}`
  const lines = block
    .replace(/mongodb:[^"]*/, own)
    .replace(/sumlock_(\w+)(.*)"…"/g, (_, owner: string, between: string) => {
      return `sumlock_${owner}${between}"${passwordOf(databaseUser(owner))}"`
    })
  await inPod(kubernetes, 'mongo-0', lines)
}

async function runAtKafka(
  kubernetes: Kubernetes,
  { administrator, passwordOf }: Accounts,
  lines: string,
): Promise<void> {
  const script = swap(lines, 'kafka-1.example.com:9093', kafkaBrokers.join(',')).replace(
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

async function createKafkaUsers(kubernetes: Kubernetes, accounts: Accounts): Promise<void> {
  const topics = pageBlock({
    page: 'docs/deploy-kubernetes.md',
    heading: 'Production',
    after: 'The user of the job `topics`',
  })
  await runAtKafka(kubernetes, accounts, `${kafkaBlock()}\n${topics}`)
}

async function runAtRedis(kubernetes: Kubernetes, { passwordOf }: Accounts, lines: string): Promise<void> {
  const script = swap(lines, 'redis.example.com', hostOf('redis')).replace(
    /SETUSER (\S+)(.*)'>…'/g,
    (_, user: string, between: string) => `SETUSER ${user}${between}'>${passwordOf(user)}'`,
  )
  const answers = await inPod(kubernetes, 'deployment/redis', script)
  // redis-cli ends with 0 when the server refuses a command.
  const refused = answers.split('\n').filter((line) => line !== '' && line !== 'OK')
  if (refused.length > 0) throw new Error(`Redis refused users: ${refused.join(', ')}`)
}

const lineWith = (block: string, part: string): string => {
  const line = block.split('\n').find((one) => one.includes(part))
  if (line === undefined) throw new Error(`No line has "${part}" any more:\n${block}`)
  return line
}

/** Each takes a right from a service's user, or gives it back, with its line of the pages. */
export const changeRight = {
  async ofBillingToReadUsers(kubernetes: Kubernetes, accounts: Accounts, isGiven: boolean) {
    const rule = lineWith(kafkaBlock(), 'User:sumlock_billing --operation read --topic sumlock.auth.users')
    const line = isGiven ? rule : swap(rule, '--add', '--remove --force')
    await runAtKafka(kubernetes, accounts, `${lineWith(kafkaBlock(), 'kafka=')}\n${line}`)
  },
  async ofNotifyToWrite(kubernetes: Kubernetes, accounts: Accounts, isGiven: boolean) {
    const isOther = (line: string) => line.includes('createUser') && !line.includes('sumlock_notify')
    const own = databaseUsersBlock()
      .split('\n')
      .filter((line) => !isOther(line))
      .join('\n')
      .replace(/createUser\(\{ user: ("\w+"), roles,.*?\}/, 'updateUser($1, { roles }')
    const block = isGiven ? own : swap(own, '["readWrite", "dbAdmin"]', '["read"]')
    await runAtMongo(kubernetes, accounts, block)
  },
  async ofGatewayToItsChannel(kubernetes: Kubernetes, accounts: Accounts, isGiven: boolean) {
    const line = lineWith(redisBlock(), 'SETUSER sumlock_gateway')
    await runAtRedis(kubernetes, accounts, isGiven ? line : swap(line, "'&sumlock:session-invalidated' ", ''))
  },
}

/** Makes the bucket with the store's own tool, for a user that can use this bucket and nothing else. */
async function createBucket(kubernetes: Kubernetes, { passwordOf }: Accounts): Promise<void> {
  const user = `versitygw admin create-user --access media --secret ${passwordOf('media')} --role user`
  const bucket = 'versitygw admin create-bucket --bucket media --owner media'
  await inPod(kubernetes, 'deployment/s3', `${user}\n${bucket}`)
}
