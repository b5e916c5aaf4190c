export interface StampedMessage {
  senderId: string
  /** The server stored the message at this time. */
  storedAtMs: number
  /** The sender's clock had this time at the writing; null if the message does not state it. */
  atMs: number | null
}

const minuteMs = 60_000
const lateMs = 10 * minuteMs
/** The error of a sender's clock is judged by up to this many of the sender's messages on each side. */
const neighbours = 5

interface Lateness {
  index: number
  storedAtMs: number
  /** The time from writing to storing, as the sender states it. */
  ms: number
}

/**
 * Returns the time of writing of each message by the server's clock if it waited for long before it was stored,
 * otherwise null. A wrong clock makes all messages of a person late by the same time, so only a message that is later
 * than its neighbours was waiting.
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

/** Returns how far a person's clock is behind, judged by the messages before and after this one. */
function clockBehindMs(ofPerson: readonly Lateness[], place: number): number {
  const own = ofPerson[place]
  const least = (from: number, to: number) => Math.min(...ofPerson.slice(from, to).map(({ ms }) => ms))
  const sides = [least(Math.max(0, place - neighbours), place), least(place + 1, place + 1 + neighbours)]
  // Waiting messages are stored together. Two that were stored apart and are equally late prove a wrong clock.
  const isAlike = (other: Lateness | undefined) =>
    own &&
    other &&
    Math.abs(other.ms - own.ms) < minuteMs &&
    Math.abs(other.storedAtMs - own.storedAtMs) > minuteMs
  if (own && (isAlike(ofPerson[place - 1]) || isAlike(ofPerson[place + 1]))) return Math.max(0, own.ms)
  const known = sides.filter((ms) => ms !== Infinity)
  // A message without neighbours reveals nothing about the clock.
  return Math.max(0, ...(known.length > 0 ? known : [own?.ms ?? 0]))
}
