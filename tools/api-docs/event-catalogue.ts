import { allEvents } from '@sumlock/contracts/all-events'
import { envelope } from '@sumlock/contracts/event'
import type { EventContract } from '@sumlock/contracts/event'
import { memberHint, sessionInvalidated } from '@sumlock/contracts/redis-channels'
import { handshakeQuery, handshakeRefusals, serverEvent, socketPath } from '@sumlock/contracts/socket'
import { deadLetterTopic, topics } from '@sumlock/contracts/topics'
import { usersOf } from './event-users.ts'
import { fieldTable } from './field-table.ts'

/** Returns a Markdown page of the Kafka events, Redis channels and socket messages. */
export function eventCatalogue(): string {
  return [
    '# Events and socket messages',
    'Made from the contracts by `npm run docs:api`; do not edit. HTTP is in [openapi.json](openapi.json).',
    '## Kafka',
    'Each record is a CloudEvents 1.0 envelope. Delivery is at least once, so consumers are idempotent, by version or by id. Within a version only optional fields are added.',
    fieldTable(envelope),
    '### Topics',
    topicTable(),
    'A record that a consumer can never handle goes to the dead-letter topic, with the cause in its headers. An `unavailable` error pauses the partition until a retry succeeds.',
    ...Object.entries<EventContract>(allEvents).flatMap(([name, event]) => eventSection(name, event)),
    '## Redis channels',
    'Hints only: no state depends on their delivery.',
    ...[memberHint, sessionInvalidated].flatMap(({ channel, data }) => [
      `### \`${channel}\``,
      fieldTable(data),
    ]),
    '## Socket.IO',
    `Path \`${socketPath}\`, websocket transport only. Identity comes from the session cookie. The origin has to be allowed and the session has to be unlocked.`,
    '### From the browser',
    'The server reads the query of the handshake and ignores all messages of clients.',
    fieldTable(handshakeQuery),
    `A handshake is refused with one of: ${handshakeRefusals.map((refusal) => `\`${refusal}\``).join(', ')}.`,
    '### To the browser',
    'All under the event name `event`. Each is a hint; clients fetch messages by `seq`.',
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

function eventSection(name: string, event: EventContract): string[] {
  const { producers, consumers } = usersOf(name)
  const facts = [
    `- Contract: \`${name}\``,
    `- Topic: \`${event.topic}\`, key \`${keyOf(event)}\``,
    `- Published by: ${producers}`,
    `- Consumed by: ${consumers}`,
  ]
  return [`### \`${event.type}\``, event.summary, facts.join('\n'), fieldTable(event.data)]
}

/** Returns the path of an event's Kafka key. A proxy records which fields the key function reads. */
export function keyOf(event: { readonly key: (data: never) => string }): string {
  const read: string[] = []
  const recorder: unknown = new Proxy({}, { get: (_, name) => (read.push(String(name)), recorder) })
  event.key(recorder as never)
  return read.join('.')
}
