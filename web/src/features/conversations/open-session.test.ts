import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { nativeBuild } from '../device/platform.ts'
import { sessionOf } from './session-of.ts'
import { testPage } from '../../../test/page.ts'

const shell = globalThis as { Capacitor?: unknown }
let server: Server
beforeEach(async () => {
  server = createServer((_request, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  nativeBuild.serverUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(() => {
  delete shell.Capacitor
  nativeBuild.serverUrl = ''
  server.close()
})

it('CALL-45: in a native shell the live connection goes to the server of the build', async () => {
  shell.Capacitor = { isNativePlatform: () => true, getPlatform: () => 'ios' }
  const asked = once(server, 'upgrade') as Promise<[IncomingMessage]>
  const messaging = await sessionOf(testPage, 'u1')
  const [{ url, socket }] = await asked
  socket.destroy()
  messaging.close()
  expect(url).toMatch(/^\/ws\/?\?userId=u1&/)
})
