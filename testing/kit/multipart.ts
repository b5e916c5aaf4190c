import * as s3 from '@sumlock/contracts/s3-routes'
import type { Client } from '@sumlock/deployment/api-client'
import { put } from './media.ts'

export interface Upload {
  key: string
  uploadId: string
}

export interface Part {
  PartNumber: number
  ETag: string
}

const body = { filename: 'picture.png', type: 'image/png', metadata: { name: 'picture.png' } }
export const beginMultipart = (client: Client): Promise<Upload> => client.ok(s3.createMultipart, { body })

/** Returns the params and the query of a call about an upload or one of its parts. */
export const nameOf = ({ key, uploadId }: Upload, partNumber?: number) => ({
  params: { uploadId, partNumber: String(partNumber) },
  query: { key },
})

export async function sendPart(
  client: Client,
  upload: Upload,
  PartNumber: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Part> {
  const { url } = await client.ok(s3.signPart, nameOf(upload, PartNumber))
  const { status, eTag } = await put(client, url, bytes)
  if (status !== 200 || eTag === null)
    throw new Error(`Part ${PartNumber} was answered with status ${status} and ETag ${eTag}.`)
  return { PartNumber, ETag: eTag }
}

export const sendParts = (
  client: Client,
  upload: Upload,
  parts: readonly Uint8Array<ArrayBuffer>[],
): Promise<Part[]> => Promise.all(parts.map((bytes, index) => sendPart(client, upload, index + 1, bytes)))

export const completeParts = (client: Client, upload: Upload, parts: Part[]) =>
  client.ok(s3.completeMultipart, { ...nameOf(upload), body: { parts } })
