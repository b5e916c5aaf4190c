import fc from 'fast-check'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { openConversation } from './conversation-view.ts'
import { emptyConversation } from './known-messages.ts'
import { createOutbox } from './outbox.ts'
import type { ActItem, OutboxEntry, OutboxStore, OutgoingAct } from './ports.ts'
import { randomId } from './random-id.ts'
import { shownConversation, withActs } from './shown-conversation.ts'
import { CallError, FakeServer } from './test-support/fake-server.ts'
import { FakeClock } from './test-support/fake-clock.ts'
import { fakeLive } from './test-support/fake-live.ts'
import { variable } from './test-support/variable.ts'
import { createVanishWatch } from './vanishing.ts'

type Calls = 'work' | 'fail' | 'slow' | 'lost' | 'late'
type Fate = 'told' | 'lost' | 'doubled' | 'late'

/** A page of a person that shows the conversation. */
function openPage(server: FakeServer, clock: FakeClock, userId: string, store?: OutboxStore) {
  const api = server.apiOf(userId)
  const { live, emit, set } = fakeLive()
  const cell = variable(emptyConversation)
  const outbox = createOutbox({ api, clock, ...(store ? { store } : {}) })
  outbox.onRefused(() => undefined)
  const person = { conversationId: 'c', userId }
  const { version } = server
  const vanishing = createVanishWatch(clock, outbox)
  const options = { ...person, cell, api, live, outbox, clock, version, vanishing }
  const view = openConversation({ ...options, visible: true })
  const shown = () => shownConversation({ ...cell.get(), items: outbox.items, acts: outbox.acts }, person)
  const close = () => {
    view.close()
    outbox.close()
    vanishing.close()
  }
  return { userId, outbox, view, shown, emit, set, close }
}
type Page = ReturnType<typeof openPage>

/** Two devices of Ann, of which the first is reloaded, and one of Bob; every stored change is announced to all. */
function setUp() {
  const clock = new FakeClock()
  const server = new FakeServer()
  server.nowMs = clock.nowMs
  const store = {
    kept: [] as readonly OutboxEntry[],
    load: () => Promise.resolve(store.kept),
    save: (items: readonly OutboxEntry[]) => Promise.resolve(void (store.kept = items)),
  }
  const world = { calls: 'work' as Calls, fate: 'told' as Fate }
  const wait = { work: 5, fail: 5, slow: 700, lost: 5, late: 12_000 }
  server.before = async () => {
    const { calls } = world
    await clock.wait(wait[calls])
    if (calls === 'fail') throw new CallError()
  }
  const pages = [
    openPage(server, clock, 'ann', store),
    openPage(server, clock, 'ann'),
    openPage(server, clock, 'bob'),
  ]
  const announce = (before: readonly Message[], version: number) => {
    const added = server.stored.slice(before.length)
    const marks = [...server.marks]
    const tell = () => {
      for (const { emit, userId } of pages) {
        for (const one of added) emit({ type: 'new_message', data: server.shownTo(userId, one) })
        for (const [readerId, seq] of marks)
          emit({ type: 'message_read', data: { conversationId: 'c', readerId, seq } })
        if (version < server.version)
          emit({ type: 'message_changed', data: { conversationId: 'c', version: server.version } })
      }
    }
    if (world.fate !== 'lost') tell()
    if (world.fate === 'doubled' || world.fate === 'late') clock.setTimeout(tell, 1500)
  }
  let seen = { stored: server.stored, version: 0 }
  server.after = async (call) => {
    const { calls } = world
    if (call !== 'list') announce(seen.stored, seen.version)
    seen = { stored: server.stored, version: server.version }
    await clock.wait(wait[calls])
    if (calls === 'lost') throw new CallError()
  }
  const reload = () => {
    pages[0]?.close()
    pages[0] = openPage(server, clock, 'ann', store)
  }
  return { clock, server, world, pages, reload }
}

type Step =
  | { kind: 'send' | 'unsend' | 'edit' | 'react' | 'read'; page: number; at: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'calls'; calls: Calls }
  | { kind: 'fate'; fate: Fate }
  | { kind: 'line'; page: number; up: boolean }
  | { kind: 'reload' }

const page = fc.nat(2)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('send', 'unsend', 'edit', 'react', 'read'),
        page,
        at: fc.nat(5),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.nat(4000) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait'), ms: fc.constant(20_000) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('calls'),
        calls: fc.constantFrom('work', 'fail', 'slow', 'lost', 'late'),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('fate'),
        fate: fc.constantFrom('told', 'lost', 'doubled', 'late'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('line'), page, up: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload') }) },
  ),
  { maxLength: 40 },
)

/** Lets a person change one of the own messages that the page shows. Returns the act. */
function actOn({ shown, outbox, userId }: Page, act: 'unsend' | 'edit', at: number): OutgoingAct | undefined {
  const { messages, pending } = shown()
  const own = [
    ...messages.filter(({ senderId, content }) => senderId === userId && content !== ''),
    ...pending.map(({ message }) => message),
  ]
  const chosen = own.at(-1 - (at % Math.max(1, own.length)))
  if (!chosen) return undefined
  const target = { by: userId, id: chosen.clientMessageId }
  const common = { conversationId: 'c', clientMessageId: randomId(), target }
  const isEdit = ({ message }: ActItem) => message.act === 'edit' && message.target.id === target.id
  const waiting = outbox.acts.findLast(isEdit)?.message.clientMessageId
  const replaces = waiting ?? ('edit' in chosen ? chosen.edit?.id : undefined) ?? null
  const made: OutgoingAct =
    act === 'unsend' ? { ...common, act } : { ...common, act, replaces, content: `edit ${randomId()}` }
  outbox.act(made)
  return made
}

/** Lets a person react to one of the messages that the page shows, or take the reaction back. */
function reactOn({ shown, outbox, userId }: Page, at: number): void {
  const messages = shown().messages.filter(({ content }) => content !== '')
  const chosen = messages.at(-1 - (at % Math.max(1, messages.length)))
  if (!chosen) return
  const present = chosen.reactions?.find(({ by }) => by === userId)
  const target = { by: chosen.senderId, id: chosen.clientMessageId }
  const act = { conversationId: 'c', clientMessageId: randomId(), target, act: 'reaction' as const }
  const content = present?.content ? undefined : ['👍', '😂'][at % 2]
  outbox.act({ ...act, replaces: present?.id ?? null, ...(content && { content }) })
  const now = shown().messages.find(({ id }) => id === chosen.id)?.reactions ?? []
  expect(now.find(({ by }) => by === userId)?.content ?? '').toBe(content ?? '')
}

/** Returns whether a message is still shown five seconds after an end that the page can see. */
function lingers(
  { senderId, createdAt, content, vanishMs, vanishAt }: Message,
  userId: string,
  nowMs: number,
) {
  if (!vanishMs || content === '') return false
  const endMs = senderId === userId ? Date.parse(createdAt) + vanishMs : Date.parse(vanishAt ?? '')
  return endMs + 5000 < nowMs
}

describe('a shown conversation', () => {
  it('equals the stored rows on all devices once all is answered, and never shows again what has vanished or was taken back', async () => {
    const property = fc.asyncProperty(steps, async (history) => {
      const { clock, server, world, pages, reload } = setUp()
      await clock.advance(100)
      const takenBack: string[][] = [[], [], []]
      for (const step of history) {
        if (step.kind === 'wait') await clock.advance(step.ms)
        else if (step.kind === 'calls') world.calls = step.calls
        else if (step.kind === 'fate') world.fate = step.fate
        else if (step.kind === 'line') pages[step.page]?.set({ connected: step.up })
        else if (step.kind === 'reload') {
          reload()
          await clock.advance(0)
        } else {
          const used = pages[step.page] as Page
          if (step.kind === 'react') reactOn(used, step.at)
          else if (step.kind === 'read') used.view.show(used.shown().messages.at(-1)?.seq ?? 0)
          else if (step.kind === 'send') {
            const text = { messageType: 'text' as const, content: `text ${randomId()}` }
            used.outbox.add('c', step.at % 2 === 0 ? text : { ...text, vanishMs: 30_000 })
          } else {
            const act = actOn(used, step.kind, step.at)
            if (act?.act === 'unsend') takenBack[step.page]?.push(act.target.id)
          }
        }
        for (const [index, { userId, shown }] of pages.entries()) {
          const { messages, pending } = shown()
          expect(messages.filter((one) => lingers(one, userId, clock.nowMs()))).toEqual([])
          for (const { isVanished, clientMessageId } of messages)
            if (isVanished) takenBack[index]?.push(clientMessageId)
          const all = [...messages, ...pending.map(({ message }) => message)]
          for (const one of all)
            if (takenBack[index]?.includes(one.clientMessageId)) expect(one.content).toBe('')
        }
      }
      world.calls = 'work'
      world.fate = 'told'
      for (const { set, view, userId } of pages) {
        set({ connected: true })
        view.onFocus()
        view.readTo(server.marks.get(userId) ?? 0)
      }
      await clock.advance(120_000)
      const fresh = openPage(server, clock, 'bob')
      await clock.advance(100)
      for (const { userId, shown, outbox } of [...pages, fresh]) {
        expect(outbox.acts).toEqual([])
        const messages = server.stored.map((one) => unread(server.shownTo(userId, one)))
        const { pending, messages: seen } = shown()
        expect({ messages: seen.map(withoutTime), pending }).toEqual({ messages, pending: [] })
      }
    })
    await fc.assert(property, { numRuns: 150 })
  })

  it('shows the text of an act at once, and once more only until the message has come with it', () => {
    const server = new FakeServer()
    const stored = server.store('ann', { content: 'one' })
    const target = { by: 'ann', id: stored.clientMessageId }
    const act: OutgoingAct = {
      ...{ conversationId: 'c', clientMessageId: 'a', target, act: 'edit', replaces: null, content: 'two' },
    }
    const acts = [{ message: act, createdAtMs: 0, status: 'waiting' as const, failure: null }]
    expect(withActs([stored], acts)).toMatchObject([{ content: 'two', edit: { id: 'a' }, isChanging: true }])
    const changed = [server.act('ann', act)]
    expect(withActs(changed, acts)).toBe(changed)
    const others = [server.store('bob', { clientMessageId: 'other' })]
    expect(withActs(others, acts)).toBe(others)
  })

  it('shows a reaction at once in place of the own one, not in a preview, and none on an empty message', () => {
    const server = new FakeServer()
    const stored = server.store('bob', { content: 'one' })
    const target = { by: 'bob', id: stored.clientMessageId }
    const common = { conversationId: 'c', target, act: 'reaction' as const, replaces: null }
    server.act('bob', { ...common, clientMessageId: 'theirs', content: '😂' })
    const messages = [server.act('ann', { ...common, clientMessageId: 'former', content: '😮' })]
    const act: OutgoingAct = { ...common, clientMessageId: 'mine', replaces: 'former', content: '👍' }
    const waiting = { createdAtMs: 0, status: 'waiting' as const, failure: null }
    const acts = [{ ...waiting, message: act }]
    const [shown] = withActs(messages, acts, { userId: 'ann' })
    expect(shown?.reactions).toEqual([
      { by: 'bob', id: 'theirs', content: '😂' },
      { by: 'ann', id: 'mine', content: '👍', isPending: true },
    ])
    expect(shown).not.toHaveProperty('isChanging')
    expect(withActs(messages, acts)).toBe(messages)
    const applied = [server.act('ann', act)]
    expect(withActs(applied, acts, { userId: 'ann' })).toBe(applied)
    const unsend: OutgoingAct = { ...{ conversationId: 'c', target, clientMessageId: 'u' }, act: 'unsend' }
    const emptied = withActs(messages, [{ ...waiting, message: unsend }, ...acts], { userId: 'ann' })
    expect(emptied[0]).not.toHaveProperty('reactions')
    const opened = { ...stored, look: { state: 'open' } }
    expect(withActs([opened], [{ ...waiting, message: unsend }])[0]).not.toHaveProperty('look')
  })
})
/** What a page has emptied by itself keeps the time that the server's row has no more. */
const withoutTime = ({ vanishMs, vanishAt, ...message }: Message) =>
  message.isVanished ? message : { ...message, vanishMs, vanishAt }
const unread = (message: Message): unknown => ({ ...message, isRead: expect.any(Boolean) as unknown })
