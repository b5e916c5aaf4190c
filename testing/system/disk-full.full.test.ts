import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { run } from '@sumlock/dev/processes/run'
import { bounds } from '../kit/bounds.ts'
import { startFaultStack } from '../kit/faults/fault-stack.ts'
import type { FaultStack } from '../kit/faults/fault-stack.ts'
import { adminPerson } from '../kit/people.ts'
import { seatPair } from '../kit/seats.ts'
import type { Seat } from '../kit/seats.ts'
import { allPublished, expectedScreen, gapsIn, screenOf } from '../kit/stored-messages.ts'
import { eventually } from '../kit/wait.ts'

/** A file system of its own that can be filled without hurting the machine. */
interface SmallDisk {
  readonly path: string
  /** Takes all the space that is left. */
  fill(): Promise<void>
  free(): Promise<void>
  unmount(): Promise<void>
}

/** Whether this machine allows mounting one; tries it. */
async function canMountSmallDisk(): Promise<boolean> {
  const disk = await mountSmallDisk(1).catch(() => undefined)
  await disk?.unmount()
  return disk !== undefined
}

/** Mounts a tmpfs of `megabytes`; needs root or the right to mount. */
async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const path = await mkdtemp(join(tmpdir(), 'sumlock-disk-'))
  const ballast = join(path, 'ballast')
  const unmount = async () => {
    await run('umount', ['-l', path]).catch(() => undefined)
    await rm(path, { recursive: true, force: true })
  }
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path]).catch(async (error) => {
    await unmount()
    throw error
  })
  return {
    path,
    fill: () =>
      run('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=1M']).then(
        () => undefined,
        (error: Error) => {
          if (!error.message.includes('No space left')) throw error
        },
      ),
    free: () => rm(ballast, { force: true }),
    unmount,
  }
}

const diskMegabytes = 1000

const itOnSmallDisk = (await canMountSmallDisk()) ? it : it.skip
if (itOnSmallDisk === it.skip)
  process.stderr.write(
    '  Skipped: a full disk is tried on a small tmpfs, and this machine does not allow to mount one.\n',
  )

let disk: SmallDisk
let stack: FaultStack
let seats: Seat[] = []
const start = async () => {
  disk = await mountSmallDisk(diskMegabytes)
  stack = await startFaultStack({ logName: 'disk-full', dataDir: disk.path })
  seats = await seatPair(stack, await adminPerson(stack))
}
afterAll(async () => {
  for (const { device } of seats) device.close()
  await stack?.stop()
  await disk?.unmount()
}, 120_000)

/** Restarts the engines that died, as the product's supervisor does. */
async function reviveEngines(): Promise<string[]> {
  const dead = (['mongo', 'kafka', 'redis'] as const).filter((name) => !stack.engines.engine(name).running)
  for (const name of dead) await stack.engines.engine(name).start()
  return dead
}

itOnSmallDisk(
  'refuses sends in time while the disk is full, keeps every acknowledged message, and recovers once there is space',
  async () => {
    await start()
    const [ada, ben] = seats as [Seat, Seat]
    ada.person.client.keptToken = await ada.person.client.csrfToken()
    const acknowledged: string[] = []
    const statuses = new Map<number, number>()
    const send = async (content: string) => {
      const body = { conversationId: ada.conversationId, content, clientMessageId: randomUUID() }
      const startedAt = performance.now()
      const { status, body: answer } = await ada.person.client.call(sendMessage, { body })
      expect(performance.now() - startedAt).toBeLessThan(bounds.answerMs)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 201) acknowledged.push((answer as { id: string }).id)
      return status
    }
    expect(await send('while there is space')).toBe(201)

    await disk.fill()
    const refused = await eventually(
      async () => {
        const status = await send('x'.repeat(1900))
        expect(status).not.toBe(201)
        return status
      },
      { timeoutMs: 60_000, everyMs: 0 },
    )
    expect(refused).toBe(503)
    ben.view.send({ messageType: 'text', content: 'kept until there is space' })
    for (let count = 0; count < 5; count += 1) await send('still full')
    const servicesThatDied = stack.services.filter((service) => !service.running).map(({ name }) => name)
    expect(servicesThatDied).toEqual([])

    await disk.free()
    const revived = await reviveEngines()
    process.stdout.write(
      `  answers: ${JSON.stringify([...statuses])}; had died: ${revived.join(', ') || 'nothing'}\n`,
    )
    await eventually(async () => expect(await send('there is space again')).toBe(201), { timeoutMs: 60_000 })
    await eventually(() => expect(ben.device.outbox.items).toEqual([]), { timeoutMs: 60_000 })

    const stored = await allPublished(stack, { timeoutMs: 60_000 })
    expect(gapsIn(stored)).toEqual([])
    const storedIds = new Set(stored.map(({ messageId }) => messageId))
    expect(acknowledged.filter((id) => !storedIds.has(id))).toEqual([])
    expect(stored.filter(({ content }) => content === 'kept until there is space')).toHaveLength(1)
    for (const seat of seats) {
      await eventually(() => expect(screenOf(seat)).toEqual(expectedScreen(stored, seat)), {
        timeoutMs: 30_000,
      })
    }
  },
  400_000,
)
