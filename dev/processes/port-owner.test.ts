import { createServer } from 'node:net'
import { portOwner } from './port-owner.ts'
import { freePorts } from './ports.ts'
import { hasProc } from './process-identity.ts'

it('says who listens on a port, where the system tells', async () => {
  const [port = 0] = await freePorts(1)
  expect(portOwner(port)).toBeNull()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  expect(portOwner(port)).toEqual(hasProc ? expect.stringContaining(`(process ${process.pid})`) : null)
  await new Promise((resolve) => server.close(resolve))
})
