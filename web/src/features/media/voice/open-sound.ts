import type { Media } from '../media.ts'

export interface SoundEvents {
  onChange: () => void
  onError: () => void
}

export interface OpenSound {
  element: HTMLAudioElement
  /** Stops the sound and frees its data. */
  close: () => void
}

/** Opens a sound that can be played. While it plays, the person counts as active. */
export function openSound(
  blob: Blob,
  { onChange, onError }: SoundEvents,
  { busy, playback }: Pick<Media, 'busy' | 'playback'>,
): OpenSound {
  const element = new Audio()
  const url = URL.createObjectURL(blob)
  let endBusy: (() => void) | undefined
  element.disableRemotePlayback = true
  element.onplay = () => {
    endBusy ??= busy.begin()
    onChange()
  }
  element.onpause = () => {
    endBusy?.()
    endBusy = undefined
    onChange()
  }
  element.ontimeupdate = element.onseeked = element.ondurationchange = onChange
  element.onended = () => {
    element.currentTime = 0
    onChange()
  }
  element.onerror = onError
  element.src = url
  const close = () => {
    element.onplay = element.onpause = element.onended = element.onerror = null
    element.ontimeupdate = element.onseeked = element.ondurationchange = null
    element.pause()
    element.removeAttribute('src')
    element.load()
    URL.revokeObjectURL(url)
    endBusy?.()
    endBusy = undefined
    playback.forget(element)
  }
  return { element, close }
}
