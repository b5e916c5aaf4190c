import type { Message } from '@sumlock/contracts/messaging-routes'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { openConversation } from './conversation-view.ts'
import { emptyConversation } from './known-messages.ts'
import { emptyList, mergeFirstPage, mergeHints } from './message-list.ts'
import { createOutbox } from './outbox.ts'
import { FakeClock } from './test-support/fake-clock.ts'
import { fakeLive } from './test-support/fake-live.ts'
import { CallError, FakeServer } from './test-support/fake-server.ts'
import { variable } from './test-support/variable.ts'
import { createVanishWatch, vanishesAtMs, withEarly } from './vanishing.ts'

const half = 30_000

function setUp({ visible = true } = {}) {
  const clock = new FakeClock()
  const server = new FakeServer()
  server.nowMs = clock.nowMs
  const { live, emit } = fakeLive()
  const api = server.apiOf('ann')
  const outbox = createOutbox({ api, clock })
  const cell = variable(emptyConversation)
  const vanishing = createVanishWatch(clock, outbox)
  const person = { conversationId: 'c', userId: 'ann' }
  const open = () =>
    openConversation({ ...person, cell, api, live, outbox, clock, visible, vanishing, pageSize: 2 })
  const contents = () => cell.get().messages.map(({ content, isVanished }) => (isVanished ? '–' : content))
  const readElsewhere = (seq: number) => server.read('ann', seq)
  const store = (content: string, senderId = 'bob', vanishMs: VanishMs = half) =>
    server.store(senderId, { content, vanishMs })
  return { clock, server, emit, cell, vanishing, open, contents, store, readElsewhere }
}

describe('a message that vanishes', () => {
  it('is emptied for its sender when its time after the storing is over, and nothing else is', async () => {
    const { clock, open, contents, store, server } = setUp()
    store('mine', 'ann')
    server.store('ann', { content: 'kept' })
    open()
    await clock.advance(half - 1)
    expect(contents()).toEqual(['mine', 'kept'])
    await clock.advance(1)
    expect(contents()).toEqual(['–', 'kept'])
  })

  it('stays for its receiver until its time after the reading is over', async () => {
    const { clock, open, contents, store } = setUp()
    store('theirs')
    const view = open()
    await clock.advance(10 * half)
    expect(contents()).toEqual(['theirs'])
    view.show(1)
    await clock.advance(half - 1)
    expect(contents()).toEqual(['theirs'])
    await clock.advance(5000)
    expect(contents()).toEqual(['–'])
  })

  it.each([
    [
      'an event says so',
      ({ emit }: ReturnType<typeof setUp>) =>
        emit({ type: 'message_read', data: { conversationId: 'c', readerId: 'ann', seq: 1 } }),
    ],
    ['the list says so', (_: unknown, view: ReturnType<ReturnType<typeof setUp>['open']>) => view.readTo(1)],
  ])('is fetched again when another device has read it and %s', async (_how, tell) => {
    const parts = setUp({ visible: false })
    const { clock, open, contents, store, readElsewhere } = parts
    store('theirs')
    const view = open()
    await clock.advance(100)
    readElsewhere(1)
    tell(parts, view)
    const { fetches } = view.stats
    await clock.advance(half)
    expect(contents()).toEqual(['–'])
    expect(view.stats.fetches).toBeGreaterThan(fetches)
  })

  it('is fetched again after a failed fetch, and not at each poll once its end is known', async () => {
    const { clock, open, contents, store, server } = setUp()
    store('theirs')
    const view = open()
    await clock.advance(0)
    server.before = (call) => (call === 'list' ? Promise.reject(new CallError(503)) : Promise.resolve())
    view.show(1)
    await clock.advance(5000)
    server.before = () => Promise.resolve()
    await clock.advance(3000)
    const { fetches } = view.stats
    view.readTo(1)
    view.refresh()
    await clock.advance(0)
    expect(view.stats.fetches).toBe(fetches + 1)
    await clock.advance(half)
    expect(contents()).toEqual(['–'])
  })

  it('does not come back with an older page that was asked for before its end', async () => {
    const { clock, open, cell, contents, store, server, readElsewhere } = setUp()
    store('one')
    store('two', 'ann')
    server.store('bob', { content: 'three' })
    server.store('bob', { content: 'four' })
    readElsewhere(4)
    const view = open()
    await clock.advance(half - 1000)
    server.after = (call) => (call === 'list' ? clock.wait(5000) : Promise.resolve())
    void view.loadOlder()
    await clock.advance(5000)
    expect(cell.get().messages).toHaveLength(4)
    expect(contents()).toEqual(['–', '–', 'three', 'four'])
  })

  it('is emptied as soon as a page that slept looks again', async () => {
    const { clock, open, contents, store, vanishing } = setUp()
    store('mine', 'ann')
    open()
    await clock.advance(1000)
    clock.setOnMs = half
    expect(contents()).toEqual(['mine'])
    vanishing.look()
    expect(contents()).toEqual(['–'])
  })

  it('is emptied within five seconds after a sleep that nothing has announced', async () => {
    const { clock, open, contents, store } = setUp()
    store('mine', 'ann', 86_400_000)
    open()
    await clock.advance(1000)
    clock.setOnMs = 86_400_000
    await clock.advance(4999)
    expect(contents()).toEqual(['–'])
  })

  it('comes back with the next fetch if a clock that was set forward had emptied it too soon', async () => {
    const { clock, open, contents, store, vanishing, cell } = setUp()
    store('mine', 'ann', 300_000)
    open()
    await clock.advance(1000)
    clock.setOnMs = 300_000
    vanishing.look()
    expect(contents()).toEqual(['–'])
    expect(JSON.stringify(cell.get())).not.toContain('mine')
    // An answer of the server corrects the clock.
    clock.setOnMs = 0
    await clock.advance(30_000)
    expect(contents()).toEqual(['mine'])
    await clock.advance(300_000 - 31_000)
    expect(contents()).toEqual(['–'])
  })

  it.each<{ when: string; afterMs: number; isEarly: boolean; change?: Partial<Message> }>([
    { when: 'before the time of an own one', afterMs: half - 6000, isEarly: true },
    { when: 'at the time of an own one', afterMs: half - 4000, isEarly: false },
    {
      when: 'at the earliest time of a received one',
      afterMs: half,
      isEarly: false,
      change: { senderId: 'bob' },
    },
    {
      when: 'that nobody can have read yet',
      afterMs: half - 6000,
      isEarly: true,
      change: { senderId: 'bob' },
    },
    { when: 'without a time', afterMs: 600_000, isEarly: true, change: { vanishMs: undefined } },
  ])(
    'that the server empties, $when, says so if it is too early, as long as the page is open',
    async ({ afterMs, isEarly, change }) => {
      const { clock, open, cell, emit, server } = setUp({ visible: false })
      const held = { ...server.store('ann', { content: 'text', vanishMs: half }), ...change }
      open()
      await clock.advance(0)
      cell.set({ ...cell.get(), messages: [held] })
      await clock.advance(afterMs)
      for (const version of [1, 2]) {
        const { vanishMs: _time, ...rest } = held
        emit({ type: 'new_message', data: { ...rest, content: '', isVanished: true, version } })
        const [row] = cell.get().messages
        expect(row).toMatchObject({ version, isVanished: true })
        expect(Object.keys(row ?? {}).includes('isEarly')).toBe(isEarly)
      }
    },
  )

  it('is emptied in time beside one whose end cannot be read', async () => {
    const { clock, open, cell, contents, store } = setUp()
    store('mine', 'ann')
    store('theirs')
    open()
    await clock.advance(0)
    const messages = cell
      .get()
      .messages.map((one) => ({ ...one, ...(one.seq === 2 && { vanishAt: 'soon' }) }))
    cell.set({ ...cell.get(), messages })
    await clock.advance(half)
    expect(contents()).toEqual(['–', 'theirs'])
  })

  it('leaves no timer behind', async () => {
    const { clock, open, store, vanishing } = setUp({ visible: false })
    store('mine', 'ann')
    open()
    await clock.advance(0)
    expect(clock.pending).toBe(1)
    vanishing.close()
    expect(clock.pending).toBe(0)
  })
})

describe('of two rows of a message', () => {
  const row = (change: Partial<Message>): Message => ({
    ...{ id: 'm1', seq: 1, senderId: 'bob', conversationId: 'c', content: 'text', messageType: 'text' },
    ...{ mediaUrl: null, isRead: true, createdAt: '2026-11-20T00:00:00.000Z', clientMessageId: 'k1' },
    vanishMs: half,
    ...change,
  })
  const merged = (...rows: Message[]) =>
    rows.reduce((list, one) => mergeHints(list, [one]), mergeFirstPage(emptyList, rows.slice(0, 1), 50))
      .messages[0]
  const vanishAt = '2026-11-20T00:01:00.000Z'
  /** The server gives a vanished message without its time. */
  const empty = { content: '', isVanished: true, vanishMs: undefined } as const

  it('the end of the time is taken from either, whichever has the higher version', () => {
    expect(merged(row({}), row({ vanishAt }))).toMatchObject({ content: 'text', vanishAt })
    expect(merged(row({ vanishAt }), row({}))).toMatchObject({ vanishAt })
    const edited = { content: 'new', version: 1 }
    expect(merged(row({ vanishAt }), row(edited))).toMatchObject({ ...edited, vanishAt })
    expect(merged(row(edited), row({ vanishAt }))).toMatchObject({ ...edited, vanishAt })
  })

  it('the one that has vanished counts, even against a newer version', () => {
    const newer = row({ content: 'new', version: 2, vanishAt })
    expect(merged(row({ vanishAt }), row(empty))).toMatchObject(empty)
    expect(merged(row(empty), newer)).toEqual(row(empty))
    expect(merged(newer, row(empty))).toMatchObject(row(empty))
    expect(merged(row(empty), row({ ...empty, version: 2 }))).toMatchObject({ ...empty, version: 2 })
  })

  it('one that was taken back stays so', () => {
    const unsent = { content: '', version: 3, isUnsent: true, vanishMs: undefined } as const
    expect(merged(row(empty), row(unsent))).toMatchObject({ isUnsent: true })
    expect(merged(row(unsent), row(empty))).not.toHaveProperty('isVanished')
  })

  it('an empty one that is said to open once has not taken the place of a message without saying so', () => {
    const whole = row({ vanishMs: undefined })
    const opened = row({ content: '', vanishMs: undefined, isOnce: true, isOpened: true, version: 1 })
    const [early] = withEarly([merged(whole, opened) as Message], Date.parse(whole.createdAt) + 600_000)
    expect(early).toMatchObject({ isVanished: true, isEarly: true })
    expect(merged(whole, opened, { ...opened, version: 2 })).toMatchObject({ isVanished: true, version: 1 })
  })

  it('one that opens once vanishes unopened after 30 days at the earliest', () => {
    const once = row({ vanishMs: undefined, isOnce: true })
    const [removed, later] = [29, 30].map((days) => {
      const held = merged(once, { ...once, content: '', isVanished: true }) as Message
      return withEarly([held], Date.parse(once.createdAt) + days * 86_400_000)[0]
    })
    expect(removed).toMatchObject({ isVanished: true, isEarly: true })
    expect(later).not.toHaveProperty('isEarly')
  })

  it('only one with a time of its own ends', () => {
    expect(vanishesAtMs(row({ vanishMs: undefined, vanishAt }), 'ann')).toBe(Infinity)
    expect(vanishesAtMs(row({}), 'ann')).toBe(Infinity)
    expect(vanishesAtMs(row({ vanishAt }), 'ann')).toBe(Date.parse(vanishAt))
    expect(vanishesAtMs(row({ vanishAt }), 'bob')).toBe(Date.parse('2026-11-20T00:00:30.000Z'))
  })
})
