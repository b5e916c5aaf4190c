import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HeadObjectCommand } from '@aws-sdk/client-s3'
import { z } from 'zod'
import { createS3Client } from './s3.ts'
import { s3Env } from './s3-settings.ts'

const settings = z.object(s3Env).parse({
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_BUCKET: 'media',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
})

const head = new HeadObjectCommand({ Bucket: 'media', Key: 'x' })

/** A store that answers every request with `answer`, or never. */
async function withServer(
  answer: number | 'never',
  work: (client: ReturnType<typeof createS3Client>, requests: string[]) => Promise<void>,
): Promise<void> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (answer !== 'never') response.writeHead(answer).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createS3Client({ ...settings, S3_ENDPOINT: `http://127.0.0.1:${port}` })
  try {
    await work(client, requests)
  } finally {
    client.destroy()
    server.closeAllConnections()
    server.close()
  }
}

describe('the S3 client', () => {
  it('names the bucket in the path, and tries a failed request twice', () =>
    withServer(503, async (client, requests) => {
      await expect(client.send(head)).rejects.toMatchObject({
        $metadata: { httpStatusCode: 503, attempts: 2 },
      })
      expect(requests).toEqual(['/media/x', '/media/x'])
    }))

  it('ends a request without an answer when the time its caller gives has passed', () =>
    withServer('never', async (client) => {
      await expect(client.send(head, { requestTimeout: 50 })).rejects.toMatchObject({ name: 'TimeoutError' })
    }))
})
