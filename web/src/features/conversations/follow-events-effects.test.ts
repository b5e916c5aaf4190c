import { waitFor } from '@testing-library/react'
import { createOutbox } from '@sumlock/sync/outbox'
import { FakeClock } from '@sumlock/sync/test-support/fake-clock'
import { fakeLive } from '@sumlock/sync/test-support/fake-live'
import { followEvents } from './follow-events.ts'
import { openDrafts } from '../delivery/drafts.ts'
import { openUnsentStore } from '../delivery/unsent-store.ts'
import { createListChanges } from './list-changes.ts'
import { store, page, toasts as toastStore, lock, testPage } from '../../../test/page.ts'

const realReplace = page.replace
afterEach(() => {
  page.replace = realReplace
})

/** Follows a connection and an outbox whose attempts fail with `refusal`. */
async function follow(refusal: { status: number; message?: string } = { status: 503 }) {
  const counts = { limits: 0, reconnects: 0 }
  const { live, emit } = fakeLive()
  live.reconnect = () => void (counts.reconnects += 1)
  const clock = new FakeClock()
  const sendMessage = () => Promise.reject(Object.assign(new Error(), refusal))
  const outbox = createOutbox({ api: { sendMessage }, clock })
  const drafts = await openDrafts(await openUnsentStore(undefined))
  const messaging = { live, outbox, list: createListChanges(), drafts, views: new Map() }
  const stop = followEvents(testPage, messaging, store.dispatch, {
    changes: () => undefined,
    list: () => undefined,
    limits: () => void (counts.limits += 1),
    close: () => undefined,
  })
  return { counts, emit, clock, outbox, stop }
}

it('the page is replaced by the calculator when the server reports that the session was locked', async () => {
  const replaced: string[] = []
  page.replace = (address) => void replaced.push(address)
  const { emit, stop } = await follow()
  lock.dispatch('said-open')
  emit({ type: 'locked', data: {} })
  await waitFor(() => expect(replaced).toEqual(['/']))
  stop()
})

it.each(['focus', 'online'])(
  '%s reconnects and fetches the limits, until the page stops following',
  async (type) => {
    const { counts, stop } = await follow()
    window.dispatchEvent(new Event(type))
    expect(counts).toEqual({ limits: 1, reconnects: 1 })
    stop()
    window.dispatchEvent(new Event(type))
    expect(counts).toEqual({ limits: 1, reconnects: 1 })
  },
)

describe('a message that the server refuses', () => {
  let lastId = 0
  /** Returns the toast on screen, unless an earlier call has returned it. */
  const newToast = () => {
    const shown = toastStore.get()
    if (!shown || shown.id === lastId) return null
    lastId = shown.id
    const { title, description, variant } = shown
    return { title, description, variant }
  }
  const refused = { status: 402, message: 'No free message left.' }

  it('D-13: is shown once as a toast with its reason, and the limits are fetched', async () => {
    const { counts, clock, outbox, stop } = await follow(refused)
    const first = outbox.add('c', { messageType: 'text', content: 'one' })
    await clock.advance(0)
    expect(newToast()).toEqual({
      title: 'Failed to send message',
      description: 'No free message left.',
      variant: 'destructive',
    })
    expect(counts.limits).toBe(1)

    outbox.add('d', { messageType: 'text', content: 'two' })
    await clock.advance(0)
    expect(newToast()).not.toBeNull()
    expect(counts.limits).toBe(2)

    outbox.discard(first)
    expect(newToast()).toBeNull()
    expect(counts.limits).toBe(2)
    stop()
  })

  it('is shown again when it fails again after a retry', async () => {
    const { counts, clock, outbox, stop } = await follow(refused)
    const id = outbox.add('c', { messageType: 'text', content: 'one' })
    await clock.advance(0)
    expect(newToast()).not.toBeNull()
    outbox.retry(id)
    await clock.advance(0)
    expect(newToast()).not.toBeNull()
    expect(counts.limits).toBe(2)
    stop()
  })
})

it('a message that is retried automatically is not reported', async () => {
  const before = toastStore.get()
  const { counts, clock, outbox, stop } = await follow({ status: 503 })
  outbox.add('c', { messageType: 'text', content: 'one' })
  await clock.advance(0)
  expect(outbox.items).toMatchObject([{ status: 'waiting', failure: { status: 503 } }])
  expect(toastStore.get()).toBe(before)
  expect(counts.limits).toBe(0)
  outbox.close()
  stop()
})
