import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { limits } from '@sumlock/contracts/limits'
import { parseBody } from './parse-body.ts'

const json = { 'content-type': 'application/json' }

/** A request with this body, in parts, and these headers. */
const parse = (parts: readonly (string | Buffer)[], headers: IncomingHttpHeaders = json) => {
  const bytes = parts.map((part) => Buffer.from(part as string))
  const length = String(bytes.reduce((sum, part) => sum + part.length, 0))
  const stream = Object.assign(Readable.from(bytes), { headers: { 'content-length': length, ...headers } })
  return parseBody(stream as unknown as IncomingMessage)
}

describe('a request body', () => {
  it('is parsed as JSON, in any number of parts', async () => {
    expect(await parse(['{"a":', '"ü"}'])).toEqual({ a: 'ü' })
    const [left, right] = [Buffer.from('"ü"').subarray(0, 2), Buffer.from('"ü"').subarray(2)]
    expect(await parse([left, right])).toBe('ü')
  })

  it('is undefined when the request has none', async () => {
    expect(await parse([])).toBeUndefined()
  })

  it('is accepted at exactly its 64 kB and refused a byte above', async () => {
    const text = `"${'x'.repeat(limits.jsonBodyMaxBytes - 2)}"`
    expect(await parse([text])).toHaveLength(limits.jsonBodyMaxBytes - 2)
    await expect(parse([`${text} `])).rejects.toMatchObject({ status: 413 })
  })

  it('is refused beyond 64 kB, with and without a Content-Length', async () => {
    const parts = Array.from({ length: 5 }, () => '"'.padEnd(20_000))
    await expect(parse(parts)).rejects.toMatchObject({ status: 413 })
    await expect(parse(parts, { ...json, 'content-length': '10' })).rejects.toMatchObject({ status: 413 })
    const chunked = { ...json, 'content-length': undefined, 'transfer-encoding': 'chunked' }
    await expect(parse(parts, chunked)).rejects.toMatchObject({ status: 413 })
  })

  it.each([
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['nothing in particular', {}],
    ['something packed', { ...json, 'content-encoding': 'gzip' }],
  ])('is refused as %s', async (_what, headers) => {
    await expect(parse(['{}'], headers)).rejects.toMatchObject({ status: 415 })
  })

  it.each([
    ['with an error', new Error('reset')],
    ['without one', undefined],
  ])('fails when the connection breaks %s, before the body or within it', async (_how, error) => {
    const headers = { ...json, 'content-length': '20' }
    const request = Object.assign(new Readable({ read: () => undefined }), { headers })
    const parsed = parseBody(request as unknown as IncomingMessage)
    request.push('{"a":')
    request.destroy(error)
    await expect(parsed).rejects.toThrow(error?.message ?? 'broke before the end')
    await expect(parseBody(request as unknown as IncomingMessage)).rejects.toThrow('broke before the end')
  })

  it('is read to its end also from a request that was paused', async () => {
    const request = Object.assign(Readable.from([Buffer.from('{}')]), {
      headers: { ...json, 'content-length': '2' },
    })
    request.pause()
    expect(await parseBody(request as unknown as IncomingMessage)).toEqual({})
  })

  it('is refused when its bytes are not UTF-8', async () => {
    await expect(parse([Buffer.from([0x22, 0xff, 0xfe, 0x22])])).rejects.toMatchObject({ status: 400 })
  })
})
