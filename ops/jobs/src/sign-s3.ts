import { createHash, createHmac } from 'node:crypto'

export interface S3Request {
  method: 'PUT' | 'GET'
  url: URL
  accessKey: string
  secretKey: string
  now: Date
  region?: string
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The headers that sign a request without a body (AWS Signature Version 4). */
export function signS3({
  method,
  url,
  accessKey,
  secretKey,
  now,
  region = 'us-east-1',
}: S3Request): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const headers = { host: url.host, 'x-amz-content-sha256': sha256(''), 'x-amz-date': time }
  const signed = Object.keys(headers).join(';')
  const query = [...url.searchParams].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = [method, url.pathname, query.sort().join('&'), lines.join(''), signed, sha256('')].join(
    '\n',
  )
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secretKey}`, day), region))
  const signature = hmac(key, toSign).toString('hex')
  const { host: _host, ...sent } = headers
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope},SignedHeaders=${signed},Signature=${signature}`,
  }
}
