import { allEvents } from '@sumlock/contracts/all-events'
import { envelope } from '@sumlock/contracts/event'
import type { EventContract } from '@sumlock/contracts/event'
import { messageHint, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import { handshakeQuery, handshakeRefusals, serverEvent, socketPath } from '@sumlock/contracts/socket'
import { deadLetterTopic, topics } from '@sumlock/contracts/topics'
import { eventUsers } from './event-users.ts'
import type { EventUsers } from './event-users.ts'
import { fieldTable } from './field-table.ts'
import { keyOf } from './key-of.ts'

/** Everything that travels between the parts without being an HTTP call, as a Markdown page. */
export async function eventCatalogue(): Promise<string> {
  const users = await eventUsers(Object.keys(allEvents))
  return [
    '# Events and socket messages',
    'Made from the contracts by `npm run docs:api`; do not edit. HTTP is in [openapi.json](openapi.json).',
    '## Kafka',
    'Each record is a CloudEvents 1.0 envelope. Delivery is at least once: a consumer remembers `id` in its inbox. Inside a version only optional fields are added.',
    fieldTable(envelope),
    '### Topics',
    topicTable(),
    'What a consumer can never handle goes to the dead-letter topic with its cause in the headers; `unavailable` pauses the partition and is tried again for ever.',
    ...Object.entries<EventContract>(allEvents).flatMap(([name, event]) =>
      eventSection(name, event, users[name] as EventUsers),
    ),
    '## Redis channels',
    'Hints only: what is lost here is found again by other means.',
    ...[messageHint, sessionInvalidated].flatMap(({ channel, data }) => [
      `### \`${channel}\``,
      fieldTable(data),
    ]),
    '## Socket.IO',
    `Path \`${socketPath}\`, websocket transport only. Identity comes from the session cookie, the origin has to be ours, and the session has to be unlocked.`,
    '### From the browser',
    'The handshake’s query is all a browser can say; nobody listens to messages of clients.',
    fieldTable(handshakeQuery),
    `A handshake is refused with one of: ${handshakeRefusals.map((refusal) => `\`${refusal}\``).join(', ')}.`,
    '### To the browser',
    'Always under the event name `event`. Each is a hint; the truth is fetched by `seq`.',
    ...serverEvent.options.flatMap((option) => [
      `#### \`${option.shape.type.value}\``,
      option.description ?? '',
      fieldTable(option),
    ]),
    '',
  ].join('\n\n')
}

function topicTable(): string {
  const hours = (ms: string) => `${Number(ms) / 3_600_000} h`
  const rows = topics.map(
    ({ name, partitions, config }) =>
      `| \`${name}\` | ${partitions} | ${hours(config['retention.ms'])} | \`${deadLetterTopic(name)}\` |`,
  )
  return ['| Topic | Partitions | Kept | Dead letters |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function eventSection(name: string, event: EventContract, { producers, consumers }: EventUsers): string[] {
  const list = (services: readonly string[]) => services.join(', ') || 'nobody yet'
  return [
    `### \`${event.type}\``,
    event.summary,
    [
      `- Contract: \`${name}\``,
      `- Topic: \`${event.topic}\`, key \`${keyOf(event)}\``,
      `- Said by: ${list(producers)}`,
      `- Heard by: ${list(consumers)}`,
    ].join('\n'),
    fieldTable(event.data),
  ]
}
