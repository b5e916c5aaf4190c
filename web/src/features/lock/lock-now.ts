import { request } from '../../api/request.ts'
import { holdCover } from '../cover/cover.ts'
import { heap } from './heap.ts'

const flushMs = 2000
const channelName = 'calc'
const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName)
let underWay: Promise<void> | undefined

/** Replaces the page by a fresh calculator: nothing of before stays in memory. */
export const beginAnew = (): void => {
  holdCover()
  window.location.replace('/')
}

/** Sends what is unsent (2 s at most), locks on the server, tells the other tabs; then begins anew if need be. */
export function lockNow(): Promise<void> {
  underWay ??= (async () => {
    await heap.flush(flushMs).catch(() => undefined)
    await request({ url: '/api/lock', method: 'POST' })
    channel?.postMessage('lock')
    if (heap.holdsSecrets) beginAnew()
  })().finally(() => {
    underWay = undefined
  })
  return underWay
}

/** Runs when another tab locked. */
export function onLockElsewhere(listener: () => void): () => void {
  const heard = (event: MessageEvent) => {
    if (event.data === 'lock') listener()
  }
  channel?.addEventListener('message', heard)
  return () => channel?.removeEventListener('message', heard)
}
