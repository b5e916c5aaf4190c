import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

interface Line {
  msg: string
  err?: { message: string }
}

/** Runs a command with the flags of its image until it ends or begins to try again. Every line has to be JSON. */
async function resultOf(command: string, env: Record<string, string>) {
  const [script = '', ...args] = command.split(' ')
  const flags = ['ExperimentalWarning', 'TimeoutNegativeWarning'].map((name) => `--disable-warning=${name}`)
  const file = join(import.meta.dirname, '../..', script)
  const child = spawn(process.execPath, ['--enable-source-maps', ...flags, file, ...args], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (output.includes('trying again')) child.kill()
    })
  const [code] = (await once(child, 'close')) as [number | null]
  const lines = output.trim().split('\n')
  return { code, last: lines.map((line) => JSON.parse(line) as Line).at(-1) }
}

describe('the log of a job', () => {
  /** Nothing listens at this port. */
  const nobody = '127.0.0.1:1'
  const mongo = `mongodb://${nobody}/sumlock_auth`
  const s3 = {
    S3_ENDPOINT: `http://${nobody}`,
    S3_BUCKET: 'media',
    ROOT_ACCESS_KEY: 'key',
    ROOT_SECRET_KEY: 'secret',
  }
  const setUp = {
    MONGO_MEMBER: nobody,
    MONGO_ADMIN_PASSWORD: 'secret',
    MONGO_PASSWORDS: '{}',
    SUMLOCK_NAMESPACE: 'sumlock',
  }
  const databases = Object.fromEntries(
    ['AUTH', 'MESSAGING', 'BILLING', 'NOTIFY'].map((owner) => [`MONGO_URL_${owner}`, mongo]),
  )
  const seed = {
    DEMO_ACCOUNTS: 'on',
    PUBLIC_ORIGINS: 'http://localhost:8080',
    GATEWAY_URL: `http://${nobody}`,
  }

  it('has only JSON, and shows that the job waits for its engine', async () => {
    const waiting = {
      'jobs/src/commands/create-bucket.ts': s3,
      'jobs/src/commands/create-topics.ts': { KAFKA_BROKERS: nobody, SUMLOCK_NAMESPACE: 'sumlock' },
      'jobs/src/commands/setup-mongo.ts': setUp,
      'jobs/src/commands/migrate.ts': databases,
      'jobs/src/commands/seed.ts --accounts': seed,
    }
    const logs = await Promise.all(
      Object.entries(waiting).map(async ([command, env]) => [
        command,
        (await resultOf(command, env)).last?.msg,
      ]),
    )
    expect(Object.fromEntries(logs)).toEqual({
      'jobs/src/commands/create-bucket.ts':
        'the S3 store at http://127.0.0.1:1 is not ready yet; trying again',
      'jobs/src/commands/create-topics.ts': 'Kafka at 127.0.0.1:1 is not ready yet; trying again',
      'jobs/src/commands/setup-mongo.ts': 'MongoDB at 127.0.0.1:1 is not ready yet; trying again',
      'jobs/src/commands/migrate.ts': 'database is not reachable yet; trying again',
      'jobs/src/commands/seed.ts --accounts': 'the gateway is not ready yet; trying again',
    })
  })

  it.each([
    ['jobs/src/commands/make-secrets.ts', 'SECRETS_FOLDER'],
    ['jobs/src/commands/init-mongo.ts', 'SECRETS_FOLDER'],
    ['backup/src/commands/backup.ts', 'BACKUP_KEY'],
    ['backup/src/commands/restore.ts', 'BACKUP_KEY'],
  ])(
    'has a line of JSON with the reason why %s failed, and the job ends with 1',
    async (command, setting) => {
      const { code, last } = await resultOf(command, {})
      expect(last?.err?.message).toContain(setting)
      expect(code).toBe(1)
    },
  )
})
