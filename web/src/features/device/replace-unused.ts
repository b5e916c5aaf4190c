import { mayReload } from './reload-pause.ts'

const checkEveryMs = 500
/** Leaving a screen already replaces the page within this time, and two replacements must not overlap. */
const quietMs = 3000
const signs = ['pointerdown', 'pointerup', 'keydown'] as const

/** Returns whether the calculator is shown, nothing was typed, and nothing is open over it. */
const isUnused = () =>
  document.querySelector('#root [data-unused]') !== null && document.querySelector('dialog[open]') === null

/**
 * Replaces a page of an old release once the person is back at an empty calculator and has not touched it for three
 * seconds. Returns a function that stops the wait.
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
    if (Math.abs(Date.now() - quietSince) < quietMs || !mayReload()) return
    stop()
    replace()
  }, checkEveryMs)
  const stop = () => {
    window.clearInterval(timer)
    for (const sign of signs) window.removeEventListener(sign, onSign, { capture: true })
  }
  return stop
}
