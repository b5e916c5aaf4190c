import { createListeners } from '@sumlock/sync/listeners'
import { failureOf } from '../media-failure.ts'
import type { MediaFailure } from '../media-failure.ts'
import type { MediaSourceOf } from '../open-picture.ts'
import { openSound } from './open-sound.ts'
import type { OpenSound } from './open-sound.ts'
import { openVoice } from './open-voice.ts'
import type { Media } from '../media.ts'

export interface PlayerState {
  phase: 'paused' | 'loading' | 'playing'
  positionMs: number
  /** The length is 0 while it is unknown. */
  totalMs: number
  failure: MediaFailure | null
}

/** Plays one voice message, which is fetched when it is first played. `close` stops it and frees its data. */
export function createVoicePlayer(
  source: MediaSourceOf,
  media: Pick<Media, 'busy' | 'playback'>,
  open = openVoice,
) {
  const changed = createListeners<[]>()
  const start: PlayerState = {
    ...{ phase: 'paused', positionMs: 0, totalMs: source.media?.ms ?? 0, failure: null },
  }
  let state = start
  let stop: AbortController | null = null
  let sound: OpenSound | null = null

  const set = (change: Partial<PlayerState>) => {
    state = { ...state, ...change }
    changed.emit()
  }
  const fail = (error: unknown) => {
    close()
    set({ failure: failureOf(error, 'voice message') })
  }
  const onChange = () => {
    if (!sound) return
    const { currentTime, duration, paused } = sound.element
    set({
      phase: paused ? 'paused' : 'playing',
      positionMs: currentTime * 1000,
      // A recording that was stored as the browser wrote it does not state its length.
      totalMs: Number.isFinite(duration) ? duration * 1000 : state.totalMs,
    })
  }

  async function load(): Promise<void> {
    const loading = new AbortController()
    stop = loading
    set({ phase: 'loading', failure: null })
    try {
      const blob = await open(source, loading.signal)
      if (loading.signal.aborted) return
      sound = openSound(blob, { onChange, onError: () => fail(sound?.element.error) }, media)
      if (state.positionMs > 0) sound.element.currentTime = state.positionMs / 1000
    } catch (error) {
      if (!loading.signal.aborted) fail(error)
    }
  }

  async function play(): Promise<void> {
    if (state.phase !== 'paused') return
    if (!sound) await load()
    if (!sound) return
    // Some browsers refuse to play if the tap was too long ago; the next tap then plays. The element reports other
    // failures by an event.
    await media.playback.play(sound.element).catch(onChange)
  }

  function close(): void {
    stop?.abort()
    sound?.close()
    stop = sound = null
    if (state !== start) set(start)
  }

  return {
    get: (): PlayerState => state,
    subscribe: changed.add,
    play,
    pause: (): void => {
      if (state.phase === 'loading') close()
      else sound?.element.pause()
    },
    seek(ms: number): void {
      const positionMs = Math.max(0, Math.min(ms, state.totalMs))
      if (sound) sound.element.currentTime = positionMs / 1000
      set({ positionMs })
    },
    close,
  }
}
