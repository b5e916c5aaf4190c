import { parseArgs } from 'node:util'
import { createBus } from '@sumlock/bus/bus'
import { createDeadLetterBox } from '@sumlock/bus/dead-letter-box'
import type { DeadLetter } from '@sumlock/bus/dead-letter-box'
import { topics } from '@sumlock/contracts/topics'
import { createLogger } from '@sumlock/service-kit/logger'
import { describeLetter, overview } from './local/describe-dead-letter.ts'
import { localPorts, usualPort } from '@sumlock/dev/product/local-ports'

const usage = `Shows events that a consumer could not handle, and why, and replays them.

  npm run dlq -- list
  npm run dlq -- show <topic> [--at <partition>:<offset>]
  npm run dlq -- replay <topic> (--at <partition>:<offset> | --all) [--again]

<topic> is where the events came from: ${topics.map(({ name }) => name).join(', ')}.
replay publishes an event again to its topic, under the same id, so that consumers that have handled it ignore it.
  --again                     also replay events that were replayed before
  --brokers, --namespace      use another product than that of npm start
`
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    at: { type: 'string' },
    all: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
    brokers: { type: 'string', default: `127.0.0.1:${localPorts(usualPort).engines.kafka}` },
    namespace: { type: 'string', default: 'sumlock' },
  },
})
const [command, topic] = positionals
const print = (text: string) => void process.stdout.write(`${text}\n`)
class RefusedError extends Error {}

const bus = createBus({
  brokers: values.brokers.split(','),
  clientId: 'dlq',
  namespace: values.namespace,
  logger: createLogger({ service: 'dlq', instance: 'dlq', level: 'silent' }),
})
const box = createDeadLetterBox(bus)
try {
  if (command === 'list') await list()
  else if (command === 'show') await show()
  else if (command === 'replay') await replay()
  else throw new RefusedError(usage)
} catch (error) {
  const isKafka = error instanceof Error && error.name.startsWith('KafkaJS')
  const sentence = isKafka
    ? `Kafka does not answer at ${values.brokers} (${error.message}). To start the product: npm start`
    : error instanceof Error
      ? error.message
      : String(error)
  process.stderr.write(`${sentence}\n`)
  process.exitCode = 1
} finally {
  await bus.close()
}

async function list(): Promise<void> {
  const letters = []
  for (const { name } of topics) letters.push(...(await box.read(name)))
  print(overview(letters))
}

async function show(): Promise<void> {
  for (const letter of await chosen()) print(describeLetter(letter))
}

async function replay(): Promise<void> {
  if (values.all === (values.at !== undefined)) throw new RefusedError(usage)
  const letters = await chosen()
  const fresh = values.again ? letters : letters.filter(({ replayedAt }) => replayedAt === undefined)
  for (const letter of fresh) {
    await box.replay(letter)
    print(`${letter.topic} ${letter.at} was published again.`)
  }
  const refused = letters.filter((letter) => !fresh.includes(letter))
  for (const { at, replayedAt } of refused)
    print(`${topic} ${at} was already replayed at ${replayedAt}. To repeat it: --again`)
  if (values.at !== undefined && refused.length > 0) process.exitCode = 1
}

async function chosen(): Promise<DeadLetter[]> {
  const known = topics.find(({ name }) => name === topic)?.name
  if (!known) throw new RefusedError(usage)
  const letters = await box.read(known)
  if (values.at === undefined) return letters
  const found = letters.filter(({ at }) => at === values.at)
  if (found.length === 0) throw new RefusedError(`There is no dead letter of ${known} at ${values.at}.`)
  return found
}
