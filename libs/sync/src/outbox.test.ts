import fc from 'fast-check'
import { createOutbox } from './outbox.ts'
import type { OutboxItem, OutboxStore, OutgoingMessage, SyncApi } from './ports.ts'
import { CallError, FakeServer } from './test-support/fake-server.ts'
import { FakeClock } from './test-support/fake-clock.ts'

const text = (content: string) => ({ messageType: 'text' as const, content })

function setUp(store?: OutboxStore) {
  const clock = new FakeClock()
  const server = new FakeServer()
  const outbox = createOutbox({ api: server.apiOf('ann'), clock, ...(store ? { store } : {}) })
  const contents = () => server.stored.map(({ content }) => content)
  return { clock, server, outbox, contents }
}

function memoryStore(initial: readonly OutboxItem[] = []) {
  const store = { kept: initial, load: () => Promise.resolve(store.kept), save: save }
  function save(items: readonly OutboxItem[]) {
    store.kept = items
    return Promise.resolve()
  }
  return store
}

describe('the outbox', () => {
  it('sends the messages of a conversation one at a time, and conversations concurrently', async () => {
    const { clock, server, outbox, contents } = setUp()
    server.before = () => clock.wait(100)
    outbox.add('c', text('one'))
    outbox.add('c', text('two'))
    outbox.add('d', text('three'))
    await clock.advance(100)
    expect(contents().sort()).toEqual(['one', 'three'])
    await clock.advance(100)
    expect(contents()).toHaveLength(3)
    expect(outbox.items).toEqual([])
    expect(clock.pending).toBe(0)
  })

  it('D-11: repeats a send whose response was lost under the same id, so that it is stored once', async () => {
    const { clock, server, outbox, contents } = setUp()
    let losses = 3
    server.after = () => (losses-- > 0 ? Promise.reject(new CallError()) : Promise.resolve())
    outbox.add('c', text('one'))
    outbox.add('c', text('two'))
    await clock.advance(60_000)
    expect(contents()).toEqual(['one', 'two'])
    expect(outbox.items).toEqual([])
  })

  it('drops what is unsent in a conversation that was deleted, and nothing else', async () => {
    const store = memoryStore()
    const { clock, server, outbox, contents } = setUp(store)
    await clock.advance(0)
    server.before = () => Promise.reject(new CallError())
    const id = outbox.add('c', text('one'))
    outbox.add('d', text('other'))
    await clock.advance(0)
    const target = { by: 'ann', id }
    outbox.act({
      conversationId: 'c',
      clientMessageId: 'a',
      target,
      act: 'edit',
      replaces: null,
      content: 'two',
    })
    outbox.add('c', text('joining'))
    const dropped = outbox.drop(({ message }) => message.conversationId === 'c')
    await clock.advance(0)
    await dropped
    expect(store.kept.map(({ message }) => message.content)).toEqual(['other'])
    server.before = () => Promise.resolve()
    await clock.advance(60_000)
    expect(contents()).toEqual(['other'])
  })

  describe('with messages that are prepared before they are sent', () => {
    function setUpPrepared(store?: OutboxStore) {
      const clock = new FakeClock()
      const server = new FakeServer()
      const prepared: string[] = []
      const prepare = (message: OutgoingMessage) => {
        prepared.push(message.content ?? '')
        return Promise.resolve({
          ...message,
          content: `${message.content} ${prepared.length}`,
          sealed: { v: 1, from: 1, to: 1 },
        } as OutgoingMessage)
      }
      const open = () => createOutbox({ api: { sendMessage }, clock, prepare, ...(store ? { store } : {}) })
      const sent: (string | undefined)[] = []
      const sendMessage: SyncApi['sendMessage'] = (message, signal) => {
        sent.push(message.content)
        return server.apiOf('ann').sendMessage(message, signal)
      }
      return { clock, server, prepared, sent, open }
    }

    it('prepares each once: every attempt sends the same, also after a reload', async () => {
      const store = memoryStore()
      const { clock, server, prepared, sent, open } = setUpPrepared(store)
      server.before = () => Promise.reject(new CallError())
      const first = open()
      first.add('c', text('one'))
      await clock.advance(5000)
      first.close()
      expect(store.kept.map(({ message }) => message.content)).toEqual(['one'])
      const second = open()
      await clock.advance(5000)
      second.close()
      expect(sent.length).toBeGreaterThan(3)
      expect(new Set(sent)).toEqual(new Set(['one 1']))
      expect(prepared).toEqual(['one'])
    })

    it('prepares again only what the person retries because a key has changed', async () => {
      const { clock, server, prepared, open } = setUpPrepared()
      const outbox = open()
      let refusal: CallError | undefined = new CallError(409, 'keys_changed')
      server.before = () => (refusal ? Promise.reject(refusal) : Promise.resolve())
      const id = outbox.add('c', text('one'))
      await clock.advance(0)
      expect(outbox.items.map(({ status }) => status)).toEqual(['failed'])
      refusal = new CallError(400, 'invalid_request')
      outbox.retry(id)
      await clock.advance(0)
      expect(prepared).toEqual(['one', 'one'])
      refusal = undefined
      outbox.retry(id)
      await clock.advance(0)
      expect(prepared).toHaveLength(2)
      expect(server.stored.map(({ content }) => content)).toEqual(['one 2'])
    })

    it('decides anew about a message that was plain: by the next attempt it may be sealed', async () => {
      const { clock, server } = setUpPrepared()
      let hasKey = false
      const prepare = (message: OutgoingMessage) =>
        Promise.resolve(hasKey ? { ...message, sealed: { v: 1 as const, from: 1, to: 1 } } : message)
      const sent: OutgoingMessage[] = []
      const sendMessage: SyncApi['sendMessage'] = (message, signal) => {
        sent.push(message)
        return server.apiOf('ann').sendMessage(message, signal)
      }
      server.before = () => Promise.reject(new CallError(402, 'daily_limit_reached'))
      const outbox = createOutbox({ api: { sendMessage }, clock, prepare })
      const id = outbox.add('c', text('one'))
      await clock.advance(0)
      hasKey = true
      outbox.retry(id)
      await clock.advance(0)
      expect(sent.map(({ sealed }) => sealed !== undefined)).toEqual([false, true])
    })

    it('tries to prepare again when that has failed, and keeps the order', async () => {
      const { clock, server } = setUpPrepared()
      let failures = 2
      const prepare = (message: OutgoingMessage) =>
        failures-- > 0 ? Promise.reject(new CallError()) : Promise.resolve(message)
      const outbox = createOutbox({ api: server.apiOf('ann'), clock, prepare })
      outbox.add('c', text('one'))
      outbox.add('c', text('two'))
      await clock.advance(60_000)
      expect(server.stored.map(({ content }) => content)).toEqual(['one', 'two'])
    })
  })

  it('retries a call that never answers', async () => {
    const { clock, server, outbox, contents } = setUp()
    let calls = 0
    server.before = () => (calls++ === 0 ? new Promise(() => undefined) : Promise.resolve())
    outbox.add('c', text('one'))
    await clock.advance(12_000)
    expect(contents()).toEqual(['one'])
  })

  it.each([400, 402, 404, 409])(
    'keeps a message that the server refuses with %i and goes on with the next',
    async (status) => {
      const { clock, server, outbox, contents } = setUp()
      let calls = 0
      server.before = () => (calls++ === 0 ? Promise.reject(new CallError(status, 'why')) : Promise.resolve())
      const first = outbox.add('c', text('one'))
      outbox.add('c', text('two'))
      await clock.advance(120_000)
      expect(contents()).toEqual(['two'])
      expect(outbox.items).toMatchObject([{ status: 'failed', failure: { status, code: 'why' } }])
      outbox.retry(first)
      await clock.advance(0)
      expect(contents()).toEqual(['two', 'one'])
      expect(outbox.items).toEqual([])
    },
  )

  it('passes on a stored message while its item is still there', async () => {
    const { clock, outbox } = setUp()
    const told: unknown[] = []
    outbox.onStored(({ content }) => told.push([content, outbox.items.length]))
    outbox.add('c', text('one'))
    await clock.advance(0)
    expect(told).toEqual([['one', 1]])
  })

  it('ignores a retry of a message that is being sent', async () => {
    const { clock, server, outbox } = setUp()
    let calls = 0
    server.before = () => ((calls += 1), clock.wait(100))
    const id = outbox.add('c', text('one'))
    outbox.retry(id)
    await clock.advance(1000)
    expect(calls).toBe(1)
  })

  it('removes a waiting message that is known to be stored, but none that is being sent', async () => {
    const { clock, server, outbox } = setUp()
    server.before = () => clock.wait(100).then(() => Promise.reject(new CallError(503)))
    const id = outbox.add('c', text('one'))
    outbox.confirm('unknown')
    outbox.confirm(id)
    expect(outbox.items).toHaveLength(1)
    await clock.advance(100)
    outbox.confirm(id)
    expect(outbox.items).toEqual([])
  })

  it('discards a refused message on demand, but none that is being sent', async () => {
    const { clock, server, outbox } = setUp()
    server.before = () => clock.wait(100).then(() => Promise.reject(new CallError(402)))
    const id = outbox.add('c', text('one'))
    outbox.discard(id)
    expect(outbox.items).toHaveLength(1)
    await clock.advance(100)
    outbox.discard(id)
    expect(outbox.items).toEqual([])
  })

  it.each([401, 423])(
    'waits for the session after a %i, without trying, until it is kicked',
    async (status) => {
      const { clock, server, outbox, contents } = setUp()
      let calls = 0
      server.before = () => (calls++ === 0 ? Promise.reject(new CallError(status)) : Promise.resolve())
      outbox.add('c', text('one'))
      await clock.advance(600_000)
      expect(calls).toBe(1)
      expect(outbox.items[0]?.status).toBe('waiting')
      outbox.kick()
      await clock.advance(0)
      expect(contents()).toEqual(['one'])
    },
  )

  it('backs off up to 15 s, and at least as long as a 429 states', async () => {
    const { clock, server, outbox } = setUp()
    const triesAtMs: number[] = []
    server.before = () => {
      triesAtMs.push(clock.nowMs())
      const retryAfterMs = triesAtMs.length === 1 ? { retryAfterMs: 20_000 } : {}
      return Promise.reject(Object.assign(new CallError(429), retryAfterMs))
    }
    outbox.add('c', text('one'))
    await clock.advance(100_000)
    const pauses = triesAtMs.slice(1).map((at, index) => at - (triesAtMs[index] as number))
    expect(pauses).toEqual([20_000, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000])
  })

  it('sends many messages through a limit of 60 in ten seconds: all once, in order, asking once per pause', async () => {
    const { clock, server, outbox } = setUp()
    let [windowEndsMs, taken, refused] = [0, 0, 0]
    server.before = async () => {
      await clock.wait(10)
      if (clock.nowMs() >= windowEndsMs) [windowEndsMs, taken] = [clock.nowMs() + 10_000, 0]
      taken += 1
      if (taken <= 60) return
      refused += 1
      const retryAfterMs = windowEndsMs - clock.nowMs()
      throw Object.assign(new CallError(429, 'too_many_requests'), { retryAfterMs })
    }
    const ids = Array.from({ length: 150 }, (_, index) => outbox.add('c', text(`no. ${index}`)))
    await clock.advance(60_000)
    expect(server.stored.map(({ clientMessageId }) => clientMessageId)).toEqual(ids)
    expect(outbox.items).toEqual([])
    expect(refused).toBe(2)
  })

  it.each([
    ['was stored', undefined],
    ['was refused', new CallError(402)],
  ])('backs off from 0.5 s again after a message that %s', async (_, outcome) => {
    const { clock, server, outbox } = setUp()
    const answers = [new CallError(503), new CallError(503), outcome, new CallError(503)]
    const triesAtMs: number[] = []
    server.before = () => {
      triesAtMs.push(clock.nowMs())
      const answer = answers.shift()
      return answer ? Promise.reject(answer) : Promise.resolve()
    }
    outbox.add('c', text('one'))
    outbox.add('c', text('two'))
    await clock.advance(10_000)
    expect(triesAtMs).toEqual([0, 500, 1500, 1500, 2000])
  })

  it('flushes at once, and returns false when that takes too long', async () => {
    const { clock, server, outbox, contents } = setUp()
    server.before = () => Promise.reject(new CallError(503))
    outbox.add('c', text('one'))
    await clock.advance(20_000)
    server.before = () => clock.wait(500)
    const flushed = outbox.flush(2000)
    await clock.advance(500)
    expect(await flushed).toBe(true)
    expect(contents()).toEqual(['one'])
    server.before = () => clock.wait(5000)
    outbox.add('c', text('two'))
    const late = outbox.flush(2000)
    await clock.advance(2000)
    expect(await late).toBe(false)
  })

  it('passes unsent messages to the next page through the store, in order and under the same ids', async () => {
    const store = memoryStore()
    const first = setUp(store)
    await first.clock.advance(0)
    first.server.before = () => new Promise(() => undefined)
    const ids = ['one', 'two'].map((content) => first.outbox.add('c', text(content)))
    expect(await Promise.race([first.outbox.flush(10), first.clock.advance(1000).then(() => 'late')])).toBe(
      false,
    )
    first.outbox.close()
    expect(store.kept.map(({ status }) => status)).toEqual(['sending', 'waiting'])

    const second = setUp(store)
    second.outbox.add('c', text('three'))
    await second.clock.advance(0)
    expect(second.contents()).toEqual(['one', 'two', 'three'])
    expect(second.server.stored.map(({ clientMessageId }) => clientMessageId).slice(0, 2)).toEqual(ids)
    expect(store.kept).toEqual([])
  })

  it('shows and sends a message once its store has it', async () => {
    const store = memoryStore()
    const { clock, outbox, contents } = setUp(store)
    await clock.advance(0)
    const { save } = store
    store.save = (items) => clock.wait(100).then(() => save(items))
    const ids = ['one', 'two'].map((content) => outbox.add('c', text(content)))
    let isAdded = false
    void outbox.whenAdded(ids[1] ?? '').then(() => (isAdded = true))
    await clock.advance(99)
    expect([store.kept, outbox.items, contents(), isAdded]).toEqual([[], [], [], false])
    await clock.advance(1)
    expect([store.kept.length, isAdded]).toEqual([2, true])
    await clock.advance(1000)
    expect(contents()).toEqual(['one', 'two'])
    expect(store.kept).toEqual([])
    await outbox.whenAdded(ids[0] ?? '')
  })

  it('shows and sends a message after half a second when its store does not answer', async () => {
    const store = memoryStore()
    const { clock, outbox, contents } = setUp(store)
    await clock.advance(0)
    store.save = () => new Promise(() => undefined)
    outbox.add('c', text('one'))
    await clock.advance(499)
    expect([outbox.items, contents()]).toEqual([[], []])
    await clock.advance(1)
    expect(contents()).toEqual(['one'])
  })

  it('does not end a flush before a message that is still being stored was sent', async () => {
    const store = memoryStore()
    const { clock, outbox, contents } = setUp(store)
    await clock.advance(0)
    store.save = () => clock.wait(100)
    outbox.add('c', text('one'))
    const flushed = outbox.flush(2000).then((isDone) => [isDone, ...contents()])
    await clock.advance(1000)
    expect(await flushed).toEqual([true, 'one'])
  })

  it('leaves a message to the next page that was added right before it was closed', async () => {
    const store = memoryStore()
    const closed = setUp(store)
    await closed.clock.advance(0)
    closed.outbox.add('c', text('one'))
    closed.outbox.close()
    await closed.clock.advance(60_000)
    expect(closed.contents()).toEqual([])
    const next = setUp(store)
    await next.clock.advance(0)
    expect(next.contents()).toEqual(['one'])
  })

  it('has written its store when a flush ends', async () => {
    const store = memoryStore()
    const { clock, outbox } = setUp(store)
    let isWritten = false
    store.save = () => clock.wait(100).then(() => void (isWritten = true))
    outbox.add('c', text('one'))
    const flushed = outbox.flush(2000).then(() => isWritten)
    await clock.advance(1000)
    expect(await flushed).toBe(true)
  })

  it('sends nothing when it is closed before its store was read', async () => {
    const { clock, outbox, contents } = setUp(memoryStore())
    outbox.add('c', text('one'))
    outbox.close()
    await clock.advance(60_000)
    expect(contents()).toEqual([])
  })

  it('leaves no timer behind when it is closed during a pause', async () => {
    const { clock, server, outbox } = setUp()
    server.before = () => Promise.reject(new CallError(503))
    outbox.add('c', text('one'))
    await clock.advance(0)
    expect(clock.pending).toBe(1)
    outbox.close()
    expect(clock.pending).toBe(0)
  })

  it('writes nothing once it is closed, so that the next outbox keeps its messages', async () => {
    const store = memoryStore()
    const closed = setUp(store)
    await closed.clock.advance(0)
    closed.server.before = () => closed.clock.wait(100)
    closed.outbox.add('c', text('one'))
    await closed.clock.advance(0)
    closed.outbox.close()
    const next = setUp(store)
    next.server.before = () => new Promise(() => undefined)
    next.outbox.add('c', text('two'))
    await next.clock.advance(0)
    await closed.clock.advance(100)
    expect(closed.contents()).toEqual(['one'])
    expect(store.kept.map(({ message }) => message.content)).toEqual(['one', 'two'])
  })

  it('ends a flush once it is closed', async () => {
    const { clock, server, outbox } = setUp()
    server.before = () => new Promise(() => undefined)
    outbox.add('c', text('one'))
    outbox.close()
    const flushed = outbox.flush(2000)
    await clock.advance(0)
    expect(await Promise.race([flushed, clock.wait(1).then(() => 'still waiting')])).toBe(false)
  })

  it('works without a store that fails', async () => {
    const broken = { load: () => Promise.reject(new Error('x')), save: () => Promise.reject(new Error('x')) }
    const { clock, outbox, contents } = setUp(broken)
    outbox.add('c', text('one'))
    await clock.advance(0)
    expect(contents()).toEqual(['one'])
  })

  it('stores each message exactly once and in order, despite failures before and after a call took effect', async () => {
    const fault = fc.constantFrom('ok', 'refused', 'lost', 'hangs', 503, 500, 429, 408)
    const property = fc.asyncProperty(
      fc.array(fault, { maxLength: 40 }),
      fc.array(fc.record({ to: fc.constantFrom('c', 'd'), pauseMs: fc.nat(3000), kick: fc.boolean() }), {
        maxLength: 12,
      }),
      async (faults, sends) => {
        const { clock, server, outbox } = setUp()
        const plan = [...faults]
        let current: (typeof plan)[number] | undefined
        server.before = async () => {
          current = plan.shift()
          await clock.wait(20)
          if (current === 'hangs') await clock.wait(60_000)
          if (current === 'refused') throw new CallError()
          if (typeof current === 'number') throw new CallError(current)
        }
        server.after = () => (current === 'lost' ? Promise.reject(new CallError()) : Promise.resolve())
        const sent: Record<string, string[]> = { c: [], d: [] }
        for (const { to, pauseMs, kick } of sends) {
          sent[to]?.push(outbox.add(to, text('x')))
          await clock.advance(pauseMs)
          if (kick) outbox.kick()
        }
        await clock.advance(1_200_000)
        expect(outbox.items).toEqual([])
        for (const to of ['c', 'd']) {
          const stored = server.stored.filter(({ conversationId }) => conversationId === to)
          expect(stored.map(({ clientMessageId }) => clientMessageId)).toEqual(sent[to])
        }
      },
    )
    await fc.assert(property, { numRuns: 150 })
  })
})
