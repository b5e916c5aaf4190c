import type { DeadLetter } from '@sumlock/bus/dead-letter-box'

/**
 * Returns a line for each topic with dead letters: their number, how many were not replayed, and the cause of the
 * newest.
 */
export function overview(letters: readonly DeadLetter[]): string {
  const byTopic = Map.groupBy(letters, ({ topic }) => topic)
  if (byTopic.size === 0) return 'There are no dead letters.'
  return [...byTopic]
    .map(([topic, list]) => {
      const waiting = list.filter(({ replayedAt }) => replayedAt === undefined).length
      const { at, cause } = list.at(-1) as DeadLetter
      const newest = cause ? `${cause.time} ${cause.group}: ${cause.error}` : 'without a cause'
      return printable(`${topic}  ${list.length} (${waiting} not replayed)  newest ${at}, ${newest}`)
    })
    .join('\n')
}

/** Returns the text about one dead letter: its origin, its cause, and its event without secret fields. */
export function describeLetter({ at, topic, key, value, headers, cause, replayedAt }: DeadLetter): string {
  const { stack, ...head } = cause ?? { stack: '' }
  const lines = [
    `${topic} ${at}${replayedAt ? `, replayed at ${replayedAt}` : ''}`,
    ...Object.entries(head).map(([name, text]) => `  ${name.padEnd(9)} ${text}`),
    ...stack.split('\n').map((frame) => `            ${frame}`),
    `  key       ${key?.toString() ?? 'none'}`,
    ...Object.entries(headers).map(([name, text]) => `  header    ${name}: ${String(text)}`),
    `  event     ${describeValue(value)}`,
  ]
  return `${lines.map(printable).join('\n')}\n`
}

/** Removes control characters, because every reader of a topic can write dead letters and this text goes to a terminal. */
const printable = (text: string) => text.replaceAll(/[^\P{Cc}\n]/gu, '\uFFFD')

const secret = new Set(['sealed', 'content', 'mediaUrl', 'code', 'token', 'password', 'userCode'])

/**
 * Returns the text of an event without its secrets. Bytes that are not an event may contain anything, so they are not
 * printed.
 */
function describeValue(value: Buffer | null): string {
  if (value === null) return 'none'
  const hideSecrets = (name: string, field: unknown) => (secret.has(name) ? '[hidden]' : field)
  try {
    const event: unknown = JSON.parse(value.toString())
    if (typeof event === 'object' && event !== null)
      return JSON.stringify(event, hideSecrets, 2).replaceAll('\n', '\n            ')
  } catch {
    // The record is not JSON, so only its size is described below.
  }
  return `${value.length} bytes that are not an event`
}
