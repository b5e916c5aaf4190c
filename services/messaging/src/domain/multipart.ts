import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '@sumlock/contracts/limits'
import { longestUploadMs } from './media.ts'

/** Describes an upload in parts. After its completion only `uploadId` and `storeKey` are left. */
export interface Multipart {
  uploadId: string
  /** The bucket contains the object under this key. */
  storeKey: string
  /** The store gave the upload this id. */
  storeUploadId?: string
  /** This secret signs the addresses of parts. */
  secret?: string
  /** Maps the number of each stored part to its bytes. */
  parts?: Readonly<Record<string, number>>
  /** These calls may still change the upload in the store. */
  running?: readonly RunningCall[]
}

/** A call sends a part or, with number 0, completes the upload. */
export interface RunningCall {
  id: string
  number: number
  bytes: number
  startedAt: Date
  /** Another call for the same part ended while this call was running. */
  isOneOfSeveral?: true
}

export const completion = { number: 0, bytes: 0 }

export interface StoredPart {
  PartNumber: number
  Size: number
  ETag: string
}

/**
 * Returns the bytes that count against the storage. While a part is sent again, the larger of its two sizes counts, because
 * the new part replaces the stored one only at the end.
 */
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
 * Returns the upload without a call that has ended. A call whose result is unknown (`isStored` is null) stays listed. A
 * stored part also removes earlier calls for the same part, so that they do not delay the completion. Of concurrent calls
 * for one part the larger size counts, because either of them can be the stored part.
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

/**
 * Returns a sentence about the first fault in the parts that a client names; undefined when they match the stored parts.
 */
export function faultInParts(
  stored: readonly StoredPart[],
  named: readonly Pick<StoredPart, 'PartNumber' | 'ETag'>[],
): string | undefined {
  const byNumber = new Map(stored.map((part) => [part.PartNumber, part]))
  for (const [index, { PartNumber, ETag }] of named.entries()) {
    const part = byNumber.get(PartNumber)
    if (index > 0 && PartNumber <= (named[index - 1]?.PartNumber ?? 0))
      return 'Name the parts in the order of their numbers, each of them once.'
    if (!part) return `Part ${PartNumber} has not arrived. Please send it.`
    if (plain(part.ETag) !== plain(ETag))
      return `Part ${PartNumber} has another ETag. Please send the part again.`
    if (index < named.length - 1 && part.Size < limits.partMinBytes)
      return `Part ${PartNumber} is too small: all but the last have at least ${limits.partMinBytes} bytes.`
  }
  const names = new Set(named.map(({ PartNumber }) => PartNumber))
  const unnamed = stored.find(({ PartNumber }) => !names.has(PartNumber))
  return unnamed && `Part ${unnamed.PartNumber} was sent but is not in the list. Please list all parts.`
}

export interface PartAddress {
  sessionId: string
  number: string
  /** The address is valid until this time in milliseconds since 1970. */
  until: string
}

/** Signs the address of a part together with the session, so that no other session can use the address. */
export const signatureOf = (secret: string, { sessionId, number, until }: PartAddress): string =>
  createHmac('sha256', secret).update(`${sessionId} ${number} ${until}`).digest('base64url')

export function isSigned(secret: string, address: PartAddress, signature: string): boolean {
  const [right, given] = [Buffer.from(signatureOf(secret, address)), Buffer.from(signature)]
  return right.length === given.length && timingSafeEqual(right, given)
}
