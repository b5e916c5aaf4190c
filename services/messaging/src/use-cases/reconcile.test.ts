import { createReconcile } from './reconcile.ts'

interface Change {
  id: string
  changedAt: string
}
const change = (id: string, second: number): Change => ({
  id,
  changedAt: new Date(Date.UTC(2026, 10, 25, 12, 0, second)).toISOString(),
})

function reconciling(changes: Change[]) {
  const applied: string[] = []
  const state = { fails: false, second: 60, answered: 0 }
  const run = createReconcile<Change>({
    clock: { nowMs: () => Date.UTC(2026, 10, 25, 12, 0, state.second) },
    hearsEvents: () => false,
    ask: (since) => {
      const page = changes.filter(({ changedAt }) => changedAt >= since.toISOString())
      state.answered += page.length
      return Promise.resolve(page)
    },
    apply: (page) => {
      if (state.fails) return Promise.reject(new Error('the database is away'))
      applied.push(...page.map(({ id }) => id))
      return Promise.resolve()
    },
  })
  return { run, applied, state }
}

it('applies a change once, although it is answered again because of the overlap', async () => {
  const changes = [change('a', 1), change('b', 2)]
  const { run, applied } = reconciling(changes)
  await run()
  await run()
  expect(applied).toEqual(['a', 'b'])
  changes.push(change('c', 3))
  await run()
  await run()
  expect(applied).toEqual(['a', 'b', 'c'])
})

it('applies a change again that could not be applied, and one that has changed again', async () => {
  const changes = [change('a', 1)]
  const { run, applied, state } = reconciling(changes)
  state.fails = true
  await expect(run()).rejects.toThrow('away')
  state.fails = false
  await run()
  changes[0] = change('a', 5)
  await run()
  expect(applied).toEqual(['a', 'a'])
})

it('is answered only the newest change again when no others follow', async () => {
  const { run, state } = reconciling([change('a', 1), change('b', 2)])
  await run()
  state.second = 130
  await run()
  state.answered = 0
  await run()
  expect(state.answered).toBe(1)
})

it('finds a newer change, however far ahead its own clock is', async () => {
  const changes = [change('a', 1)]
  const { run, applied, state } = reconciling(changes)
  state.second = 3600
  await run()
  changes.push(change('b', 5))
  await run()
  expect(applied).toEqual(['a', 'b'])
})

it('finds a change that became visible a minute later, while the other clock is a minute behind', async () => {
  const changes = [change('a', 100)]
  const { run, applied, state } = reconciling(changes)
  state.second = 160
  await run()
  changes.push(change('b', 41))
  state.second = 180
  await run()
  expect(applied).toEqual(['a', 'b'])
})

it('asks for all changes again since the last answer that was applied', async () => {
  const changes = [change('a', 1)]
  const { run, applied, state } = reconciling(changes)
  await run()
  changes.push(change('b', 2))
  state.second = 300
  state.fails = true
  await expect(run()).rejects.toThrow('away')
  state.fails = false
  await run()
  expect(applied).toEqual(['a', 'b'])
})
