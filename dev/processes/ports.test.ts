import { createServer } from 'node:net'
import { canListen, freePorts, isListening } from './ports.ts'

describe('freePorts', () => {
  it('gives different ports, none of them where outgoing connections start', async () => {
    const ports = await freePorts(40)
    expect(new Set(ports).size).toBe(40)
    expect(Math.max(...ports)).toBeLessThan(32_768)
  })

  it('gives no port twice, although nothing listens on the first ones yet', async () => {
    const rounds = await Promise.all(Array.from({ length: 10 }, () => freePorts(50)))
    expect(new Set(rounds.flat()).size).toBe(500)
  })

  it('gives ports that can be listened on', async () => {
    const [port = 0] = await freePorts(1)
    expect(await isListening(port)).toBe(false)
    expect(await canListen(port)).toBe(true)
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    expect(await isListening(port)).toBe(true)
    expect(await canListen(port)).toBe(false)
    await new Promise((resolve) => server.close(resolve))
  })
})
