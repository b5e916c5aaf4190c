import { createOutbox } from './outbox.ts'
import type { OutboxEntry, OutboxStore, OutgoingAct } from './ports.ts'
import { CallError, FakeServer } from './test-support/fake-server.ts'
import { FakeClock } from './test-support/fake-clock.ts'

const text = (content: string) => ({ messageType: 'text' as const, content })

function memoryStore() {
  const store = {
    kept: [] as readonly OutboxEntry[],
    load: () => Promise.resolve(store.kept),
    save: (items: readonly OutboxEntry[]) => Promise.resolve(void (store.kept = items)),
  }
  return store
}

function setUp({ store = undefined as OutboxStore | undefined, server = new FakeServer() } = {}) {
  const clock = new FakeClock()
  const api = server.apiOf('ann')
  const outbox = createOutbox({ api, clock, ...(store ? { store } : {}) })
  let acts = 0
  const name = () => `act ${(acts += 1)}`
  const unsend = (id: string): OutgoingAct => ({
    ...{ conversationId: 'c', clientMessageId: name(), target: { by: 'ann', id }, act: 'unsend' },
  })
  const edit = (id: string, content: string, replaces: string | null = null): OutgoingAct => ({
    ...{
      conversationId: 'c',
      clientMessageId: name(),
      target: { by: 'ann', id },
      act: 'edit',
      replaces,
      content,
    },
  })
  const react = (id: string, content?: string, replaces: string | null = null): OutgoingAct => ({
    ...{ conversationId: 'c', clientMessageId: name(), target: { by: 'bob', id }, act: 'reaction', replaces },
    ...(content !== undefined && { content }),
  })
  const refusals: string[] = []
  outbox.onRefused(({ act }, { code }) => refusals.push(`${act}: ${code}`))
  const contents = () => server.stored.map(({ content, isUnsent }) => (isUnsent ? 'unsent' : content))
  const reactions = () => server.stored.map((one) => one.reactions?.map(({ content }) => content) ?? [])
  return { clock, server, outbox, unsend, edit, react, refusals, contents, reactions }
}

const down = () => Promise.reject(new CallError())
const up = () => Promise.resolve()

describe('acts in the outbox', () => {
  it('are sent behind their message and in order, each applied once although answers are lost', async () => {
    const { clock, server, outbox, edit, unsend, contents } = setUp()
    let losses = 4
    server.after = () => (losses-- > 0 ? down() : up())
    const id = outbox.add('c', text('one'))
    const first = edit(id, 'two')
    outbox.act(first)
    outbox.act(edit(id, 'three', first.clientMessageId))
    outbox.add('c', text('other'))
    expect(outbox.items).toHaveLength(2)
    await clock.advance(60_000)
    expect(contents()).toEqual(['three', 'other'])
    expect(server.version).toBe(2)
    outbox.act(unsend(id))
    await clock.advance(0)
    expect(contents()).toEqual(['unsent', 'other'])
    expect(outbox.acts).toEqual([])
  })

  it('are no unsent messages, and outlive a reload', async () => {
    const store = memoryStore()
    const first = setUp({ store })
    await first.clock.advance(0)
    first.server.store('ann', { clientMessageId: 'stored', content: 'one' })
    first.server.before = down
    first.outbox.act(first.unsend('stored'))
    await first.clock.advance(0)
    expect(first.outbox.items).toEqual([])
    expect(first.outbox.acts).toHaveLength(1)
    first.outbox.close()
    const next = setUp({ store, server: first.server })
    next.server.before = up
    await next.clock.advance(0)
    expect(next.contents()).toEqual(['unsent'])
    expect(store.kept).toEqual([])
  })

  it('are removed and reported when the server refuses them, and what is behind them is sent', async () => {
    const { clock, server, outbox, edit, refusals, contents } = setUp()
    const { clientMessageId } = server.store('ann', { content: 'one' })
    outbox.act(edit(clientMessageId, 'two', 'another act'))
    outbox.add('c', text('next'))
    await clock.advance(0)
    expect(refusals).toEqual(['edit: act_replaced'])
    expect(contents()).toEqual(['one', 'next'])
    expect([...outbox.acts, ...outbox.items]).toEqual([])
  })

  it('do not wait for a day for the next allowed one', async () => {
    const { clock, server, outbox, edit, refusals } = setUp()
    const { clientMessageId } = server.store('ann', { content: 'one' })
    server.before = () =>
      Promise.reject(Object.assign(new CallError(429, 'too_many_requests'), { retryAfterMs: 3_600_000 }))
    outbox.act(edit(clientMessageId, 'two'))
    await clock.advance(0)
    expect(refusals).toEqual(['edit: too_many_requests'])
  })

  it('bring back the message whose place they took when they are refused, and do not send it', async () => {
    const { clock, server, outbox, edit, unsend, refusals, contents } = setUp()
    // The first send is under way for as long as it may be.
    server.before = (call) =>
      call === 'send'
        ? clock.wait(60_000)
        : Promise.reject(Object.assign(new CallError(429, 'too_many_requests'), { retryAfterMs: 3_600_000 }))
    const id = outbox.add('c', text('one'))
    await clock.advance(0)
    outbox.act(edit(id, 'two'))
    outbox.act(unsend(id))
    await clock.advance(30_000)
    expect(refusals).toEqual(['unsend: too_many_requests'])
    expect(outbox.items).toMatchObject([{ status: 'failed', message: { content: 'one' } }])
    expect(outbox.acts).toHaveLength(1)
    server.before = up
    await clock.advance(20_000)
    expect(contents()).toEqual([])
    outbox.retry(id)
    await clock.advance(0)
    expect(contents()).toEqual(['two'])
  })

  it('that are refused without a listener are reported to the next one, also on the next page', async () => {
    const store = memoryStore()
    const server = new FakeServer()
    const { clientMessageId: id } = server.store('ann', { content: 'one' })
    const clock = new FakeClock()
    const first = createOutbox({ api: server.apiOf('ann'), clock, store })
    await clock.advance(0)
    const target = { by: 'ann', id }
    const act = { conversationId: 'c', clientMessageId: 'a', target, act: 'edit' as const }
    first.act({ ...act, replaces: 'another', content: 'two' })
    first.add('c', text('next'))
    await clock.advance(0)
    expect(await first.flush(1000)).toBe(true)
    first.close()
    const { refusals, outbox, contents } = setUp({ store, server })
    await clock.advance(0)
    expect(contents()).toEqual(['one', 'next'])
    expect(refusals).toEqual(['edit: act_replaced'])
    expect(outbox.acts).toEqual([])
    await clock.advance(0)
    expect(store.kept).toEqual([])
  })

  it('take the place of a message whose send got no answer, so that it never appears with its content', async () => {
    const { clock, server, outbox, unsend, contents } = setUp()
    // The request of the first attempt arrives after its time limit.
    let attempts = 0
    server.before = () => (attempts++ === 0 ? clock.wait(20_000) : up())
    const id = outbox.add('c', text('one'))
    outbox.add('c', text('two'))
    await clock.advance(1000)
    outbox.act(unsend(id))
    expect(outbox.items.map(({ message }) => message.content)).toEqual(['two'])
    await clock.advance(60_000)
    expect(contents()).toEqual(['unsent', 'two'])
  })

  it('do not send a message that is taken back while it is prepared', async () => {
    const clock = new FakeClock()
    const server = new FakeServer()
    const prepare = async <T>(message: T) => {
      await clock.wait(100)
      return message
    }
    const outbox = createOutbox({ api: server.apiOf('ann'), clock, prepare })
    const id = outbox.add('c', text('one'))
    const target = { by: 'ann', id }
    outbox.act({ conversationId: 'c', clientMessageId: 'a', target, act: 'unsend' })
    const sent: string[] = []
    server.before = (call) => Promise.resolve(void sent.push(call))
    await clock.advance(60_000)
    expect(sent).toEqual(['act'])
  })

  it('take back a message that this page has not tried to send, but another tab has loaded', async () => {
    const store = memoryStore()
    const { clock, server, outbox, unsend, edit, contents } = setUp({ store })
    await clock.advance(0)
    server.before = down
    outbox.add('c', text('one'))
    const id = outbox.add('c', text('two'))
    await clock.advance(0)
    const otherTab = setUp({ store: { load: store.load, save: () => Promise.resolve() }, server })
    await otherTab.clock.advance(0)
    outbox.act(edit(id, 'three'))
    outbox.act(unsend(id))
    expect([outbox.items.length, outbox.acts.length]).toEqual([1, 1])
    server.before = up
    await clock.advance(60_000)
    await otherTab.clock.advance(60_000)
    expect(contents()).toEqual(['one', 'unsent'])
  })

  it('are needed for a message that an earlier page has left', async () => {
    const store = memoryStore()
    const first = setUp({ store })
    await first.clock.advance(0)
    first.server.before = down
    const id = first.outbox.add('c', text('one'))
    await first.clock.advance(0)
    first.outbox.close()
    const next = setUp({ store, server: first.server })
    await next.clock.advance(0)
    next.outbox.act(next.unsend(id))
    expect([next.outbox.items.length, next.outbox.acts.length]).toEqual([0, 1])
  })

  it('on a message that has failed wait for its retry, do not hold up a flush, and go with it', async () => {
    const { clock, server, outbox, edit, contents } = setUp()
    server.before = (call) => (call === 'send' ? Promise.reject(new CallError(402, 'why')) : up())
    const id = outbox.add('c', text('one'))
    await clock.advance(0)
    outbox.act(edit(id, 'two'))
    await clock.advance(0)
    expect(outbox.acts.map(({ status }) => status)).toEqual(['waiting'])
    const flushed = outbox.flush(2000)
    await clock.advance(0)
    expect(await Promise.race([flushed, clock.wait(1)])).toBe(true)
    server.before = up
    outbox.retry(id)
    await clock.advance(0)
    expect(contents()).toEqual(['two'])
    server.before = (call) => (call === 'send' ? Promise.reject(new CallError(402, 'why')) : up())
    const other = outbox.add('c', text('three'))
    await clock.advance(0)
    outbox.act(edit(other, 'four'))
    outbox.discard(other)
    expect([...outbox.items, ...outbox.acts]).toEqual([])
  })

  it('are sealed once, however many attempts send them', async () => {
    const clock = new FakeClock()
    const server = new FakeServer()
    const { clientMessageId } = server.store('ann', { content: 'one' })
    let prepared = 0
    const prepareAct = (act: OutgoingAct) => {
      prepared += 1
      return Promise.resolve({
        ...act,
        content: `sealed ${prepared}`,
        sealed: { v: 1, from: 1, to: 1 },
      } as OutgoingAct)
    }
    server.before = down
    const outbox = createOutbox({ api: server.apiOf('ann'), clock, prepareAct })
    const target = { by: 'ann', id: clientMessageId }
    outbox.act({
      conversationId: 'c',
      clientMessageId: 'a',
      target,
      act: 'edit',
      replaces: null,
      content: 'two',
    })
    await clock.advance(3000)
    server.before = up
    await clock.advance(15_000)
    expect(server.stored.map(({ content }) => content)).toEqual(['sealed 1'])
    expect(prepared).toBe(1)
  })
})

describe('reactions in the outbox', () => {
  const setUpMessage = () => {
    const all = setUp()
    const { clientMessageId: id } = all.server.store('bob', { content: 'one' })
    const sent: (string | undefined)[] = []
    const { react, outbox } = all
    /** Reacts in place of the given act. Returns the new one. */
    const next = (content?: string, former?: OutgoingAct): OutgoingAct => {
      const act = react(id, content, former?.clientMessageId ?? null)
      outbox.act(act)
      return act
    }
    return { ...all, id, next, sent }
  }

  it('that were not tried yet give their place to the next one, which replaces what they would have', async () => {
    const { clock, outbox, next, server, reactions } = setUpMessage()
    const first = next('👍')
    await clock.advance(0)
    server.before = () => clock.wait(3000)
    // This one is on its way, and the others wait behind it.
    const second = next('😂', first)
    await clock.advance(0)
    const third = next('😮', second)
    const fourth = next('😢', third)
    next('🙏', fourth)
    expect(outbox.acts.map(({ message }) => message)).toMatchObject([
      { content: '😂', replaces: first.clientMessageId },
      { content: '🙏', replaces: second.clientMessageId },
    ])
    await clock.advance(10_000)
    expect(reactions()).toEqual([['🙏']])
    expect(server.version).toBe(3)
  })

  it('that were not tried yet vanish when they are taken back', async () => {
    const { clock, outbox, id, next, server, reactions } = setUpMessage()
    server.before = () => clock.wait(3000)
    const other = outbox.add('c', text('on its way'))
    await clock.advance(0)
    next(undefined, next('👍'))
    expect(outbox.acts).toEqual([])
    await clock.advance(10_000)
    expect(reactions()).toEqual([[], []])
    expect([other, id]).toHaveLength(2)
  })

  it('that may have been applied without an answer are sent again before the one that replaces them', async () => {
    const { clock, outbox, next, server, refusals, reactions } = setUpMessage()
    server.after = down
    const first = next('👍')
    await clock.advance(0)
    expect(outbox.acts).toMatchObject([{ status: 'waiting' }])
    next(undefined, first)
    server.after = up
    await clock.advance(60_000)
    expect(refusals).toEqual([])
    expect(reactions()).toEqual([['']])
  })

  it('replace the last one to their message, although the person was shown an earlier state', async () => {
    const { clock, outbox, id, next, react, server, refusals, reactions } = setUpMessage()
    server.before = () => clock.wait(3000)
    next('👍')
    await clock.advance(0)
    next('😂')
    next('😮')
    outbox.act({ ...react(id, '🙏'), target: { by: 'ann', id } })
    expect(outbox.acts.map(({ message }) => 'content' in message && message.content)).toEqual([
      ...['👍', '😮', '🙏'],
    ])
    await clock.advance(20_000)
    expect(refusals).toEqual(['reaction: message_not_found'])
    expect(reactions()).toEqual([['😮']])
  })

  it('go with a refused one that they would have replaced, and one sentence says so', async () => {
    const { clock, outbox, id, next, server, refusals, reactions } = setUpMessage()
    server.act('ann', { ...next('😮'), clientMessageId: 'on another device' })
    server.before = () => clock.wait(1000)
    await clock.advance(0)
    const [first] = outbox.acts
    next('👍', first?.message)
    expect(outbox.acts).toHaveLength(2)
    outbox.add('c', text('next'))
    await clock.advance(10_000)
    expect(refusals).toEqual(['reaction: act_replaced'])
    expect(reactions()).toEqual([['😮'], []])
    expect([...outbox.acts, id]).toEqual([id])
  })

  it('to a message that waits are sent behind it, and go with it', async () => {
    const { clock, outbox, server, reactions } = setUp()
    server.before = (call) => (call === 'send' ? Promise.reject(new CallError(402, 'why')) : up())
    const id = outbox.add('c', text('one'))
    const target = { by: 'ann', id }
    const act = {
      conversationId: 'c',
      clientMessageId: 'a',
      target,
      act: 'reaction',
      replaces: null,
    } as const
    outbox.act({ ...act, content: '👍' })
    await clock.advance(0)
    server.before = up
    outbox.retry(id)
    await clock.advance(0)
    expect(reactions()).toEqual([['👍']])
    server.before = (call) => (call === 'send' ? Promise.reject(new CallError(402, 'why')) : up())
    const other = outbox.add('c', text('two'))
    outbox.act({ ...act, clientMessageId: 'b', target: { by: 'ann', id: other }, content: '👍' })
    await clock.advance(0)
    outbox.discard(other)
    expect(outbox.acts).toEqual([])
  })
})
