import type { Hands } from '../device/hands.ts'
import type { PageLocation } from '../device/page-location.ts'
import { coveredClass, isCovered } from '../device/is-covered.ts'
import { isDiscreetDevice } from '../device/known-device.ts'

/** A person who is typing presses the next key within this time. */
const typingMs = 500

/** Renders a calculator that takes keys into this element; returns a function that removes it. */
export type MountCalculator = (box: HTMLElement) => () => void

/**
 * Touch devices cover the page when it loses the focus, because an app switcher may follow; discreet mode does so
 * everywhere.
 */
const coversOnBlur = () =>
  (window.matchMedia('(pointer: coarse)').matches || isDiscreetDevice()) && !showsPlainCalculator()

const showsPlainCalculator = () =>
  document.querySelector('#root [data-calculator]') !== null &&
  document.querySelector('#root [data-private]') === null

/** Lays a calculator's face over the whole page, outside of React, so that neither a render nor an error delays it. */
export function createCover({ location, hands }: { location: PageLocation; hands: Hands }) {
  let holds = 0
  let focusedBefore: HTMLElement | null = null
  let box: HTMLElement | undefined
  let face = ''
  let mount: MountCalculator | undefined
  let endLive: (() => void) | undefined
  let typedAt = -Infinity
  let isStaying = false

  /** Hides the page before the browser paints again. */
  const show = () => {
    if (isCovered()) return
    focusedBefore = document.activeElement instanceof HTMLElement ? document.activeElement : null
    document.documentElement.classList.add(coveredClass)
  }
  const hide = () => {
    if (holds > 0 || document.hidden || !isCovered()) return
    document.documentElement.classList.remove(coveredClass)
    focusedBefore?.focus({ preventScroll: true })
    focusedBefore = null
  }
  const uncoverByTap = (event: Event) => {
    if (holds > 0 || !isCovered()) return
    event.preventDefault()
    event.stopPropagation()
    hide()
  }
  /** Covers the page until a lock has replaced it. */
  const hold = () => {
    holds += 1
    show()
  }

  /** Shows the face as a picture, or as a calculator that takes keys. */
  const setFace = (isLive: boolean) => {
    if (!box) return
    box.inert = !isLive
    if (isLive) {
      box.removeAttribute('aria-hidden')
      box.parentElement?.removeAttribute('role')
      box.parentElement?.removeAttribute('aria-label')
      return
    }
    box.setAttribute('aria-hidden', 'true')
    box.parentElement?.setAttribute('role', 'img')
    box.parentElement?.setAttribute('aria-label', 'Calculator')
    box.innerHTML = face
  }

  const takeKeys = (stays = !location.canReplace()) => {
    if (endLive) return
    isStaying = stays
    hold()
    const putBack = removePage(stays)
    setFace(true)
    const unmount = box && mount?.(box)
    const stopWatching = hands.watch()
    endLive = () => {
      endLive = undefined
      stopWatching()
      holds -= 1
      focusedBefore = null
      unmount?.()
      setFace(false)
      putBack()
      hide()
    }
  }

  return {
    hold,
    /** Covers the page until `decision` has settled. */
    until: (decision: Promise<unknown>): void => {
      hold()
      const release = () => {
        holds -= 1
        hide()
      }
      decision.then(release, release)
    },
    /**
     * Covers the page with a calculator that takes keys, until the page is replaced. If `stays` is true, `release`
     * uncovers the page.
     */
    takeKeys,
    isLive: (): boolean => endLive !== undefined,
    /** The calculator has been rendered beneath. A page that stays uncovers it. */
    arrive: (): void => {
      if (isStaying) endLive?.()
    },
    /** Uncovers the page that replaces the covered one. */
    release: (): void => endLive?.(),
    /** Resolves when nobody presses a key of the cover or types on it, so that no key falls between two pages. */
    atRest: (): Promise<void> => hands.atRest(() => performance.now() - typedAt < typingMs),
    /**
     * Adds the cover to the page and shows it whenever the page is hidden or printed. `markup` is an untouched
     * calculator.
     */
    install: (markup: string, mountCalculator?: MountCalculator): void => {
      face = markup
      mount = mountCalculator
      const cover = document.createElement('div')
      cover.className = 'cover'
      box = document.createElement('div')
      cover.append(box)
      setFace(false)
      document.body.append(cover)
      const onKey = () => {
        if (endLive) typedAt = performance.now()
      }
      cover.addEventListener('click', onKey, true)
      window.addEventListener('keydown', onKey, true)

      // Captures the event, so that no other listener acts on an uncovered page.
      document.addEventListener('visibilitychange', () => (document.hidden ? show() : hide()), true)
      window.addEventListener('pagehide', show, true)
      window.addEventListener('blur', () => coversOnBlur() && show())
      window.addEventListener('focus', hide)
      // Some browsers emit no focus event on return, so a tap uncovers the page, too; it presses nothing beneath.
      document.addEventListener('click', uncoverByTap, true)
    },
  }
}

/**
 * Takes the app out of the document, so that no open dialog blocks the cover. A page that stays only closes its
 * dialogs, because its next screen needs the document. Returns a function that restores the app.
 */
function removePage(stays: boolean): () => void {
  const root = document.getElementById('root')
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  if (!root) return () => undefined
  if (stays) {
    for (const dialog of root.querySelectorAll('dialog')) dialog.close()
    return () => undefined
  }
  root.remove()
  return () => document.body.prepend(root)
}

export type Cover = ReturnType<typeof createCover>
