import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Client } from '@aws-sdk/client-s3'
import type { StoredPart } from '../domain/multipart.ts'

/** The store must answer within this time in ms, so that two tries fit into the gateway's wait. */
const requestTimeout = 4500
const nullIf = (name: string) => (error: Error) => {
  if (error.name === name) return null
  throw error
}

/** Each upload in parts has an object key of its own. */
export function createMultipartBucket(client: S3Client, Bucket: string) {
  const abort = (Key: string, UploadId?: string) =>
    client
      .send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { requestTimeout })
      .catch(nullIf('NoSuchUpload'))
  return {
    async create(Key: string): Promise<string> {
      const { UploadId = '' } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }), {
        requestTimeout,
      })
      return UploadId
    },
    /** Resolves with the ETag once all bytes are stored. */
    async writePart(
      { storeKey: Key, storeUploadId: UploadId }: { storeKey: string; storeUploadId: string },
      PartNumber: number,
      Body: Readable,
      ContentLength: number,
      abortSignal: AbortSignal,
    ): Promise<string> {
      const command = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ContentLength })
      return (await client.send(command, { abortSignal })).ETag ?? ''
    },
    /** Returns an empty list when the store has no such upload. */
    async listParts(Key: string, UploadId: string): Promise<StoredPart[]> {
      const list = async () => {
        const parts: StoredPart[] = []
        let PartNumberMarker: string | undefined
        // The SDK's own paging ignores IsTruncated and never ends, because stores name a next part on the last page, too.
        do {
          const command = new ListPartsCommand({ Bucket, Key, UploadId, PartNumberMarker })
          const { Parts = [], IsTruncated, NextPartNumberMarker } = await client.send(command)
          for (const { PartNumber = 0, Size = 0, ETag = '' } of Parts) parts.push({ PartNumber, Size, ETag })
          PartNumberMarker = IsTruncated ? NextPartNumberMarker : undefined
        } while (PartNumberMarker !== undefined)
        // The parts are sorted, because S3Proxy lists part 10 before part 2.
        return parts.sort((a, b) => a.PartNumber - b.PartNumber)
      }
      return (await list().catch(nullIf('NoSuchUpload'))) ?? []
    },
    async complete(
      Key: string,
      UploadId: string,
      Parts: readonly Pick<StoredPart, 'PartNumber' | 'ETag'>[],
    ): Promise<void> {
      const command = { Bucket, Key, UploadId, MultipartUpload: { Parts: [...Parts] } }
      await client
        .send(new CompleteMultipartUploadCommand(command), { requestTimeout })
        .catch(nullIf('NoSuchUpload'))
    },
    /** Resolves with null when the object does not exist. */
    async sizeOf(Key: string): Promise<number | null> {
      const command = new HeadObjectCommand({ Bucket, Key })
      const answer = await client.send(command, { requestTimeout }).catch(nullIf('NotFound'))
      return answer && (answer.ContentLength ?? null)
    },
    /**
     * Aborts every upload of this key. The store's list also contains an upload whose id our row lacks, because the process
     * was killed before it could store the id.
     */
    async abortAll(Prefix: string): Promise<void> {
      const command = new ListMultipartUploadsCommand({ Bucket, Prefix })
      const { Uploads = [] } = await client.send(command, { requestTimeout })
      await Promise.all(Uploads.map(({ Key = '', UploadId }) => abort(Key, UploadId)))
    },
  }
}
