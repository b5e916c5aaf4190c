import { mayReload } from './reload-pause.ts'

const checkEveryMs = 500
/** Leaving a screen replaces the page itself and takes less than this time. */
const quietMs = 3000
const signs = ['pointerdown', 'pointerup', 'keydown'] as const

/** Whether the calculator is shown, nothing was typed, and nothing is open over it. */
const isUnused = () =>
  document.querySelector('#root [data-unused]') !== null && document.querySelector('dialog[open]') === null

/**
 * Replaces a page of an old release once nobody has touched the calculator for a while. It waits until any entry,
 * dialog or other screen is closed and the person is back at an empty calculator. Returns a function that stops it.
 */
export function replaceWhenUnused(replace: () => void): () => void {
  let quietSince = Date.now()
  let isDown = false
  const onSign = ({ type }: Event) => {
    quietSince = Date.now()
    isDown = type === 'pointerdown'
  }
  for (const sign of signs) window.addEventListener(sign, onSign, { capture: true, passive: true })
  const timer = window.setInterval(() => {
    if (!isUnused() || isDown) quietSince = Date.now()
    if (Date.now() - quietSince < quietMs || !mayReload()) return
    stop()
    replace()
  }, checkEveryMs)
  const stop = () => {
    window.clearInterval(timer)
    for (const sign of signs) window.removeEventListener(sign, onSign, { capture: true })
  }
  return stop
}
