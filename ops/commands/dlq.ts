import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createBus } from '@sumlock/bus/bus'
import { createDeadLetterBox } from '@sumlock/bus/dead-letter-box'
import type { DeadLetter, Replay } from '@sumlock/bus/dead-letter-box'
import { topics } from '@sumlock/contracts/topics'
import { kafkaAdminAccount } from '@sumlock/deployment/kafka-users'
import type { Secrets } from '@sumlock/deployment/secrets'
import { localPorts, usualPort } from '@sumlock/dev/product/local-ports'
import { dataFolder } from '@sumlock/dev/product/product-options'
import { loadConfig } from '@sumlock/service-kit/config'
import { kafkaConnection, kafkaEnv } from '@sumlock/service-kit/kafka-settings'
import { createLogger } from '@sumlock/service-kit/logger'
import { z } from 'zod'
import { describeLetter, overview } from './local/describe-dead-letter.ts'

const usage = `Shows events that a consumer could not handle, and why, and replays them.

  npm run dlq -- list
  npm run dlq -- show <topic> [--at <partition>:<offset>]
  npm run dlq -- replay <topic> (--at <partition>:<offset> | --all) [--again]

<topic> is where the events came from: ${topics.map(({ name }) => name).join(', ')}.
replay publishes an event again to its topic, under the same id, so that consumers that have handled it ignore it. The
event is read from the topic, which keeps it for a few hours or days.
  --again                     also replay events that were replayed before
  --brokers, --namespace      use another product than that of npm start; KAFKA_TLS, KAFKA_CA, KAFKA_USERNAME and
                              KAFKA_PASSWORD of an administrator in the environment, as for a service
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: 'string' },
    all: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    brokers: { type: 'string' },
    namespace: { type: 'string', default: 'sumlock' },
  },
})
const [command, topic] = positionals
const print = (text: string) => void process.stdout.write(`${text}\n`)

const logger = createLogger({ service: 'dlq', instance: 'dlq', level: 'silent' })
const here = { KAFKA_BROKERS: `127.0.0.1:${localPorts(usualPort).engines.kafka}`, ...localAccount() }
const settings = loadConfig(
  z.object(kafkaEnv),
  values.brokers === undefined ? here : { ...process.env, KAFKA_BROKERS: values.brokers },
)
const bus = createBus({ ...kafkaConnection(settings), clientId: 'dlq', namespace: values.namespace, logger })
const box = createDeadLetterBox(bus)
try {
  if (command === 'list') await list()
  else if (command === 'show') (await chosen()).forEach((letter) => print(describeLetter(letter)))
  else if (command === 'replay' && values.all === (values.at === undefined)) await replay()
  else throw new Error(usage)
} catch (error) {
  const { name, message } = error as Error
  const isKafka = name.startsWith('KafkaJS')
  const kafka = `Kafka does not answer at ${settings.KAFKA_BROKERS.join()} (${message}). To start the product: npm start`
  process.stderr.write(`${isKafka ? kafka : message}\n`)
  process.exitCode = 1
} finally {
  await bus.close()
}

/** Returns the administrator's account of the product that `npm start` runs; nothing before its first start. */
function localAccount(): Record<string, string> {
  const file = join(dataFolder(undefined), 'secrets.json')
  if (!existsSync(file)) return {}
  return kafkaAdminAccount(JSON.parse(readFileSync(file, 'utf8')) as Secrets)
}

async function list(): Promise<void> {
  const letters = []
  for (const { name } of topics) letters.push(...(await box.read(name)))
  print(overview(letters))
}

async function replay(): Promise<void> {
  const outcomes: Record<Replay, string> = {
    published: 'was published again.',
    gone: 'was not published: its topic does not keep the event any more.',
    differs: 'was not published: its topic does not hold this event, so the dead letter may be forged.',
  }
  for (const letter of await chosen()) {
    const { at, replayedAt } = letter
    if (replayedAt === undefined || values.again) {
      const outcome = await box.replay(letter)
      print(`${topic} ${at} ${outcomes[outcome]}`)
      if (outcome !== 'published') process.exitCode = 1
    } else {
      print(`${topic} ${at} was already replayed at ${replayedAt}. To repeat it: --again`)
      if (values.at !== undefined) process.exitCode = 1
    }
  }
}

async function chosen(): Promise<DeadLetter[]> {
  const known = topics.find(({ name }) => name === topic)?.name
  if (!known) throw new Error(usage)
  const letters = await box.read(known)
  if (values.at === undefined) return letters
  const found = letters.filter(({ at }) => at === values.at)
  if (found.length === 0) throw new Error(`There is no dead letter of ${known} at ${values.at}.`)
  return found
}
