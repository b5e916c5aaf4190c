import { S3Client } from '@aws-sdk/client-s3'
import type { ListPartsCommandInput, ListPartsCommandOutput } from '@aws-sdk/client-s3'
import { createMultipartBucket } from './multipart-bucket.ts'

/** Returns a client of a store with three parts, which names a next part on every page, as versitygw and Amazon do. */
function clientWith(pageSize: number, asked: (string | undefined)[]): S3Client {
  const send = ({ input }: { input: ListPartsCommandInput }) => {
    asked.push(input.PartNumberMarker)
    if (asked.length > 9) throw new Error('The list has no end.')
    const from = Number(input.PartNumberMarker ?? 0)
    const Parts = [1, 2, 3]
      .filter((PartNumber) => PartNumber > from)
      .slice(0, pageSize)
      .map((PartNumber) => ({ PartNumber, Size: 10, ETag: `"${PartNumber}"` }))
    const last = Parts.at(-1)?.PartNumber ?? 0
    const page = { Parts, IsTruncated: last < 3, NextPartNumberMarker: String(last) }
    return Promise.resolve(page as ListPartsCommandOutput)
  }
  return Object.assign(Object.create(S3Client.prototype) as S3Client, { send })
}

describe('the parts of an upload', () => {
  it.each([
    ['one page', 1000, [undefined]],
    ['several pages', 2, [undefined, '2']],
  ])('are listed once each when they fill %s', async (_what, pageSize, pages) => {
    const asked: (string | undefined)[] = []
    const bucket = createMultipartBucket(clientWith(pageSize, asked), 'media')
    const parts = await bucket.listParts('key', 'upload')
    expect(parts.map(({ PartNumber }) => PartNumber)).toEqual([1, 2, 3])
    expect(asked).toEqual(pages)
  })
})
