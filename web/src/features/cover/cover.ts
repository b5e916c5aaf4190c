import { isDiscreetDevice } from '../session/known-device.ts'

const coveredClass = 'is-covered'
let holds = 0
let focusedBefore: HTMLElement | null = null

/** Hides the page behind the calculator's face, before the browser paints again. */
export function coverPage(): void {
  if (isCovered()) return
  focusedBefore = document.activeElement instanceof HTMLElement ? document.activeElement : null
  document.documentElement.classList.add(coveredClass)
}

/** Covers the page until a lock has replaced it. */
export function holdCover(): void {
  holds += 1
  coverPage()
}

/** Covers the page until `decision` has settled. */
export function coverUntil(decision: Promise<unknown>): void {
  holdCover()
  const release = () => {
    holds -= 1
    uncoverPage()
  }
  decision.then(release, release)
}

function uncoverPage(): void {
  if (holds > 0 || document.hidden || !isCovered()) return
  document.documentElement.classList.remove(coveredClass)
  focusedBefore?.focus({ preventScroll: true })
  focusedBefore = null
}

const isCovered = () => document.documentElement.classList.contains(coveredClass)

/** Covers at the loss of focus on touch devices, where an app switcher may follow, and in discreet mode. */
const coversOnBlur = () =>
  (window.matchMedia('(pointer: coarse)').matches || isDiscreetDevice()) && !showsPlainCalculator()

const showsPlainCalculator = () =>
  document.querySelector('#root [data-calculator]') !== null &&
  document.querySelector('#root [data-private]') === null

/**
 * Adds the cover to the page and listens for the page going out of sight. It is outside of React, so that neither a
 * render nor an error delays it; print styles show it instead of the page. `face` is its markup.
 */
export function installCover(face: string): void {
  const cover = document.createElement('div')
  cover.className = 'cover'
  cover.setAttribute('role', 'img')
  cover.setAttribute('aria-label', 'Calculator')
  const content = document.createElement('div')
  content.inert = true
  content.setAttribute('aria-hidden', 'true')
  content.innerHTML = face
  cover.append(content)
  document.body.append(cover)

  const onVisibility = () => (document.hidden ? coverPage() : uncoverPage())
  // Captured, so that no other listener of the event acts on an uncovered page.
  document.addEventListener('visibilitychange', onVisibility, true)
  window.addEventListener('pagehide', coverPage, true)
  window.addEventListener('blur', () => coversOnBlur() && coverPage())
  window.addEventListener('focus', uncoverPage)
  // Some browsers emit no focus event on return: a touch uncovers, too.
  document.addEventListener('pointerdown', uncoverPage, true)
}
