import type { Hands } from '../device/hands.ts'
import type { PageLocation } from '../device/page-location.ts'
import { coveredClass, isCovered } from '../device/is-covered.ts'
import { isDiscreetDevice } from '../device/known-device.ts'
import { createCoverFace } from './cover-face.ts'
import type { MountCalculator } from './cover-face.ts'

/** A person who is typing presses the next key within this time. */
const typingMs = 500

/**
 * Touch devices cover the page when it loses the focus, because an app switcher may follow; discreet mode does so
 * everywhere.
 */
const coversOnBlur = () =>
  (window.matchMedia('(pointer: coarse)').matches || isDiscreetDevice()) && !showsPlainCalculator()

const showsPlainCalculator = () =>
  document.querySelector('#root [data-calculator]') !== null &&
  document.querySelector('#root [data-private]') === null

/** Hides and shows the page. It stays hidden while it is in the background or anybody holds it. */
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
    /** The page beneath is another one, which has no focus to restore. */
    forgetFocus: () => void (focusedBefore = null),
    /** Hides the page whenever it is left or printed. */
    watch(): void {
      // Captures the event, so that no other listener acts on an uncovered page.
      document.addEventListener('visibilitychange', () => (document.hidden ? cover() : uncover()), true)
      window.addEventListener('pagehide', cover, true)
      window.addEventListener('blur', () => coversOnBlur() && cover())
      window.addEventListener('focus', uncover)
      // Some browsers emit no focus event on return, so a tap uncovers the page, too; it presses nothing beneath.
      document.addEventListener('click', uncoverByTap, true)
    },
  }
}

/** Lays a calculator's face over the whole page, outside of React, so that neither a render nor an error delays it. */
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
     * Adds the cover to the page and shows it whenever the page is left or printed. `markup` is an untouched
     * calculator.
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
