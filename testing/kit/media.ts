import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { ListMultipartUploadsCommand, paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { requestUpload } from '@sumlock/contracts/media-routes'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import type { Client } from '@sumlock/deployment/api-client'
import { mediaBucketSettings } from '@sumlock/deployment/media-bucket'
import { createS3Client } from '@sumlock/service-kit/s3'
import type { RunningStack } from './shared-stack.ts'

/** Opens a request with the cookies of a client. The test writes the body itself, at its own pace. */
export function openRequest(
  { gatewayUrl, cookieHeader, origin }: Pick<Client, 'gatewayUrl' | 'cookieHeader' | 'origin'>,
  method: 'GET' | 'PUT',
  url: string,
  headers: Record<string, string | number> = {},
): ClientRequest {
  const sent = request(new URL(url, gatewayUrl), {
    method,
    headers: { cookie: cookieHeader, origin, ...headers },
    agent: false,
  })
  // Tests that break the connection wait for 'close' instead.
  sent.on('error', () => undefined)
  return sent
}

/** Resolves to the answer once it begins, or to null if the connection is closed first. */
export const answerOf = (sent: ClientRequest): Promise<IncomingMessage | null> =>
  new Promise((resolve) => sent.once('response', resolve).once('close', () => resolve(null)))

/** Uploads a file at once. Resolves to the status, the ETag and the body of the answer. */
export async function put(
  { gatewayUrl, cookieHeader, origin }: Client,
  url: string,
  body: Uint8Array<ArrayBuffer>,
) {
  const headers = { cookie: cookieHeader, origin }
  const answer = await fetch(new URL(url, gatewayUrl), { method: 'PUT', headers, body })
  const eTag = answer.headers.get('etag')
  return { status: answer.status, eTag, body: (await answer.json()) as { code?: string } }
}

/** Reads a file or a range of it. */
export async function get(client: Client, url: string, range?: string) {
  const answer = await client.raw('GET', url, range === undefined ? {} : { headers: { range } })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Uploads these bytes, and resolves to the `uploadURL`. */
export async function upload(client: Client, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const { uploadURL } = await client.ok(requestUpload, { body: { size: bytes.length } })
  // The public origin of the upload's address need not be where this client reaches the gateway.
  const { pathname, search } = new URL(uploadURL)
  const { status } = await put(client, pathname + search, bytes)
  if (status !== 200) throw new Error(`The upload was answered with status ${status} instead of 200.`)
  return uploadURL
}

export const someBytes = (length: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(length))

/** Uploads bytes and sends them in a message. */
export async function sendMedia(
  client: Client,
  conversationId: string,
  bytes: Uint8Array<ArrayBuffer>,
  more: { vanishMs?: VanishMs } = {},
): Promise<Message & { mediaUrl: string }> {
  const mediaUrl = await upload(client, bytes)
  const body = { conversationId, messageType: 'image' as const, mediaUrl, ...more }
  const message = await client.ok(sendMessage, { body })
  return { ...message, mediaUrl: message.mediaUrl ?? '' }
}

export interface SlowRead {
  /** Resolves when the answer begins. */
  hasBegun: Promise<unknown>
  /** Resolves to the number of bytes that were read when the connection ended. */
  read: Promise<number>
  /** Reads the rest at full speed. */
  hurry(): void
  stop(): void
}

/** Reads a file at this pace; the default is 10 MB a second. */
export function readSlowly(
  client: Parameters<typeof openRequest>[0],
  url: string,
  bytesPerSecond = 10_000_000,
): SlowRead {
  const sent = openRequest(client, 'GET', url)
  sent.end()
  const begun = answerOf(sent)
  let isSlow = true
  const read = begun.then(async (answer) => {
    if (answer?.statusCode !== 200)
      throw new Error(`The file was answered with status ${answer?.statusCode} instead of 200.`)
    let [count, sincePause] = [0, 0]
    try {
      for await (const { length } of answer as AsyncIterable<Buffer>) {
        count += length
        sincePause += length
        if (!isSlow || sincePause < bytesPerSecond / 10) continue
        await wait((sincePause / bytesPerSecond) * 1000)
        sincePause = 0
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    }
    return count
  })
  return { hasBegun: begun, read, hurry: () => void (isSlow = false), stop: () => sent.destroy() }
}

/** Returns the keys of all objects, and of all uploads in parts that have not ended, in the media bucket of a stack. */
export async function storedObjects({
  addresses,
  namespace,
}: Pick<RunningStack, 'addresses' | 'namespace'>): Promise<string[]> {
  const settings = mediaBucketSettings(addresses, namespace)
  const client = createS3Client(settings)
  try {
    const keys: string[] = []
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: settings.S3_BUCKET }))
      keys.push(...Contents.flatMap(({ Key }) => Key ?? []))
    const { Uploads = [] } = await client.send(
      new ListMultipartUploadsCommand({ Bucket: settings.S3_BUCKET }),
    )
    return [...keys, ...Uploads.flatMap(({ Key }) => Key ?? [])]
  } finally {
    client.destroy()
  }
}
