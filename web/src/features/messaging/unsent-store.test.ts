import type { OutboxItem } from '@sumlock/sync/ports'
import { offerCrypto } from '../../../test/offer-crypto.ts'
import { createOutboxStore } from './outbox-store.ts'
import { openDrafts } from './drafts.ts'
import { createSealing } from './sealing.ts'
import { openUnsentStore, secondStorageKey, storageKey } from './unsent-store.ts'
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
const entry = () => localStorage.getItem(storageKey) ?? ''

/** Resolves when the entry is read, which begins a write. */
function nextRead(): Promise<void> {
  const { getItem } = Storage.prototype
  return new Promise((resolve) => {
    Storage.prototype.getItem = function (name) {
      Storage.prototype.getItem = getItem
      resolve()
      return this.getItem(name)
    }
  })
}

function onEntryWritten(listener: (entry: string) => void): () => void {
  const { setItem } = Storage.prototype
  Storage.prototype.setItem = function (name, value) {
    listener(value)
    setItem.call(this, name, value)
  }
  return () => {
    Storage.prototype.setItem = setItem
  }
}

beforeEach(() => {
  offerCrypto()
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
    expect(Object.keys(localStorage).sort()).toEqual([storageKey, secondStorageKey])
  })

  it('of two accounts is not overwritten by a third, whose text stays in memory', async () => {
    await openUnsentStore(key)
    await openUnsentStore(otherKey)
    const before = { ...localStorage }
    const third = await openUnsentStore(btoa('t'.repeat(32)))
    await createOutboxStore(third).save([item('three')])
    expect(await ids(third)).toEqual(['three'])
    expect({ ...localStorage }).toEqual(before)
  })

  it('is not overwritten by a page of another account that was opened before', async () => {
    const earlier = await openUnsentStore(otherKey)
    localStorage.clear()
    await createOutboxStore(await openUnsentStore(key)).save([item('one')])
    await expect(earlier.update((text) => text)).rejects.toThrow('another account')
    expect(await ids(await openUnsentStore(key))).toEqual(['one'])
  })

  it('is not written by a change that was running when the store was closed', async () => {
    const store = await openUnsentStore(key)
    const saved = createOutboxStore(store).save([item('one')])
    store.close()
    localStorage.clear()
    await saved
    expect(localStorage).toHaveLength(0)
  })

  it('is one entry of constant size that reveals neither content nor length nor recipient', async () => {
    const store = await openUnsentStore(key)
    const { length } = entry()
    expect(length).toBeGreaterThan(64 * 1024)
    const drafts = await openDrafts(store)
    for (let conversation = 0; conversation < 20; conversation += 1) drafts.set(`c${conversation}`, 'secret')
    await drafts.settled()
    await createOutboxStore(store).save([item('one', 'x'.repeat(4000))])
    expect(entry()).toHaveLength(length)
    expect(atob(entry())).not.toContain('secret')
    expect(Object.keys(localStorage)).toEqual([storageKey])
  })

  it('has a sent text as a draft or as a message at any time: both changes are one write', async () => {
    const store = await openUnsentStore(key)
    const [outbox, drafts] = [createOutboxStore(store), await openDrafts(store)]
    const written: string[] = []
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
    const own = entry()
    localStorage.setItem(storageKey, 'another’s')
    await expect(outbox.save([item('one')])).rejects.toThrow('another account')
    localStorage.setItem(storageKey, own)
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

  it('is taken over from the tab storage of earlier releases', async () => {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const raw = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
    const secret = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt'])
    const plain = new TextEncoder().encode(JSON.stringify([item('old')]))
    const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, secret, plain))
    sessionStorage.setItem(storageKey, btoa(String.fromCharCode(...iv, ...sealed)))

    expect(await ids(await openUnsentStore(key))).toEqual(['old'])
    expect(sessionStorage).toHaveLength(0)
    expect(await ids(await openUnsentStore(key))).toEqual(['old'])
  })

  it('stays in memory when the browser has no encryption', async () => {
    localStorage.setItem(storageKey, 'written over https')
    offerCrypto(null)
    const store = await openUnsentStore(key)
    await createOutboxStore(store).save([item('one')])
    expect(await ids(store)).toEqual(['one'])
    expect({ ...localStorage }).toEqual({ [storageKey]: 'written over https' })
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
