import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { peopleFile, seedPairs } from './seed.ts'

const person = {
  ...{ userId: 'u', username: 'ann', password: 'p', pin: '2580', cookie: 'session=s', csrfToken: 't' },
  conversationId: 'c',
}

let server: Server
let gateway: string
beforeEach(async () => {
  server = createServer((request, response) => {
    const isLogin = request.method === 'POST'
    const code = isLogin ? 'wrong_credentials' : 'unauthorized'
    response.writeHead(isLogin ? 403 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: code, code }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  mkdirSync(dirname(peopleFile(gateway)), { recursive: true, mode: 0o700 })
})
afterEach(() => {
  server.close()
  rmSync(peopleFile(gateway), { force: true })
})

it('the people of a load are registered again when the gateway has forgotten them', async () => {
  writeFileSync(peopleFile(gateway), JSON.stringify({ pairs: [[person, person]] }))
  const told: string[] = []
  // The run continues with registering pairs, for which this server has no administrator.
  await expect(seedPairs(gateway, 1, (line) => told.push(line))).rejects.toThrow('cannot sign in')
  expect(told).toEqual(['Registering 1 pairs …'])
})
