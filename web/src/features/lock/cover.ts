import type { Hands } from '../device/hands.ts'
import type { PageLocation } from '../device/page-location.ts'
import { coveredClass, isCovered } from '../device/is-covered.ts'
import { isDiscreetDevice } from '../device/known-device.ts'
import { createCoverFace } from './cover-face.ts'
import type { MountCalculator } from './cover-face.ts'

/** A person who is typing presses the next key within this time. */
const typingMs = 500

/**
 * Touch devices cover the page when it loses the focus, because an app switcher may follow; discreet mode does so on
 * every device. A plain calculator needs no cover then.
 */
const coversOnBlur = () =>
  (window.matchMedia('(pointer: coarse)').matches || isDiscreetDevice()) && !showsPlainCalculator()

const showsPlainCalculator = () =>
  document.querySelector('#root [data-calculator]') !== null &&
  document.querySelector('#root [data-private]') === null

/**
 * Hides and shows the page. The page stays hidden while it is in the background, or while more calls of `hold` than of
 * `release` were made.
 */
function createCurtain() {
  let holds = 0
  let focusedBefore: HTMLElement | null = null

  /** Hides the page before the browser paints again. */
  const cover = () => {
    if (isCovered()) return
    focusedBefore = document.activeElement instanceof HTMLElement ? document.activeElement : null
    document.documentElement.classList.add(coveredClass)
  }
  const uncover = () => {
    if (holds > 0 || document.hidden || !isCovered()) return
    document.documentElement.classList.remove(coveredClass)
    focusedBefore?.focus({ preventScroll: true })
    focusedBefore = null
  }
  const uncoverByTap = (event: Event) => {
    if (holds > 0 || !isCovered()) return
    event.preventDefault()
    event.stopPropagation()
    uncover()
  }

  return {
    hold(): void {
      holds += 1
      cover()
    },
    release(): void {
      holds -= 1
      uncover()
    },
    /** Forgets which element had the focus, because the page beneath has changed. */
    forgetFocus: () => void (focusedBefore = null),
    /** Hides the page whenever it is left, and shows it on return. */
    watch(): void {
      // The listener captures the event, so that no other listener acts on an uncovered page first.
      document.addEventListener('visibilitychange', () => (document.hidden ? cover() : uncover()), true)
      window.addEventListener('pagehide', cover, true)
      window.addEventListener('blur', () => coversOnBlur() && cover())
      window.addEventListener('focus', uncover)
      // Some browsers emit no focus event on return, so a tap also uncovers the page. Such a tap presses nothing
      // beneath.
      document.addEventListener('click', uncoverByTap, true)
    },
  }
}

/**
 * Lays a picture of a calculator over the whole page. It is outside of React, so that neither a render nor an error
 * delays it.
 */
export function createCover({ location, hands }: { location: PageLocation; hands: Hands }) {
  const { hold, release, forgetFocus, watch } = createCurtain()
  let face: ReturnType<typeof createCoverFace> | undefined
  let endLive: (() => void) | undefined
  let typedAt = -Infinity
  let isStaying = false

  const takeKeys = (stays = !location.canReplace()) => {
    if (endLive) return
    isStaying = stays
    hold()
    const putBack = removePage(stays)
    const showPicture = face?.goLive()
    const stopWatching = hands.watch()
    endLive = () => {
      endLive = undefined
      stopWatching()
      showPicture?.()
      putBack()
      forgetFocus()
      release()
    }
  }

  return {
    /** Covers the page until a lock has replaced it. */
    hold,
    /** Covers the page until `decision` has settled. */
    until: (decision: Promise<unknown>): void => {
      hold()
      decision.then(release, release)
    },
    /**
     * Covers the page with a calculator that takes keys until the page is replaced. A page that `stays` is not
     * replaced; `arrive` or `release` uncovers it.
     */
    takeKeys,
    isLive: (): boolean => endLive !== undefined,
    /** Uncovers a page that stays, once the calculator has been rendered beneath the cover. */
    arrive: (): void => {
      if (isStaying) endLive?.()
    },
    /** Uncovers a page that could not be replaced. */
    release: (): void => endLive?.(),
    /**
     * Resolves when nobody presses a key of the cover or types on it, or after five seconds, so that no key is lost
     * between two pages.
     */
    atRest: (): Promise<void> => hands.atRest(() => performance.now() - typedAt < typingMs),
    /**
     * Adds the cover to the page and shows it whenever the page is left. In print the style sheet shows it. `markup` is
     * an untouched calculator.
     */
    install: (markup: string, mountCalculator?: MountCalculator): void => {
      face = createCoverFace(markup, mountCalculator)
      document.body.append(face.cover)
      const onKey = () => {
        if (endLive) typedAt = performance.now()
      }
      face.cover.addEventListener('click', onKey, true)
      window.addEventListener('keydown', onKey, true)
      watch()
    },
  }
}

/**
 * Removes the app from the document, so that no open dialog lies above the cover. In a page that stays, only the
 * dialogs are closed, because its next screen needs the document. Returns a function that restores the app.
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
