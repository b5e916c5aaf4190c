import { createListeners } from '@sumlock/sync/listeners'

/** The button cycles through the speeds in this order. */
const speeds = [1, 1.5, 2] as const
type Speed = (typeof speeds)[number]

/** Plays the voice messages of a session, one at a time and all at the same speed. */
export function createPlayback() {
  let speed: Speed = 1
  let playing: HTMLAudioElement | null = null
  const changed = createListeners<[]>()
  return {
    speed: (): Speed => speed,
    subscribe: changed.add,
    nextSpeed: (): void => {
      speed = speeds[(speeds.indexOf(speed) + 1) % speeds.length] as Speed
      if (playing) playing.playbackRate = speed
      changed.emit()
    },
    /** Plays a voice message and pauses the one that was playing. */
    play: async (sound: HTMLAudioElement): Promise<void> => {
      if (playing !== sound) playing?.pause()
      playing = sound
      sound.playbackRate = speed
      await sound.play()
    },
    pause: (): void => playing?.pause(),
    end: (): void => {
      playing?.pause()
      playing = null
    },
    forget: (sound: HTMLAudioElement): void => {
      if (playing === sound) playing = null
    },
  }
}
