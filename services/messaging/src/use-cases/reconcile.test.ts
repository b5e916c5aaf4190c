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
  const state = { fails: false }
  const run = createReconcile<Change>({
    clock: { nowMs: () => Date.UTC(2026, 10, 25, 12, 1) },
    hearsEvents: () => false,
    ask: (since) => Promise.resolve(changes.filter(({ changedAt }) => changedAt >= since.toISOString())),
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
