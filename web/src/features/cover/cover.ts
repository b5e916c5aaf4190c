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

/** Covers the page until it is replaced: for a lock, whose page must not be seen again. */
export function holdCover(): void {
  holds += 1
  coverPage()
}

/** Covers the page while something decides whether it may still be seen. */
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

/** Losing the focus already counts where it begins the way to an app switcher, and in discreet mode. */
const coversOnBlur = () =>
  (window.matchMedia('(pointer: coarse)').matches || isDiscreetDevice()) && !showsPlainCalculator()

const showsPlainCalculator = () =>
  document.querySelector('#root [data-calculator]') !== null &&
  document.querySelector('#root [data-private]') === null

/**
 * Adds the cover to the page and listens for the page going out of sight. It stands outside React, so that neither a
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
  // Captured, so that nothing that hears the same event can act on an uncovered page.
  document.addEventListener('visibilitychange', onVisibility, true)
  window.addEventListener('pagehide', coverPage, true)
  window.addEventListener('blur', () => coversOnBlur() && coverPage())
  window.addEventListener('focus', uncoverPage)
  // Where a browser gives no focus event on the way back, a touch is enough.
  document.addEventListener('pointerdown', uncoverPage, true)
}
