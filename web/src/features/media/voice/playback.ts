import { createListeners } from '@sumlock/sync/listeners'

/** In the order in which the button cycles. */
const speeds = [1, 1.5, 2] as const
type Speed = (typeof speeds)[number]

let speed: Speed = 1
let playing: HTMLAudioElement | null = null
const changed = createListeners<[]>()

/** The speed of all voice messages of this page; it is forgotten with the page. */
export const playbackSpeed = {
  get: (): Speed => speed,
  subscribe: changed.add,
  next: (): void => {
    speed = speeds[(speeds.indexOf(speed) + 1) % speeds.length] as Speed
    if (playing) playing.playbackRate = speed
    changed.emit()
  },
}

/** Plays a voice message, after pausing the one that plays. */
export async function playAlone(sound: HTMLAudioElement): Promise<void> {
  if (playing !== sound) playing?.pause()
  playing = sound
  sound.playbackRate = speed
  await sound.play()
}

export const pausePlaying = (): void => playing?.pause()

export function forgetSound(sound: HTMLAudioElement): void {
  if (playing === sound) playing = null
}
