import { waitFor } from '@testing-library/react'
import type { OutboxItem } from '@sumlock/sync/ports'
import { createOutboxStore } from '../delivery/outbox-store.ts'
import { createMemoryStore } from '../delivery/unsent-store.ts'
import { dropStub, keepStub, lostFiles } from './lost-files.ts'
import type { FileStub } from './lost-files.ts'

const stub: FileStub = { id: 'u', conversationId: 'c', kind: 'image', caption: 'At the sea' }
const real = Object.getOwnPropertyDescriptor(navigator, 'locks')

/** Locks of one browser, which its tabs share. */
function fakeLocks() {
  const held = new Set<string>()
  const request = async (name: string, ...rest: unknown[]) => {
    const work = rest.at(-1) as (lock: object | null) => unknown
    if (held.has(name)) return work(null)
    held.add(name)
    try {
      return await work({})
    } finally {
      held.delete(name)
    }
  }
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { request } })
  return held
}
afterEach(() => {
  if (real) Object.defineProperty(navigator, 'locks', real)
  else Reflect.deleteProperty(navigator, 'locks')
})

it('a file whose page was closed is lost; one that a page still has, or that another chat sends, is not', async () => {
  const held = fakeLocks()
  const store = createMemoryStore()
  keepStub(store, stub)
  await waitFor(async () => expect((await store.read()).files).toEqual([stub]))
  expect(await lostFiles(store, 'c')).toEqual([])
  held.clear()
  expect(await lostFiles(store, 'd')).toEqual([])
  expect(await lostFiles(store, 'c')).toEqual([stub])
})

it('a lock of the session keeps the stub, and what is sent or discarded leaves none', async () => {
  fakeLocks()
  const store = createMemoryStore()
  const end = keepStub(store, stub)
  end(false)
  await waitFor(async () => expect(await lostFiles(store, 'c')).toEqual([stub]))
  end(true)
  await waitFor(async () => expect((await store.read()).files).toEqual([]))
})

it('the outbox takes the message and its stub leaves in one write, so that a page that ends leaves no stub', async () => {
  fakeLocks()
  const store = createMemoryStore()
  keepStub(store, stub)(false)
  const item = { message: { clientMessageId: 'u', conversationId: 'c' } } as OutboxItem
  await createOutboxStore(store).save([item])
  expect(await store.read()).toMatchObject({ items: [item], files: [] })
})

it('a discarded file is forgotten', async () => {
  fakeLocks()
  const store = createMemoryStore()
  keepStub(store, stub)(false)
  dropStub(store, 'u')
  await waitFor(async () => expect((await store.read()).files).toEqual([]))
})
