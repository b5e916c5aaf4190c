export interface StampedMessage {
  senderId: string
  /** When the server stored it. */
  storedAtMs: number
  /** When it was written, by a clock of its sender; null when it does not tell. */
  atMs: number | null
}

const minuteMs = 60_000
const lateMs = 10 * minuteMs
/** So many messages of the same person on each side tell how wrong their clock is. */
const neighbours = 5

interface Lateness {
  index: number
  storedAtMs: number
  /** Of the storing after the writing, as the sender tells it. */
  ms: number
}

/**
 * When each message was written, by the server's clock, if it waited for long before it was stored; else null. A clock that
 * is wrong makes all messages of a person late by the same time: only what is later than those around it was waiting.
 */
export function writtenTimes(messages: readonly StampedMessage[]): (number | null)[] {
  const lateness = new Map<string, Lateness[]>()
  for (const [index, { senderId, storedAtMs, atMs }] of messages.entries()) {
    if (atMs === null) continue
    const known = lateness.get(senderId) ?? []
    known.push({ index, storedAtMs, ms: storedAtMs - atMs })
    lateness.set(senderId, known)
  }
  const written = messages.map((): number | null => null)
  for (const ofPerson of lateness.values())
    for (const [place, { index, storedAtMs, ms }] of ofPerson.entries()) {
      const behindMs = clockBehindMs(ofPerson, place)
      if (ms - behindMs > lateMs) written[index] = storedAtMs - ms + behindMs
    }
  return written
}

/** How far the clock of a person is behind, as the messages before and after this one tell. */
function clockBehindMs(ofPerson: readonly Lateness[], place: number): number {
  const own = ofPerson[place]
  const least = (from: number, to: number) => Math.min(...ofPerson.slice(from, to).map(({ ms }) => ms))
  const sides = [least(Math.max(0, place - neighbours), place), least(place + 1, place + 1 + neighbours)]
  // What waits is stored in one go: of two that came apart and are equally late, it is the clock.
  const isAlike = (other: Lateness | undefined) =>
    own &&
    other &&
    Math.abs(other.ms - own.ms) < minuteMs &&
    Math.abs(other.storedAtMs - own.storedAtMs) > minuteMs
  if (own && (isAlike(ofPerson[place - 1]) || isAlike(ofPerson[place + 1]))) return Math.max(0, own.ms)
  const known = sides.filter((ms) => ms !== Infinity)
  // A message without others says nothing of the clock.
  return Math.max(0, ...(known.length > 0 ? known : [own?.ms ?? 0]))
}
