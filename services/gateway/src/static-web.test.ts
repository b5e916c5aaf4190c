import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, get } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import express from 'express'
import { bindStaticWeb } from './static-web.ts'

const script = 'export const sum = (a, b) => a + b\n'
const page = '<!doctype html><title>Calculator</title>'
let root: string
let server: Server

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'static-web-'))
  await mkdir(join(root, 'assets'))
  for (const [name, text] of [
    ['assets/a-1.js', script],
    ['index.html', page],
  ] as const) {
    await writeFile(join(root, name), text)
    await writeFile(join(root, `${name}.br`), brotliCompressSync(text))
    await writeFile(join(root, `${name}.gz`), gzipSync(text))
  }
  await writeFile(join(root, 'icon.svg'), '<svg/>')
  const app = express()
  bindStaticWeb(app, root)
  server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
afterAll(async () => {
  server.close()
  await rm(root, { recursive: true })
})

/** Fetches a file without the decompression of `fetch`. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const { port } = server.address() as AddressInfo
  const answer = await new Promise<IncomingMessage>((resolve) =>
    get({ host: '127.0.0.1', port, path, headers }, resolve),
  )
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

it.each([
  ['br', 'gzip, deflate, br', brotliDecompressSync],
  ['gzip', 'gzip, deflate', gunzipSync],
  ['gzip', 'gzip, br;q=0', gunzipSync],
] as const)(
  'the gateway serves an asset as %s to a client that accepts %s',
  async (encoding, accepted, unpack) => {
    const { headers, body } = await ask('/assets/a-1.js', { 'accept-encoding': accepted })
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': expect.stringMatching(/^text\/javascript; charset=utf-8$/i),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect(unpack(body).toString()).toBe(script)
  },
)

it('the gateway serves an asset as it is to a client that accepts no compression, under the same headers', async () => {
  const { headers, body } = await ask('/assets/a-1.js')
  expect(headers['content-encoding']).toBeUndefined()
  expect(headers).toMatchObject({
    'content-type': expect.stringMatching(/^text\/javascript; charset=utf-8$/i),
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
  })
  expect(body.toString()).toBe(script)
})

it('the gateway counts a range in the bytes of the file itself', async () => {
  const { status, headers, body } = await ask('/assets/a-1.js', {
    'accept-encoding': 'br',
    range: 'bytes=0-5',
  })
  expect(status).toBe(206)
  expect(headers['content-encoding']).toBeUndefined()
  expect(headers['content-range']).toBe(`bytes 0-5/${script.length}`)
  expect(body.toString()).toBe('export')
})

it.each(['/', '/calculator', '/settings?from=menu'])(
  'the gateway serves the page at %s compressed, and no cache may store it',
  async (path) => {
    const { headers, body } = await ask(path, { accept: 'text/html', 'accept-encoding': 'br' })
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringMatching(/^text\/html; charset=utf-8$/i),
      'cache-control': 'no-store',
    })
    expect(brotliDecompressSync(body).toString()).toBe(page)
  },
)

it('the gateway serves a file that was not compressed, and answers 404 for one that does not exist', async () => {
  const { headers, body } = await ask('/icon.svg', { 'accept-encoding': 'br' })
  expect(headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' })
  expect(body.toString()).toBe('<svg/>')
  expect((await ask('/assets/a-2.js', { 'accept-encoding': 'br' })).status).toBe(404)
})

it('the gateway answers 404 in plain text for an address that cannot be decoded', async () => {
  for (const path of ['/%zz', '/assets/%ff.js']) {
    const { status, headers, body } = await ask(path)
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body.toString()).toBe('Not Found')
  }
})
