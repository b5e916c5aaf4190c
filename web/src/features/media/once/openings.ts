import type { Message } from '@sumlock/contracts/messaging-routes'
import { createListeners } from '@sumlock/sync/listeners'
import type { VanishWatch } from '@sumlock/sync/vanishing'
import type { ApiAnswer, ApiError, Client } from '../../../api/client.ts'
import type { Look } from '../../sealed/look.ts'
import { isCovered } from '../../device/is-covered.ts'
import type { createViewedMessage } from '../viewed-message.ts'
import { holdLock } from './hold-lock.ts'
import { callOf, createReadings, readMs } from './readings.ts'
import type { ReadingsOptions } from './readings.ts'

/** A message with what this page adds to it. */
export type OnceMessage = Message & { readonly look?: Look }

/** Says how far this page is with a message that opens once. */
export type Opening =
  | { phase: 'opening' }
  /**
   * Another try may help. `message` is kept for a while, because the server may have opened it although its answer was
   * lost.
   */
  | { phase: 'failed'; sentence: string; kept?: { message: OnceMessage; untilMs: number } }
  /** It does not open on this page. */
  | { phase: 'gone'; sentence: string }
  | { phase: 'open'; message: OnceMessage; isViewed: boolean }

interface OpeningsOptions extends ReadingsOptions {
  client: Pick<Client, 'request' | 'prepareChange' | 'nowMs'>
  viewed: ReturnType<typeof createViewedMessage>
  vanishing: VanishWatch
  /** Puts the message without its content in the place of the opened one. */
  replace: (message: Message) => void
}

export type Openings = ReturnType<typeof createOpenings>

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

/** Holds how far each message is. */
function createStates() {
  const states = new Map<string, Opening>()
  const changed = createListeners<[]>()
  const set = (id: string, opening: Opening | undefined) => {
    if (opening) states.set(id, opening)
    else states.delete(id)
    changed.emit()
  }
  return {
    get: (id: string | null): Opening | undefined => (id === null ? undefined : states.get(id)),
    set,
    subscribe: changed.add,
    all: () => [...states],
    /** Forgets the messages that were kept long enough, and returns when to do so next. */
    forgetDue(nowMs: number): number {
      let nextMs = Infinity
      for (const [id, state] of states) {
        const { untilMs = Infinity } = (state.phase === 'failed' && state.kept) || {}
        if (untilMs <= nowMs) set(id, undefined)
        else nextMs = Math.min(nextMs, untilMs)
      }
      return nextMs
    },
    clear: () => states.clear(),
  }
}

/**
 * Opens messages that open once, and holds their keys while they are shown. A message that was shown ends when its viewer
 * closes or the page is covered or left. One that could not be loaded stays until its time is over or the page is locked.
 */
export function createOpenings(options: OpeningsOptions) {
  const { client, viewed, vanishing, replace } = options
  const states = createStates()
  const { get, set } = states
  let isEnded = false

  const readings = createReadings(options, (id) => {
    set(id, undefined)
    if (viewed.get() === id) viewed.set(null)
  })
  const onViewed = () => {
    for (const [id, opening] of states.all()) {
      if (opening.phase !== 'open' || !opening.isViewed || viewed.get() === id) continue
      if (readings.get(id)?.isShown) readings.end(id)
      else set(id, { ...opening, isViewed: false })
    }
  }
  const view = (id: string, message: OnceMessage) => {
    set(id, { phase: 'open', message, isViewed: true })
    viewed.set(id)
  }
  const leave = () => get(viewed.get())?.phase === 'open' && viewed.set(null)
  const begin = (message: OnceMessage, answer: Partial<Message>, release: () => void) => {
    const { id } = message
    readings.begin(id, answer.vanishAt, release)
    // The last call of a page that is left has no time to fetch its token.
    client.prepareChange()
    if (isEnded) return readings.end(id)
    // A person who has left the page meanwhile finds it on the return.
    if (isCovered()) set(id, { phase: 'open', message, isViewed: false })
    else view(id, message)
    replace(withoutContent(message, answer))
    vanishing.look()
  }
  const refuse = (message: OnceMessage, error: ApiError) => {
    set(message.id, isEnded ? undefined : refused(error, { message, untilMs: client.nowMs() + readMs }))
    if (error.status === 409) replace(withoutContent(message))
    vanishing.look()
  }
  const stops = [
    ...[watchLeaving(leave), viewed.subscribe(onViewed)],
    vanishing.add((nowMs) => Math.min(readings.endDue(nowMs), states.forgetDue(nowMs))),
  ]

  return {
    ...{ get, subscribe: states.subscribe },
    /** Opens a message and its viewer. */
    async open(message: OnceMessage): Promise<void> {
      const { id } = message
      const known = get(id)
      if (known?.phase === 'opening' || isEnded) return
      if (known?.phase === 'open') return view(id, known.message)
      set(id, { phase: 'opening' })
      const release = await holdLock(`calc.o ${id}`)
      if (!release) return set(id, { phase: 'failed', sentence: 'Open in another tab.' })
      if (isEnded) return release()
      const answer = await callOf(client, id, 'POST')
      if (!('error' in answer)) return begin(message, messageIn(answer), release)
      release()
      refuse(message, answer.error)
    },
    /** Is called when something of the message was shown, so that it ends with its viewer. */
    shown(id: string): void {
      const one = readings.get(id)
      if (one) one.isShown = true
      // Another change may have taken the token.
      client.prepareChange()
    },
    finish: readings.finish,
    /** Ends all messages, and keeps nothing. */
    end(): void {
      isEnded = true
      readings.endAll()
      readings.close()
      for (const stop of stops) stop()
      states.clear()
    },
  }
}

const messageIn = (answer: ApiAnswer) => ('data' in answer ? ((answer.data ?? {}) as Partial<Message>) : {})

function refused(
  { status, sentence = 'Please try again.' }: ApiError,
  kept: { message: OnceMessage; untilMs: number },
): Opening | undefined {
  // The page is about to be replaced.
  if (status === 401 || status === 423) return undefined
  if (status === 409) return { phase: 'gone', sentence: 'Opened on another device or in another tab' }
  if (status === 404) return { phase: 'gone', sentence: 'No longer available' }
  const isOffline = status === 0
  return {
    phase: 'failed',
    sentence: isOffline ? 'No connection. Nothing is lost: open it when you are back.' : sentence,
    kept,
  }
}

/** Returns the message as the server shows it from now on. */
function withoutContent(message: OnceMessage, { version = message.version }: Partial<Message> = {}): Message {
  const { sealed: _sealed, look: _look, ...rest } = message
  const empty = { content: '', mediaUrl: null, isOpened: true as const }
  return { ...rest, ...empty, ...(version !== undefined && { version }) }
}
