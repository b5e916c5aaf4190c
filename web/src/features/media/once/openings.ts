import { limits } from '@sumlock/contracts/limits'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { createListeners } from '@sumlock/sync/listeners'
import type { ApiAnswer, ApiError, Client } from '../../../api/client.ts'
import type { Look } from '../../sealed/look.ts'
import { isCovered } from '../../device/is-covered.ts'
import type { createViewedMessage } from '../viewed-message.ts'
import { holdLock } from './hold-lock.ts'

/** A message with what this page adds to it. */
export type OnceMessage = Message & { readonly look?: Look }

/** Says how far this page is with a message that opens once. */
export type Opening =
  | { phase: 'opening' }
  /** Another try may help. `message` is kept, because the server may have opened it although its answer was lost. */
  | { phase: 'failed'; sentence: string; message: OnceMessage }
  /** It does not open on this page. */
  | { phase: 'gone'; sentence: string }
  | { phase: 'open'; message: OnceMessage; isViewed: boolean }

interface Held {
  isShown: boolean
  timer: ReturnType<typeof setTimeout>
  release: () => void
}

interface OpeningsOptions {
  client: Pick<Client, 'request' | 'prepareChange' | 'nowMs'>
  viewed: ReturnType<typeof createViewedMessage>
  /** Puts the message without its content in the place of the opened one. */
  replace: (message: Message) => void
}

export type Openings = ReturnType<typeof createOpenings>

const readMs = limits.openOnceMinutes * 60_000

const callOf = ({ request }: Pick<Client, 'request'>, id: string, method: 'POST' | 'DELETE') =>
  request({ url: `/api/messages/${id}/open`, method, ...(method === 'DELETE' && quietly) })

/** Counts the time of the messages that the server has opened for this page. `onEnd` is called for each that ends. */
function createReadings(client: OpeningsOptions['client'], onEnd: (id: string) => void) {
  const held = new Map<string, Held>()
  const ending = new Set<Promise<unknown>>()
  const end = (id: string) => {
    const one = held.get(id)
    if (!one) return
    held.delete(id)
    clearTimeout(one.timer)
    const ended = callOf(client, id, 'DELETE').finally(() => {
      ending.delete(ended)
      one.release()
    })
    ending.add(ended)
    onEnd(id)
  }
  return {
    begin(id: string, vanishAt: string | undefined, release: () => void): void {
      const endsInMs = Date.parse(vanishAt ?? '') - client.nowMs()
      const timer = setTimeout(() => end(id), Math.min(readMs, Math.max(0, endsInMs || readMs)))
      held.set(id, { isShown: false, timer, release })
    },
    get: (id: string) => held.get(id),
    end,
    endAll: () => [...held.keys()].forEach(end),
    settled: async (withinMs: number): Promise<void> => {
      const tooLong = new Promise((resolve) => setTimeout(resolve, withinMs))
      await Promise.race([Promise.all(ending), tooLong])
    },
  }
}

/** Calls back when the page is covered, because it is left, fled from or locked. */
function watchLeaving(onLeave: () => void): () => void {
  const cover = new MutationObserver(() => isCovered() && onLeave())
  cover.observe(document.documentElement, { attributeFilter: ['class'] })
  window.addEventListener('pagehide', onLeave)
  return () => {
    cover.disconnect()
    window.removeEventListener('pagehide', onLeave)
  }
}

/**
 * Opens messages that open once, and holds their keys while they are shown. A message ends when its viewer closes, the
 * page is covered or left, or its time is over. One that could not be loaded stays until then.
 */
export function createOpenings({ client, viewed, replace }: OpeningsOptions) {
  const openings = new Map<string, Opening>()
  const changed = createListeners<[]>()
  let isEnded = false

  const set = (id: string, opening: Opening | undefined) => {
    if (opening) openings.set(id, opening)
    else openings.delete(id)
    changed.emit()
  }
  const readings = createReadings(client, (id) => {
    set(id, undefined)
    if (viewed.get() === id) viewed.set(null)
  })
  const onViewed = () => {
    for (const [id, opening] of openings) {
      if (opening.phase !== 'open' || !opening.isViewed || viewed.get() === id) continue
      if (readings.get(id)?.isShown) readings.end(id)
      else set(id, { ...opening, isViewed: false })
    }
  }
  const view = (id: string, message: OnceMessage) => {
    set(id, { phase: 'open', message, isViewed: true })
    viewed.set(id)
  }
  const begin = (message: OnceMessage, answer: Partial<Message>, release: () => void) => {
    const { id } = message
    readings.begin(id, answer.vanishAt, release)
    if (isEnded) return readings.end(id)
    // A person who has left the page meanwhile finds it on the return.
    if (isCovered()) set(id, { phase: 'open', message, isViewed: false })
    else view(id, message)
    replace(withoutContent(message, answer))
  }
  const stops = [watchLeaving(readings.endAll), viewed.subscribe(onViewed)]

  return {
    subscribe: changed.add,
    get: (id: string): Opening | undefined => openings.get(id),
    /** Opens a message and its viewer. */
    async open(message: OnceMessage): Promise<void> {
      const { id } = message
      const known = openings.get(id)
      if (known?.phase === 'opening' || isEnded) return
      if (known?.phase === 'open') return view(id, known.message)
      set(id, { phase: 'opening' })
      const release = await holdLock(`calc.o ${id}`)
      if (!release) return set(id, { phase: 'failed', sentence: 'Open in another tab.', message })
      const answer = await callOf(client, id, 'POST')
      if (!('error' in answer)) return begin(message, messageIn(answer), release)
      release()
      set(id, isEnded ? undefined : refused(answer.error, message))
      if (answer.error.status === 409) replace(withoutContent(message))
    },
    /** Is called when something of the message was shown, so that it ends with its viewer. */
    shown(id: string): void {
      const one = readings.get(id)
      if (one) one.isShown = true
      // The last call of a page that is left has no time to fetch its token.
      client.prepareChange()
    },
    /** Resolves when the server knows of all messages that have ended, or after this time. */
    settled: readings.settled,
    /** Ends all messages, and keeps nothing. */
    end(): void {
      isEnded = true
      readings.endAll()
      for (const stop of stops) stop()
      openings.clear()
    },
  }
}

/** The page may end before the answer, and a lock may be faster. */
const quietly = { keepalive: true, isQuiet: true }

const messageIn = (answer: ApiAnswer) => ('data' in answer ? ((answer.data ?? {}) as Partial<Message>) : {})

function refused(
  { status, sentence = 'Please try again.' }: ApiError,
  message: OnceMessage,
): Opening | undefined {
  // The page is about to be replaced.
  if (status === 401 || status === 423) return undefined
  if (status === 409) return { phase: 'gone', sentence: 'Opened on another device' }
  if (status === 404) return { phase: 'gone', sentence: 'No longer available' }
  const isOffline = status === 0
  return {
    phase: 'failed',
    sentence: isOffline ? 'No connection. Nothing is lost: open it when you are back.' : sentence,
    message,
  }
}

/** Returns the message as the server shows it from now on. */
function withoutContent(message: OnceMessage, { version = message.version }: Partial<Message> = {}): Message {
  const { sealed: _sealed, look: _look, ...rest } = message
  const empty = { content: '', mediaUrl: null, isOpened: true as const }
  return { ...rest, ...empty, ...(version !== undefined && { version }) }
}
