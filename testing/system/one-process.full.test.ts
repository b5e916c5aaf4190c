import { readFile } from 'node:fs/promises'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '../kit/engines.ts'
import { befriend, unlockedPerson } from '../kit/people.ts'
import { scrape } from '../kit/scrape.ts'
import { openDevice } from '../kit/seats.ts'
import type { Device } from '../kit/seats.ts'
import { nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

/** Runs all six services in one process. Every other suite runs them in six. */
describe('the product in one process', () => {
  let stack: Stack
  beforeAll(async () => {
    stack = await startTestStack({ oneProcess: true, logLevel: 'info' })
  })
  const devices: Device[] = []
  afterAll(async () => {
    for (const device of devices) device.close()
    await stack?.stop()
  })

  it('has every service on its own ports, with its own metrics and the same process', async () => {
    const [{ pid } = {}, ...others] = stack.processes
    expect(others).toEqual([])
    for (const service of stack.services) {
      expect(service.pid).toBe(pid)
      expect((await fetch(`${service.internalUrl}/livez`)).status).toBe(200)
      expect((await fetch(`${service.internalUrl}/readyz`)).status).toBe(200)
      const labels = (await scrape(service)).map((sample) => sample.labels['service'])
      expect([...new Set(labels)]).toEqual([service.service])
    }
  })

  it('shows each message of two people on the screen of the other', async () => {
    const [ann, bob] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    const { id } = await befriend(ann, bob)
    devices.push(openDevice(ann), openDevice(bob))
    await Promise.all(devices.map(({ live }) => nextState(live, ({ connected }) => connected)))
    const [of, to] = devices.map((device) => device.open(id))
    await eventually(() => {
      for (const view of [of, to]) expect(view?.getState().loaded).toBe(true)
    })
    of?.send({ messageType: 'text', content: 'Are you there?' })
    await eventually(() => expect(to?.getState().messages).toHaveLength(1))
    // The figures are read before the answer is sent, because the answer may reach its writer by socket, too.
    expect(to?.stats).toMatchObject({ receivedBySocket: 1, receivedByFetch: 0 })
    to?.send({ messageType: 'text', content: 'Yes.' })
    await eventually(() =>
      expect(of?.getState().messages).toMatchObject([
        { content: 'Are you there?', isRead: true },
        { content: 'Yes.', senderId: bob.user.id },
      ]),
    )
  })

  it('stops every service cleanly while people are connected, the gateway before the others', async () => {
    const [all] = stack.processes
    await all?.stop()
    const lines = (await readFile(all?.logFile ?? '', 'utf8')).trim().split('\n')
    expect(lines.filter((line) => !line.startsWith('{'))).toEqual([])
    const events = lines.map((line) => JSON.parse(line) as { instance: string; msg: string })
    const ends = events.filter(({ msg }) => msg === 'service has stopped').map(({ instance }) => instance)
    expect([...ends].sort()).toEqual(stack.services.map(({ name }) => name).sort())
    expect(ends[0]).toBe('gateway-1')
    const begins = events.findIndex(
      ({ msg, instance }) => msg === 'service is stopping' && instance === 'auth-1',
    )
    expect(begins).toBeGreaterThan(events.findIndex(({ msg }) => msg === 'service has stopped'))
  })

  it('ends as a whole when one service cannot start', async () => {
    const starting = startTestStack({ oneProcess: true, env: { notify: { SMS_VIA: 'pigeon' } } })
    await expect(starting).rejects.toThrow(/services failed \(exit code 1\) while starting\n[^]*SMS_VIA/)
  })
})
