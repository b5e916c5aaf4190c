import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { lightHttp, parseAnswer, requestText } from './light-http.ts'

let server: Server | undefined
afterEach(() => {
  server?.close()
  server?.closeAllConnections()
})

it('reads an answer only when all of it is there', () => {
  const whole = Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\né!\n')
  expect(parseAnswer(whole.subarray(0, 20))).toBeUndefined()
  expect(parseAnswer(whole.subarray(0, whole.length - 1))).toBeUndefined()
  expect(parseAnswer(whole)).toMatchObject({ status: 201, body: 'é!\n' })
  expect(() => parseAnswer(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow('does not say its length')
})

it('keeps a connection for the next request, and makes who is too many wait', async () => {
  let connections = 0
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => response.setHeader('content-length', body.length).end(body))
  }).on('connection', () => (connections += 1))
  const listening = server
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  const http = lightHttp(url, 2)
  const ask = (body: string) =>
    http.exchange(requestText(url, { method: 'POST', path: '/', headers: {}, body }))

  const answers = await Promise.all(['1', '22', '333', '4444', '55555'].map(ask))
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    ['1', '22', '333', '4444', '55555'].map((body) => [200, body]),
  )
  expect(connections).toBe(2)
  http.close()
  await new Promise((resolve) => listening.close(resolve))
  await expect(lightHttp(url).exchange('GET / HTTP/1.1\r\n\r\n')).rejects.toThrow('ECONNREFUSED')
})
