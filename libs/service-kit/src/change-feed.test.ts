import { createChangeFeed, createDatedChangeFeed } from './change-feed.ts'

interface Change {
  id: string
  changedAt: string
}
const change = (id: string, second: number): Change => ({
  id,
  changedAt: new Date(Date.UTC(2026, 10, 25, 12, 0, second)).toISOString(),
})

function storedCursor(until?: Date) {
  const stored = { until }
  const cursor = {
    read: () => Promise.resolve(stored.until),
    moveTo: (next: Date) => Promise.resolve(void (stored.until = next)),
  }
  return { stored, cursor }
}

function dated(changes: Change[], until?: Date) {
  const applied: string[] = []
  const state = { fails: false, second: 60, answered: 0 }
  const { stored, cursor } = storedCursor(until)
  const run = createDatedChangeFeed<Change>({
    clock: { nowMs: () => Date.UTC(2026, 10, 25, 12, 0, state.second) },
    ask: (since) => {
      const page = changes.filter(({ changedAt }) => changedAt >= since.toISOString())
      state.answered += page.length
      return Promise.resolve(page)
    },
    pageSize: 200,
    apply: (page) => {
      if (state.fails) return Promise.reject(new Error('the database is away'))
      applied.push(...page.map(({ id }) => id))
      return Promise.resolve()
    },
    cursor,
  })
  return { run, applied, state, stored }
}

describe('a feed of dated changes', () => {
  it('applies a change once, although it is answered again because of the overlap', async () => {
    const changes = [change('a', 1), change('b', 2)]
    const { run, applied } = dated(changes)
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
    const { run, applied, state } = dated(changes)
    state.fails = true
    await expect(run()).rejects.toThrow('away')
    state.fails = false
    await run()
    changes[0] = change('a', 5)
    await run()
    expect(applied).toEqual(['a', 'a'])
  })

  it('receives only the newest change again when no others follow', async () => {
    const { run, state } = dated([change('a', 1), change('b', 2)])
    await run()
    state.second = 130
    await run()
    state.answered = 0
    await run()
    expect(state.answered).toBe(1)
  })

  it('finds a newer change, however far ahead its own clock is', async () => {
    const changes = [change('a', 1)]
    const { run, applied, state } = dated(changes)
    state.second = 3600
    await run()
    changes.push(change('b', 5))
    await run()
    expect(applied).toEqual(['a', 'b'])
  })

  it('finds a change that became visible a minute later, while the other clock is a minute behind', async () => {
    const changes = [change('a', 100)]
    const { run, applied, state } = dated(changes)
    state.second = 160
    await run()
    changes.push(change('b', 41))
    state.second = 180
    await run()
    expect(applied).toEqual(['a', 'b'])
  })

  it('finds a change after both clocks were set back by an hour, and applies no other again', async () => {
    const changes = [change('a', 3600)]
    const { run, applied, state } = dated(changes)
    state.second = 3600
    await run()
    changes.unshift(change('b', 10))
    state.second = 10
    await run()
    await run()
    expect(applied).toEqual(['a', 'b'])
  })

  it('requests all changes since the last applied answer again', async () => {
    const changes = [change('a', 1)]
    const { run, applied, state } = dated(changes)
    await run()
    changes.push(change('b', 2))
    state.second = 300
    state.fails = true
    await expect(run()).rejects.toThrow('away')
    state.fails = false
    await run()
    expect(applied).toEqual(['a', 'b'])
  })
})

describe('the stored cursor of a feed of dated changes', () => {
  it('lets the first reading begin a minute before it, and without one at the first change', async () => {
    const changes = [{ id: 'old', changedAt: '2020-01-01T00:00:00.000Z' }, change('a', 1), change('b', 62)]
    const fromStart = dated(changes)
    await fromStart.run()
    expect(fromStart.applied).toEqual(['old', 'a', 'b'])
    const later = dated(changes, new Date(change('', 61).changedAt))
    await later.run()
    expect(later.applied).toEqual(['a', 'b'])
  })

  it('moves to the last change after that was applied, and not before', async () => {
    const { run, state, stored } = dated([change('a', 1), change('b', 2)])
    state.fails = true
    await expect(run()).rejects.toThrow('away')
    expect(stored.until).toBeUndefined()
    state.fails = false
    await run()
    expect(stored.until).toEqual(new Date(change('b', 2).changedAt))
  })
})

it('a date in the future hides no change before it from a feed of dated changes', async () => {
  const changes = [change('future', 3600)]
  const { run, applied, stored } = dated(changes)
  await run()
  changes.unshift(change('a', 61))
  await run()
  expect(applied).toEqual(['future', 'a'])
  expect(stored.until).toEqual(new Date(change('', 120).changedAt))
})

describe('a feed of dated changes in pages', () => {
  const inPages = (changes: Change[]) => {
    const applied: string[] = []
    const asked: string[] = []
    const { stored, cursor } = storedCursor()
    const state = { failsAt: Infinity }
    const run = createDatedChangeFeed<Change>({
      clock: { nowMs: () => Date.UTC(2026, 10, 25, 12, 10, 0) },
      ask: (since) => {
        asked.push(since.toISOString())
        if (asked.length >= state.failsAt) return Promise.reject(new Error('no answer'))
        return Promise.resolve(
          changes.filter(({ changedAt }) => changedAt >= since.toISOString()).slice(0, 3),
        )
      },
      pageSize: 3,
      apply: (page) => Promise.resolve(void applied.push(...page.map(({ id }) => id))),
      cursor,
    })
    return { run, applied, asked, stored, state }
  }

  it('goes on a minute before the page that failed, and applies nothing again', async () => {
    const changes = Array.from({ length: 9 }, (_, index) => change(`${index}`, index * 40))
    const { run, applied, asked, stored, state } = inPages(changes)
    state.failsAt = 3
    await expect(run()).rejects.toThrow('no answer')
    expect(stored.until).toEqual(new Date(change('', 160).changedAt))
    state.failsAt = Infinity
    await run()
    expect(asked[3]).toBe(change('', 100).changedAt)
    expect(applied).toEqual(changes.map(({ id }) => id))
  })

  it('ends after the present page when it is stopped, and goes on there', async () => {
    const changes = Array.from({ length: 9 }, (_, index) => change(`${index}`, index * 40))
    const { run, applied, asked } = inPages(changes)
    await run(AbortSignal.abort())
    expect(asked).toEqual([])
    await run()
    expect(applied).toEqual(changes.map(({ id }) => id))
  })

  it('applies each change once where a page ends within one instant', async () => {
    const changes = [change('a', 1), change('b', 2), change('c', 3), change('d', 3), change('e', 4)]
    const { run, applied } = inPages(changes)
    await run()
    await run()
    expect(applied).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

describe('a change feed', () => {
  /** A source with these changes in their order, in pages of two. */
  function paged() {
    const visible: string[] = []
    const applied: string[] = []
    const source = { failsAt: -1 }
    const read = createChangeFeed<string, number>({
      ask: (from) =>
        from === source.failsAt
          ? Promise.reject(new Error('the source is away'))
          : Promise.resolve({
              changes: visible.slice(from, from + 2),
              next: visible.length > from + 2 ? from + 2 : undefined,
            }),
      keyOf: (change) => change,
      apply: (changes) => void applied.push(...changes),
    })
    return { visible, applied, source, read }
  }

  it('applies the changes of all pages once, however often they are answered', async () => {
    const { visible, applied, read } = paged()
    visible.push('a', 'b', 'c', 'd', 'e')
    for (let reading = 0; reading < 15; reading += 1) await read(0)
    expect(applied).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('applies a change that becomes visible before others that were applied, and those others once', async () => {
    const { visible, applied, read } = paged()
    visible.push('b', 'c', 'd')
    await read(0)
    visible.unshift('a')
    await read(0)
    expect(applied).toEqual(['b', 'c', 'd', 'a'])
  })

  it('applies a change once more after each reading until it is final', async () => {
    const applied: string[] = []
    let finalUpTo = 'a'
    const read = createChangeFeed<string, number>({
      ask: () => Promise.resolve({ changes: ['a', 'b'] }),
      keyOf: (change) => change,
      apply: (changes) => void applied.push(...changes),
      isFinal: (change) => change <= finalUpTo,
    })
    await read(0)
    await read(0)
    finalUpTo = 'b'
    await read(0)
    await read(0)
    expect(applied).toEqual(['a', 'b', 'b', 'b'])
  })

  it('does not apply the first page a second time when a later one had failed', async () => {
    const { visible, applied, source, read } = paged()
    visible.push('a', 'b', 'c')
    source.failsAt = 2
    await expect(read(0)).rejects.toThrow('away')
    source.failsAt = -1
    await read(0)
    expect(applied).toEqual(['a', 'b', 'c'])
  })
})
