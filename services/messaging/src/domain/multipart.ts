import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { longestUploadMs } from './media.ts'

/** An upload in parts. After its completion, only the keys are left. */
export interface Multipart {
  uploadId: string
  /** Key in the bucket. */
  storeKey: string
  /** The id that the store gave to the upload. */
  storeUploadId?: string
  /** Signs the addresses of parts. */
  secret?: string
  /** Bytes of the stored parts, by number. */
  parts?: Readonly<Record<string, number>>
  /** Calls that may still change something in the store. */
  running?: readonly RunningCall[]
}

/** A part that is being sent, or the completion of the upload as number 0. */
export interface RunningCall {
  id: string
  number: number
  bytes: number
  startedAt: Date
  /** Another call for the same part ended during this one. */
  isOneOfSeveral?: true
}

export const completion = { number: 0, bytes: 0 }

export interface StoredPart {
  PartNumber: number
  Size: number
  ETag: string
}

/** A part that is sent again replaces the former one, so the larger of both counts until then. */
export function countedBytes({ parts = {}, running = [] }: Pick<Multipart, 'parts' | 'running'>): number {
  const largest = new Map(Object.entries(parts))
  for (const { number, bytes } of running)
    largest.set(String(number), Math.max(bytes, largest.get(String(number)) ?? 0))
  return [...largest.values()].reduce((sum, bytes) => sum + bytes, 0)
}

/** Returns the time after which no call can be in progress. */
export const callsEndAt = ({ running = [] }: Multipart): Date =>
  new Date(Math.max(0, ...running.map(({ startedAt }) => startedAt.getTime() + longestUploadMs)))

/**
 * Records the end of a call; `isStored` is null if that is unknown. Earlier calls for the same part no longer hold up the
 * completion. The larger of concurrent calls for one part counts, because either can be the stored part.
 */
export function withoutCall(
  multipart: Multipart,
  { id, number, bytes }: RunningCall,
  isStored: boolean | null,
): Multipart {
  const { parts = {}, running = [] } = multipart
  if (isStored === null) return multipart
  if (!isStored) return { ...multipart, running: running.filter((other) => other.id !== id) }
  const at = running.findIndex((other) => other.id === id)
  const left = running
    .filter((other, index) => other.number !== number || index > at)
    .map((other) => (other.number === number ? { ...other, isOneOfSeveral: true as const } : other))
  if (number === completion.number) return { ...multipart, running: left }
  const isAlone = at >= 0 && !running[at]?.isOneOfSeveral
  const counted = isAlone ? bytes : Math.max(bytes, parts[number] ?? 0)
  return { ...multipart, parts: { ...parts, [number]: counted }, running: left }
}

const plain = (eTag: string) => eTag.replaceAll('"', '').toLowerCase()

/** A sentence about the first fault in the parts that a client names; undefined when they match the stored parts. */
export function faultInParts(
  stored: readonly StoredPart[],
  named: readonly Pick<StoredPart, 'PartNumber' | 'ETag'>[],
): string | undefined {
  const byNumber = new Map(stored.map((part) => [part.PartNumber, part]))
  for (const [index, { PartNumber, ETag }] of named.entries()) {
    const part = byNumber.get(PartNumber)
    if (index > 0 && PartNumber <= (named[index - 1]?.PartNumber ?? 0))
      return 'Name the parts in the order of their numbers, each of them once.'
    if (!part) return `Part ${PartNumber} is not there. Please send it.`
    if (plain(part.ETag) !== plain(ETag))
      return `Part ${PartNumber} has another ETag. Please send the part again.`
    if (index < named.length - 1 && part.Size < limits.partMinBytes)
      return `Part ${PartNumber} is too small: all but the last have at least ${limits.partMinBytes} bytes.`
  }
  const names = new Set(named.map(({ PartNumber }) => PartNumber))
  const unnamed = stored.find(({ PartNumber }) => !names.has(PartNumber))
  return unnamed && `Part ${unnamed.PartNumber} was sent and is not named. Name all parts.`
}

export interface PartAddress {
  sessionId: string
  number: string
  /** Milliseconds since 1970. */
  until: string
}

/** The signature in the address of a part, which only the session that requested it can use. */
export const signatureOf = (secret: string, { sessionId, number, until }: PartAddress): string =>
  createHmac('sha256', secret).update(`${sessionId} ${number} ${until}`).digest('base64url')

export function isSigned(secret: string, address: PartAddress, signature: string): boolean {
  const [right, given] = [Buffer.from(signatureOf(secret, address)), Buffer.from(signature)]
  return right.length === given.length && timingSafeEqual(right, given)
}
