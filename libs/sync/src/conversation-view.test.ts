import fc from 'fast-check'
import { openConversation } from './conversation-view.ts'
import type { ConversationView } from './conversation-view.ts'
import { emptyConversation } from './known-messages.ts'
import { createOutbox } from './outbox.ts'
import { shownConversation } from './shown-conversation.ts'
import { FakeClock } from './test-support/fake-clock.ts'
import { fakeLive } from './test-support/fake-live.ts'
import { CallError, FakeServer } from './test-support/fake-server.ts'
import { variable } from './test-support/variable.ts'

interface SetUp {
  stored?: number
  connected?: boolean
  visible?: boolean
  failing?: boolean
  readSeq?: number
  version?: number
  /** The messages up to this one were on the screen. */
  shown?: number
}

function setUp(options: SetUp = {}) {
  const {
    stored = 0,
    connected = true,
    visible = true,
    failing = false,
    readSeq,
    version,
    shown = Infinity,
  } = options
  const clock = new FakeClock()
  const server = new FakeServer()
  if (failing) server.before = () => Promise.reject(new CallError(503))
  for (let count = 0; count < stored; count += 1) server.store('bob')
  const { live, emit, set } = fakeLive({ connected })
  const api = server.apiOf('ann')
  const outbox = createOutbox({ api, clock })
  const told = new Set<() => void>()
  const cell = variable(emptyConversation, () => told.forEach((listener) => listener()))
  const person = { conversationId: 'c', userId: 'ann' }
  const view = openConversation({ ...person, cell, api, live, outbox, clock, visible, readSeq, version })
  view.show(shown)
  const pending = () =>
    shownConversation({ ...cell.get(), items: outbox.items, acts: outbox.acts }, person).pending
  const hint = (message = server.store('bob')) => emit({ type: 'new_message', data: message })
  return {
    clock,
    server,
    emit,
    set,
    hint,
    outbox,
    view,
    pending,
    subscribe: (listener: () => void) => told.add(listener),
  }
}

const seqs = (view: ConversationView) => view.getState().messages.map(({ seq }) => seq)

describe('an open conversation', () => {
  it('shows the newest page, then older ones on demand', async () => {
    const { clock, view } = setUp({ stored: 120 })
    expect(view.getState()).toMatchObject({ loaded: false, messages: [] })
    await clock.advance(0)
    expect(view.getState()).toMatchObject({ loaded: true, hasOlder: true })
    expect(seqs(view)).toEqual(Array.from({ length: 50 }, (_, index) => 71 + index))
    void view.loadOlder()
    expect(view.getState().loadingOlder).toBe(true)
    await clock.advance(0)
    await view.loadOlder()
    expect(view.getState()).toMatchObject({ hasOlder: false, loadingOlder: false })
    expect(seqs(view)).toHaveLength(120)
  })

  it('changes its cell before and after it loads older messages', async () => {
    const { clock, server, view, subscribe } = setUp({ stored: 120 })
    await clock.advance(0)
    server.before = () => clock.wait(100)
    const told: boolean[] = []
    subscribe(() => told.push(view.getState().loadingOlder))
    void view.loadOlder()
    expect(told).toEqual([true])
    await clock.advance(100)
    expect(told.at(-1)).toBe(false)
  })

  it('STATE-31: adds messages from the socket without a fetch, and fetches when an earlier message is missing', async () => {
    const { clock, server, hint, view } = setUp({ stored: 2 })
    await clock.advance(0)
    hint()
    await clock.advance(0)
    expect(seqs(view)).toEqual([1, 2, 3])
    expect(view.stats.fetches).toBe(1)
    server.store('bob')
    server.store('bob')
    hint()
    await clock.advance(0)
    expect(seqs(view)).toEqual([1, 2, 3, 4, 5, 6])
    expect(view.stats.fetches).toBe(2)
    expect(view.stats).toMatchObject({ receivedBySocket: 2, receivedByFetch: 4, receivedByAnswer: 0 })
  })

  it('fetches again for a gap that the server does not fill at once', async () => {
    const { clock, server, hint, view } = setUp()
    await clock.advance(0)
    const page = server.page.bind(server)
    const late = server.store('bob')
    server.page = () => []
    hint(server.store('bob'))
    await clock.advance(300)
    expect(seqs(view)).toEqual([late.seq + 1])
    server.page = page
    await clock.advance(3000)
    expect(seqs(view)).toEqual([1, 2])
  })

  it('fetches pages until one is not full', async () => {
    const { clock, server, set, view } = setUp({ stored: 1 })
    await clock.advance(0)
    for (let count = 0; count < 450; count += 1) server.store('bob')
    set({ connected: false })
    set({ connected: true })
    await clock.advance(0)
    expect(seqs(view).length).toBe(451)
    // The last one is the fetch of changed messages.
    expect(view.stats.fetches).toBe(5)
  })

  it.each([
    ['while disconnected', { connected: false }],
    ['while the server is degraded', { degraded: true }],
  ])(
    'fetches every 30 s %s, and at once when it is told that something has changed',
    async (_when, state) => {
      const { clock, server, set, view } = setUp()
      await clock.advance(0)
      set(state)
      server.store('bob')
      await clock.advance(29_999)
      expect(seqs(view)).toEqual([])
      await clock.advance(1)
      expect(seqs(view)).toEqual([1])
      server.store('bob')
      view.refresh()
      await clock.advance(0)
      expect(seqs(view)).toEqual([1, 2])
      view.setVisible(false)
      server.store('bob')
      await clock.advance(120_000)
      expect(seqs(view)).toEqual([1, 2])
    },
  )

  it('fetches again 3 s after a failure, also while disconnected', async () => {
    const { clock, server, set, view } = setUp()
    await clock.advance(0)
    set({ connected: false })
    server.before = () => Promise.reject(new CallError(503))
    server.store('bob')
    view.refresh()
    await clock.advance(2999)
    server.before = () => Promise.resolve()
    expect(seqs(view)).toEqual([])
    await clock.advance(1)
    expect(seqs(view)).toEqual([1])
  })

  it('D-10: fetches at once when the connection is back, and on focus', async () => {
    const { clock, server, set, view } = setUp()
    await clock.advance(0)
    set({ connected: false })
    server.store('bob')
    set({ connected: true })
    await clock.advance(0)
    expect(seqs(view)).toEqual([1])
    server.store('bob')
    view.onFocus()
    await clock.advance(0)
    expect(seqs(view)).toEqual([1, 2])
  })

  it('fetches at once when it is told that the conversation has changed, and not when another one has', async () => {
    const { clock, server, emit, view } = setUp()
    await clock.advance(0)
    server.store('bob')
    emit({ type: 'conversation_changed', data: { conversationId: 'other' } })
    await clock.advance(0)
    expect(seqs(view)).toEqual([])
    emit({ type: 'conversation_changed', data: { conversationId: 'c' } })
    await clock.advance(0)
    expect(seqs(view)).toEqual([1])
  })

  it('does not fetch again when a good connection reports its state once more', async () => {
    const { clock, server, set } = setUp()
    await clock.advance(0)
    let fetches = 0
    server.before = () => {
      fetches += 1
      return Promise.resolve()
    }
    set({ connected: true })
    await clock.advance(0)
    expect(fetches).toBe(0)
  })

  describe('fetches changed messages', () => {
    async function withChange() {
      const parts = setUp({ stored: 3 })
      const { clock, server, view } = parts
      await clock.advance(0)
      const { clientMessageId: id } = server.stored[1]!
      const change = (act: 'unsend' | 'edit' = 'unsend') =>
        server.act('bob', {
          ...{ conversationId: 'c', clientMessageId: `act ${server.version}`, target: { by: 'bob', id } },
          ...(act === 'unsend' ? { act } : { act, replaces: null, content: 'new' }),
        })
      const second = () => view.getState().messages[1]
      return { ...parts, change, second }
    }
    const announced = (version: number) => ({
      type: 'message_changed' as const,
      data: { conversationId: 'c', version },
    })

    it.each<[string, (parts: Awaited<ReturnType<typeof withChange>>) => void]>([
      ['when the event names a version that was not read', ({ emit }) => emit(announced(1))],
      ['when the list shows a higher version', ({ view }) => view.refresh(1)],
      ['on focus', ({ view }) => view.onFocus()],
      [
        'on reconnect',
        ({ set }) => {
          set({ connected: false })
          set({ connected: true })
        },
      ],
    ])('at once %s', async (_when, trigger) => {
      const parts = await withChange()
      parts.change()
      trigger(parts)
      await parts.clock.advance(0)
      expect(parts.second()).toMatchObject({ content: '', isUnsent: true })
    })

    it('with the poll of 30 s, and not before', async () => {
      const { clock, change, second, view } = await withChange()
      change()
      await clock.advance(29_999)
      view.setVisible(false)
      view.setVisible(true)
      expect(second()?.isUnsent).toBeUndefined()
      await clock.advance(30_001)
      expect(second()?.isUnsent).toBe(true)
    })

    it('once for each version, also when the person is not shown the change', async () => {
      const { clock, server, emit, change, second, view } = await withChange()
      change('edit')
      const { page } = server
      server.page = () => []
      emit(announced(1))
      await clock.advance(0)
      server.page = page.bind(server)
      const { fetches } = view.stats
      emit(announced(1))
      view.refresh(1)
      await clock.advance(0)
      expect(view.stats.fetches).toBe(fetches)
      expect(second()?.edit).toBeUndefined()
    })

    it('with the poll after the clock was set back', async () => {
      const { clock, change, second } = await withChange()
      clock.setOnMs = -3_600_000
      change()
      await clock.advance(30_001)
      expect(second()?.isUnsent).toBe(true)
    })

    it('again when the server did not show an announced one at first', async () => {
      const { clock, server, emit, change, second, view } = await withChange()
      change('edit')
      change()
      const page = server.page.bind(server)
      server.page = (query) => (query.changedSince === undefined ? page(query) : [])
      view.refresh(2)
      await clock.advance(0)
      server.page = page
      emit(announced(3))
      await clock.advance(0)
      expect(second()?.isUnsent).toBe(true)
    })

    it('that the first page lacks, although the row of the list counts them', async () => {
      const { clock, server, view } = setUp({ stored: 3, version: 1 })
      await clock.advance(0)
      const target = { by: 'bob', id: server.stored[1]!.clientMessageId }
      server.act('bob', { conversationId: 'c', clientMessageId: 'a', target, act: 'unsend' })
      view.onFocus()
      await clock.advance(0)
      expect(view.getState().messages[1]).toMatchObject({ isUnsent: true })
    })

    it.each(['read', 'answered'])(
      'and an older page, requested before one was %s, undoes none',
      async (how) => {
        const { clock, server, view, emit, outbox } = setUp({ stored: 120 })
        const mine = server.stored[30]!
        server.stored = server.stored.with(30, { ...mine, senderId: 'ann' })
        await clock.advance(0)
        server.after = (call) => (call === 'list' ? clock.wait(1000) : Promise.resolve())
        void view.loadOlder()
        await clock.advance(0)
        server.after = () => Promise.resolve()
        const target = { by: 'ann', id: mine.clientMessageId }
        const unsend = { conversationId: 'c', clientMessageId: 'a', target, act: 'unsend' as const }
        if (how === 'read') {
          server.act('ann', unsend)
          emit(announced(1))
        } else outbox.act(unsend)
        await clock.advance(1000)
        expect(view.getState().messages.find(({ seq }) => seq === 31)?.isUnsent).toBe(true)
      },
    )

    it('from the beginning once the server was restored to an earlier state', async () => {
      const { clock, server, emit, change, second, view } = await withChange()
      const restored = server.stored
      change('edit')
      emit(announced(1))
      await clock.advance(0)
      expect(second()?.content).toBe('new')
      server.stored = restored
      server.version = 0
      view.refresh(0)
      await clock.advance(0)
      expect(second()?.content).toBe('')
      change()
      emit(announced(1))
      await clock.advance(0)
      expect(second()).toMatchObject({ isUnsent: true, version: 1 })
    })

    it('again after a failure', async () => {
      const { clock, server, emit, change, second } = await withChange()
      change()
      server.before = () => Promise.reject(new CallError(503))
      emit(announced(1))
      await clock.advance(0)
      server.before = () => Promise.resolve()
      await clock.advance(3000)
      expect(second()?.isUnsent).toBe(true)
    })

    it('not those of another conversation, nor those that the first page contained', async () => {
      const { clock, server, emit, view } = setUp({ stored: 3, version: 14 })
      await clock.advance(0)
      const { fetches } = view.stats
      emit({ type: 'message_changed', data: { conversationId: 'd', version: 9 } })
      emit(announced(14))
      await clock.advance(0)
      expect(view.stats.fetches).toBe(fetches)
      const asked: unknown[] = []
      server.page = (query) => {
        asked.push(query.changedSince)
        return []
      }
      emit(announced(15))
      await clock.advance(0)
      // The row may be ahead of the page.
      expect(asked).toContain(4)
    })
  })

  it('sends messages that waited for the session on focus', async () => {
    const { clock, server, outbox, view } = setUp()
    await clock.advance(0)
    server.before = () => Promise.reject(new CallError(423))
    view.send({ messageType: 'text', content: 'hello' })
    await clock.advance(0)
    server.before = () => Promise.resolve()
    view.onFocus()
    await clock.advance(0)
    expect(outbox.items).toEqual([])
    expect(server.stored).toMatchObject([{ content: 'hello' }])
  })

  it('fetches at once when it becomes visible, but not when it was visible before', async () => {
    const { clock, view } = setUp()
    await clock.advance(0)
    view.setVisible(true)
    await clock.advance(0)
    expect(view.stats.fetches).toBe(1)
    view.setVisible(false)
    view.setVisible(true)
    await clock.advance(0)
    expect(view.stats.fetches).toBe(2)
  })

  it('D-10: fetches every 30 s while visible, and never while hidden', async () => {
    const { clock, server, view } = setUp()
    await clock.advance(0)
    server.store('bob')
    await clock.advance(29_999)
    expect(seqs(view)).toEqual([])
    await clock.advance(1)
    expect(seqs(view)).toEqual([1])
    view.setVisible(false)
    server.store('bob')
    await clock.advance(300_000)
    expect(seqs(view)).toEqual([1])
    view.setVisible(true)
    await clock.advance(0)
    expect(seqs(view)).toEqual([1, 2])
  })

  it('shows an own message as pending until it is stored, then once, in any order of its confirmations', async () => {
    const { clock, server, emit, view, pending } = setUp()
    await clock.advance(0)
    server.after = (call) => (call === 'send' ? clock.wait(1000) : Promise.resolve())
    view.send({ messageType: 'text', content: 'hello' })
    expect(pending()).toMatchObject([{ message: { content: 'hello' }, status: 'sending' }])
    await clock.advance(500)
    emit({ type: 'new_message', data: server.stored[0]! })
    expect(pending()).toEqual([])
    expect(seqs(view)).toEqual([1])
    await clock.advance(1000)
    expect(pending()).toEqual([])
    expect(seqs(view)).toEqual([1])
  })

  it('removes a message from the outbox that was stored although the response was lost', async () => {
    const { clock, server, hint, outbox, view } = setUp()
    await clock.advance(0)
    server.after = (call) => (call === 'send' ? Promise.reject(new CallError()) : Promise.resolve())
    view.send({ messageType: 'text', content: 'hello' })
    await clock.advance(0)
    expect(outbox.items).toHaveLength(1)
    hint(server.stored[0])
    expect(outbox.items).toEqual([])
  })

  it('reports the newest visible message before any gap as read', async () => {
    const { clock, server, hint, view } = setUp({ stored: 3, visible: false })
    await clock.advance(0)
    expect(server.readTo).toEqual([])
    server.before = (call) => (call === 'read' ? clock.wait(100) : Promise.resolve())
    view.setVisible(true)
    hint()
    hint()
    await clock.advance(700)
    expect(server.readTo).toEqual([3, 5])
    server.before = (call) => (call === 'list' ? Promise.reject(new CallError(503)) : Promise.resolve())
    server.store('bob')
    hint()
    await clock.advance(100)
    expect(server.readTo).toEqual([3, 5])
  })

  it('counts what was on the screen as read, and nothing after it', async () => {
    const { clock, server, hint, view } = setUp({ stored: 30, shown: 12 })
    await clock.advance(0)
    hint()
    await clock.advance(1000)
    expect(server.readTo).toEqual([12])
    expect(view.getState().messages.filter(({ isRead }) => isRead)).toHaveLength(12)
    view.show(31)
    await clock.advance(0)
    expect(server.readTo).toEqual([12, 31])
  })

  it('reports twice a second at most while more and more is shown, and the last of it in any case', async () => {
    const { clock, server, view } = setUp({ stored: 30, shown: 1 })
    await clock.advance(0)
    for (let seq = 2; seq <= 20; seq += 1) view.show(seq)
    view.setVisible(false)
    await clock.advance(499)
    expect(server.readTo).toEqual([1])
    await clock.advance(1)
    expect(server.readTo).toEqual([1, 20])
  })

  it('begins a little before the first unread message, and then fetches the rest', async () => {
    const { clock, server, view } = setUp({ stored: 1230, readSeq: 30, shown: 0 })
    const pages: number[][] = []
    const page = server.page.bind(server)
    server.page = (query) => {
      const found = page(query)
      pages.push([found[0]?.seq ?? 0, found.at(-1)?.seq ?? 0])
      return found
    }
    server.before = () => clock.wait(100)
    await clock.advance(50)
    expect(pages).toEqual([[21, 70]])
    expect(view.getState()).toMatchObject({ loaded: true, hasOlder: true, hasNewer: true, watermark: 70 })
    await clock.advance(1000)
    expect(pages.slice(1).map(([first]) => first)).toEqual([71, 271, 471, 671, 871, 1071])
    expect(view.getState()).toMatchObject({ hasOlder: true, hasNewer: false, watermark: 1230 })
    expect(server.readTo).toEqual([])
  })

  it.each([
    ['a few unread messages are one page', { stored: 33, readSeq: 30 }, [[21, 33]]],
    ['what was unread is deleted: the newest page', { stored: 3, readSeq: 20 }, [[], [1, 3]]],
  ])('%s', async (_name, options, expected) => {
    const { clock, server, view } = setUp(options)
    const pages: number[][] = []
    const page = server.page.bind(server)
    server.page = (query) => {
      const found = page(query)
      pages.push(found.length ? [found[0]?.seq ?? 0, found.at(-1)?.seq ?? 0] : [])
      return found
    }
    await clock.advance(0)
    expect(pages).toEqual(expected)
    expect(view.getState()).toMatchObject({ loaded: true, hasNewer: false })
  })

  it('marks own messages as read when the other side has read them', async () => {
    const { clock, server, emit, view } = setUp()
    server.store('ann')
    await clock.advance(0)
    emit({ type: 'message_read', data: { conversationId: 'c', readerId: 'bob', seq: 1 } })
    expect(view.getState().messages[0]?.isRead).toBe(true)
  })

  it('marks nothing as read when the other side has read another conversation', async () => {
    const { clock, server, emit, view } = setUp()
    server.store('ann')
    await clock.advance(0)
    emit({ type: 'message_read', data: { conversationId: 'd', readerId: 'bob', seq: 1 } })
    expect(view.getState().messages[0]?.isRead).toBe(false)
  })

  it('shows why a fetch failed and retries, unless a retry cannot help', async () => {
    const { clock, server, view } = setUp({ stored: 1, failing: true })
    await clock.advance(0)
    expect(view.getState()).toMatchObject({ loaded: false, error: { status: 503 } })
    server.before = () => Promise.reject(new CallError(423))
    await clock.advance(3000)
    expect(view.getState().error).toMatchObject({ status: 423 })
    server.before = () => Promise.resolve()
    await clock.advance(600_000)
    expect(view.stats.fetches).toBe(2)
    view.onFocus()
    await clock.advance(0)
    expect(view.getState()).toMatchObject({ loaded: true, error: null })
  })

  it('ignores other conversations, keeps its state object until a change, and reports nothing once closed', async () => {
    const { clock, server, emit, hint, view, subscribe } = setUp({ stored: 1 })
    await clock.advance(0)
    const state = view.getState()
    emit({ type: 'new_message', data: { ...server.store('bob'), conversationId: 'd' } })
    await clock.advance(0)
    expect(view.getState()).toBe(state)
    let told = 0
    subscribe(() => (told += 1))
    hint()
    expect(told).toBeGreaterThan(0)
    view.close()
    told = 0
    hint()
    const { fetches } = view.stats
    await clock.advance(300_000)
    expect(told).toBe(0)
    expect(view.stats.fetches).toBe(fetches)
    expect(clock.pending).toBe(0)
  })

  it('sends no further read report once it is closed', async () => {
    const { clock, server, hint, view } = setUp()
    await clock.advance(0)
    server.before = () => clock.wait(100)
    hint()
    hint()
    view.close()
    await clock.advance(1000)
    expect(server.readTo).toEqual([1])
  })
})

type Step =
  | { kind: 'store'; fate: 'told' | 'lost' | 'doubled' | 'late'; own: boolean }
  | { kind: 'wait'; ms: number }
  | { kind: 'line'; up: boolean }
  | { kind: 'calls'; state: 'work' | 'fail' | 'slow' }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('store' as const),
        fate: fc.constantFrom('told', 'lost', 'doubled', 'late'),
        own: fc.boolean(),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(2000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('line' as const), up: fc.boolean() }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('calls' as const),
        state: fc.constantFrom('work', 'fail', 'slow'),
      }),
    },
  ),
  { maxLength: 50 },
)

/** Plays a history of losses against a view, and checks at every step that it shows only stored messages. */
async function play(history: Step[]) {
  const parts = setUp()
  const { clock, server, set, hint, view } = parts
  let calls: 'work' | 'fail' | 'slow' = 'work'
  server.before = async () => {
    if (calls === 'fail') throw new CallError()
    await clock.wait(calls === 'slow' ? 700 : 5)
  }
  server.after = () => clock.wait(calls === 'slow' ? 700 : 5)
  for (const step of history) {
    if (step.kind === 'wait') await clock.advance(step.ms)
    if (step.kind === 'line') set({ connected: step.up })
    if (step.kind === 'calls') calls = step.state
    if (step.kind === 'store') {
      const message = server.store(step.own ? 'ann' : 'bob')
      if (step.fate === 'late') clock.setTimeout(() => hint(message), 1500)
      if (step.fate === 'told' || step.fate === 'doubled') hint(message)
      if (step.fate === 'doubled') clock.setTimeout(() => hint(message), 400)
    }
    const shown = seqs(view)
    expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b))
  }
  calls = 'work'
  return parts
}

describe('an open conversation equals the server after lost, repeated and reordered hints', () => {
  const all = (server: FakeServer) =>
    server.stored.slice(-Math.max(50, server.stored.length)).map(({ seq }) => seq)

  it('within a moment of the next hint', async () => {
    const property = fc.asyncProperty(steps, async (history) => {
      const { clock, server, set, hint, view } = await play(history)
      set({ connected: true })
      await clock.advance(4000)
      hint()
      await clock.advance(100)
      expect(seqs(view)).toEqual(all(server))
    })
    await fc.assert(property, { numRuns: 150 })
  })

  it('at once while the connection is lost, when it is told that something has changed', async () => {
    const property = fc.asyncProperty(steps, async (history) => {
      const { clock, server, set, view } = await play(history)
      set({ connected: false })
      await clock.advance(4000)
      server.store('bob')
      view.refresh()
      await clock.advance(100)
      expect(seqs(view)).toEqual(all(server))
    })
    await fc.assert(property, { numRuns: 100 })
  })

  it('within 30 s while visible, with every hint lost', async () => {
    const property = fc.asyncProperty(steps, async (history) => {
      const { clock, server, set, view } = await play(history)
      set({ connected: true })
      await clock.advance(4000)
      server.store('bob')
      await clock.advance(30_100)
      expect(seqs(view)).toEqual(all(server))
    })
    await fc.assert(property, { numRuns: 100 })
  })
})
