import type { Changes } from '@sumlock/contracts/changes-routes'
import { createChangesReader } from './changes-reader.ts'

const row = (id: string, lastSeq: number) => ({ id, lastSeq }) as Changes['conversations'][number]
const answer = (now: string, change: Partial<Changes> = {}): Changes => ({
  now,
  pollAfterMs: 3000,
  isWhole: false,
  conversations: [],
  removed: [],
  ...change,
})

/** Reads these answers one after another; an error rejects. Returns what was applied, and the times that were named. */
function setUp(...answers: (Changes | Error)[]) {
  const since: (string | undefined)[] = []
  const reader = createChangesReader((time) => {
    since.push(time)
    const next = answers.shift()
    return next instanceof Error || !next ? Promise.reject(next ?? new Error('none')) : Promise.resolve(next)
  })
  const read = async () => {
    const applied: { lastSeqs: number[]; isFirst: boolean }[] = []
    await reader.read(({ conversations }, isFirst) => {
      applied.push({ lastSeqs: conversations.map(({ lastSeq }) => lastSeq), isFirst })
      return Promise.resolve()
    })
    return applied[0]
  }
  return { reader, read, since }
}

it('names the time of the last answer, none in the first call', async () => {
  const { read, since } = setUp(answer('t1'), answer('t2'), answer('t3'))
  expect(await read()).toMatchObject({ isFirst: true })
  expect(await read()).toMatchObject({ isFirst: false })
  await read()
  expect(since).toEqual([undefined, 't1', 't2'])
})

it('passes on only changes that the previous answer did not contain', async () => {
  const { read } = setUp(
    answer('t1', { conversations: [row('a', 1), row('b', 1)] }),
    answer('t2', { conversations: [row('a', 1), row('b', 2)] }),
    answer('t3', { conversations: [row('b', 2)] }),
    answer('t4', { conversations: [row('a', 1)] }),
  )
  expect((await read())?.lastSeqs).toEqual([1, 1])
  expect((await read())?.lastSeqs).toEqual([2])
  expect((await read())?.lastSeqs).toEqual([])
  expect((await read())?.lastSeqs).toEqual([1])
})

it('passes on a whole list unchanged', async () => {
  const whole = { isWhole: true, conversations: [row('a', 1)] }
  const { read } = setUp(answer('t1', whole), answer('t2', whole))
  await read()
  expect((await read())?.lastSeqs).toEqual([1])
})

it('asks for the same changes again after a call that failed, or that could not be applied', async () => {
  const changed = { conversations: [row('a', 2)], pollAfterMs: 9000 }
  const { reader, read, since } = setUp(
    answer('t1'),
    new Error(),
    answer('t2', changed),
    answer('t3', changed),
  )
  await read()
  await expect(read()).rejects.toThrow()
  await expect(reader.read(() => Promise.reject(new Error('full')))).rejects.toThrow('full')
  expect(reader.pollAfterMs).toBe(3000)
  expect((await read())?.lastSeqs).toEqual([2])
  expect(since).toEqual([undefined, 't1', 't1', 't1'])
  expect(reader.pollAfterMs).toBe(9000)
})
