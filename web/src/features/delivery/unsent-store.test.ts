import type { OutboxItem } from '@sumlock/sync/ports'
import { offerDatabase } from '../../../test/fake-database.ts'
import { pathsTo } from '../../../test/held-values.ts'
import { offerCrypto } from '../../../test/offer-crypto.ts'
import { createOutboxStore } from './outbox-store.ts'
import { openDrafts } from './drafts.ts'
import { createSealing, entryBytes } from './sealing.ts'
import { openUnsentStore } from './unsent-store.ts'
import type { UnsentStore } from './unsent-store.ts'

const key = btoa('k'.repeat(32))
const otherKey = btoa('o'.repeat(32))

const item = (clientMessageId: string, content = 'hello'): OutboxItem => ({
  message: { messageType: 'text', content, conversationId: 'c', clientMessageId },
  createdAtMs: 0,
  status: 'waiting',
  failure: null,
})
const ids = async (store: UnsentStore) =>
  (await store.read()).items.map(({ message }) => message.clientMessageId)
let records: Map<string, ArrayBuffer>
/** The only entry. */
const entry = () => {
  expect(records.size).toBe(1)
  return new Uint8Array([...records.values()][0] as ArrayBuffer)
}
const opened = async (bytes: Uint8Array<ArrayBuffer>, secret = key) => createSealing(secret)?.open(bytes)

/** Resolves when the entry is read, which starts a write. */
function nextRead(): Promise<void> {
  const { get } = records
  return new Promise((resolve) => {
    records.get = (name) => {
      records.get = get
      resolve()
      return records.get(name)
    }
  })
}

function onEntryWritten(listener: (entry: Uint8Array<ArrayBuffer>) => void): () => void {
  const { set } = records
  records.set = function (name, value) {
    listener(new Uint8Array(value))
    return set.call(this, name, value)
  }
  return () => {
    records.set = set
  }
}

beforeEach(() => {
  offerCrypto()
  records = offerDatabase()
  localStorage.clear()
  sessionStorage.clear()
})

describe('the unsent text', () => {
  it('is available to the next page with the same key, both messages and drafts', async () => {
    const store = await openUnsentStore(key)
    await createOutboxStore(store).save([item('one')])
    const drafts = await openDrafts(store)
    drafts.set('c', 'half a sent')
    drafts.set('c', 'half a sentence')
    await drafts.settled()

    const next = await openUnsentStore(key)
    expect(await createOutboxStore(next).load()).toEqual([item('one')])
    expect((await openDrafts(next)).get('c')).toBe('half a sentence')
    expect((await openDrafts(next)).get('d')).toBe('')
  })

  it('keeps which message a draft answers until it is sent', async () => {
    const re = { by: 'ben', id: 'm1', seq: 3 }
    const drafts = await openDrafts(await openUnsentStore(key))
    drafts.setReply('c', re)
    await drafts.settled()
    const next = await openDrafts(await openUnsentStore(key))
    expect(next.replyTo('c')).toEqual(re)
    expect(next.replyTo('d')).toBeUndefined()
    expect(next.takeReply('c')).toEqual(re)
    expect(next.takeReply('c')).toBeUndefined()
    await next.settled()
    expect((await openDrafts(await openUnsentStore(key))).replyTo('c')).toBeUndefined()
  })

  it('is ignored when another key wrote it', async () => {
    await createOutboxStore(await openUnsentStore(key)).save([item('one')])
    expect(await ids(await openUnsentStore(otherKey))).toEqual([])
  })

  it('is not overwritten by another account, which has an entry of its own', async () => {
    await createOutboxStore(await openUnsentStore(key)).save([item('one')])
    const other = await openUnsentStore(otherKey)
    await createOutboxStore(other).save([item('two')])
    expect(await ids(await openUnsentStore(key))).toEqual(['one'])
    expect(await ids(await openUnsentStore(otherKey))).toEqual(['two'])
    expect(records.size).toBe(2)
  })

  it('of two accounts is not overwritten by a third, whose text stays in memory', async () => {
    await openUnsentStore(key)
    await openUnsentStore(otherKey)
    const before = new Map(records)
    const third = await openUnsentStore(btoa('t'.repeat(32)))
    await createOutboxStore(third).save([item('three')])
    expect(await ids(third)).toEqual(['three'])
    expect(new Map(records)).toEqual(before)
  })

  it('is not written by a change that was running when the store was closed', async () => {
    const store = await openUnsentStore(key)
    const saved = createOutboxStore(store).save([item('one')])
    store.close()
    records.clear()
    await saved
    expect(records.size).toBe(0)
  })

  it('does not stay in the memory of a session that was closed while it was written', async () => {
    const written = Promise.withResolvers<boolean>()
    const store = { ...(await openUnsentStore(undefined)), update: () => written.promise }
    const outboxStore = createOutboxStore(store)
    const saved = outboxStore.save([item('one', 'a secret')])
    outboxStore.forget()
    written.resolve(true)
    await saved
    const isSecret = (value: unknown) => value === 'a secret'
    expect(pathsTo(isSecret, { outboxStore }, (value) => value === globalThis).found).toEqual([])
  })

  it('is one entry of 64 kB that reveals neither content nor length nor recipient, and nothing in other storage', async () => {
    const store = await openUnsentStore(key)
    expect(entry()).toHaveLength(entryBytes)
    const drafts = await openDrafts(store)
    for (let conversation = 0; conversation < 20; conversation += 1) drafts.set(`c${conversation}`, 'secret')
    await drafts.settled()
    await createOutboxStore(store).save([item('one', 'x'.repeat(4000))])
    expect(entry()).toHaveLength(entryBytes)
    expect(Buffer.from(entry()).toString('latin1')).not.toContain('secret')
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
  })

  it('is random bytes while there is none, which no key opens', async () => {
    const store = await openUnsentStore(key)
    const first = entry()
    expect(await opened(first)).toBeUndefined()
    const drafts = await openDrafts(store)
    drafts.set('c', 'text')
    await drafts.settled()
    expect(await opened(entry())).toBeDefined()
    drafts.set('c', '')
    await drafts.settled()
    expect(await opened(entry())).toBeUndefined()
    expect(entry()).toHaveLength(entryBytes)
    expect(entry()).not.toEqual(first)
  })

  it('that does not fit is kept in memory, is reported, and is stored once there is room', async () => {
    const store = await openUnsentStore(key)
    const [outbox, drafts] = [createOutboxStore(store), await openDrafts(store)]
    const changes: boolean[] = []
    store.subscribe(() => changes.push(store.isFull))
    const long = (name: string) => item(name, name.repeat(20_000))
    await outbox.save([long('a'), long('b'), long('c')])
    drafts.set('d', 'x'.repeat(10_000))
    await drafts.settled()
    drafts.set('e', 'short')
    await drafts.settled()
    expect([store.isFull, changes]).toEqual([true, [true]])
    const next = await openUnsentStore(key)
    expect(await ids(next)).toEqual(['a', 'b', 'c'])
    expect((await next.read()).drafts).toEqual({ e: 'short' })
    expect((await store.read()).drafts).toEqual({ d: 'x'.repeat(10_000), e: 'short' })

    await outbox.save([long('b'), long('c')])
    expect([store.isFull, changes]).toEqual([false, [true, false]])
    const last = await (await openUnsentStore(key)).read()
    expect(last.items).toHaveLength(2)
    expect(Object.keys(last.drafts).sort()).toEqual(['d', 'e'])
  })

  it('keeps a message that did not fit until others are sent', async () => {
    const store = await openUnsentStore(key)
    const outbox = createOutboxStore(store)
    const long = (name: string) => item(name, name.repeat(30_000))
    await outbox.save([long('a'), long('b')])
    await outbox.save([long('a'), long('b'), long('c')])
    expect(store.isFull).toBe(true)
    expect(await ids(await openUnsentStore(key))).toEqual(['a', 'b'])
    await outbox.save([long('b'), long('c')])
    expect(await ids(await openUnsentStore(key))).toEqual(['b', 'c'])
  })

  it('has a sent text as a draft or as a message at any time: both changes are one write', async () => {
    const store = await openUnsentStore(key)
    const [outbox, drafts] = [createOutboxStore(store), await openDrafts(store)]
    const written: Uint8Array<ArrayBuffer>[] = []
    const stopListening = onEntryWritten((entry) => written.push(entry))
    const read = nextRead()
    drafts.set('c', 'hello')
    await read
    const saved = outbox.save([item('one')])
    drafts.set('c', '')
    await saved
    stopListening()
    const sealing = createSealing(key)
    const texts = await Promise.all(written.map(async (entry) => sealing?.open(entry)))
    expect(texts).toEqual([
      { items: [], drafts: { c: 'hello' } },
      { items: [item('one')], drafts: {} },
    ])
  })

  it('loses a message that is sent while it is written', async () => {
    const store = await openUnsentStore(key)
    const outbox = createOutboxStore(store)
    await Promise.all([outbox.save([item('one'), item('two')]), outbox.save([item('two')])])
    expect(await ids(store)).toEqual(['two'])
    const read = nextRead()
    const saved = outbox.save([item('two'), item('three')])
    await read
    await Promise.all([saved, outbox.save([item('two')])])
    expect(await ids(store)).toEqual(['two'])
  })

  it('is written with the next change when a write has failed', async () => {
    const store = await openUnsentStore(key)
    const outbox = createOutboxStore(store)
    records.get = () => {
      throw new Error('The storage failed')
    }
    await expect(outbox.save([item('one')])).rejects.toThrow('failed')
    Reflect.deleteProperty(records, 'get')
    await outbox.save([item('one'), item('two')])
    expect(await ids(store)).toEqual(['one', 'two'])
  })

  it('loses a draft that was emptied', async () => {
    const store = await openUnsentStore(key)
    const drafts = await openDrafts(store)
    drafts.set('c', 'text')
    drafts.set('c', '')
    await drafts.settled()
    expect((await store.read()).drafts).toEqual({})
  })

  it('of one tab is not overwritten by another that writes at the same time', async () => {
    const [left, right] = [await openUnsentStore(key), await openUnsentStore(key)]
    const [leftOutbox, rightOutbox] = [createOutboxStore(left), createOutboxStore(right)]
    await Promise.all([leftOutbox.load(), rightOutbox.load()])
    const rightDrafts = await openDrafts(right)
    await leftOutbox.save([item('one')])
    await rightOutbox.save([item('two')])
    rightDrafts.set('c', 'draft')
    await rightDrafts.settled()
    expect(await ids(left)).toEqual(['one', 'two'])
    await leftOutbox.save([])
    expect(await ids(left)).toEqual(['two'])
    await rightOutbox.save([{ ...item('two'), status: 'failed' }])
    expect((await left.read()).items).toMatchObject([{ status: 'failed' }])
    expect((await left.read()).drafts).toEqual({ c: 'draft' })
  })

  it('stays in memory when the browser has no encryption or blocks its database', async () => {
    offerCrypto(null)
    const plain = await openUnsentStore(key)
    await createOutboxStore(plain).save([item('one')])
    expect(await ids(plain)).toEqual(['one'])
    expect(records.size).toBe(0)
    offerCrypto()
    offerDatabase({ refuse: true })
    const blocked = await openUnsentStore(key)
    await createOutboxStore(blocked).save([item('one')])
    expect(await ids(blocked)).toEqual(['one'])
  })

  it('stays in memory when the browser refuses locks, as it does with blocked storage', async () => {
    const refuse = () => Promise.reject(new DOMException('No access to locks.', 'SecurityError'))
    Object.defineProperty(navigator, 'locks', { configurable: true, value: { request: refuse } })
    const store = await openUnsentStore(key)
    Reflect.deleteProperty(navigator, 'locks')
    await createOutboxStore(store).save([item('one')])
    expect(await ids(store)).toEqual(['one'])
  })
})
