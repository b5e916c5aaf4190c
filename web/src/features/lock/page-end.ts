import type { PageLocation } from '../device/page-location.ts'
import type { Cover } from './cover.ts'

/** Lets a lock end the session of the page. */
export interface Secrets {
  /** Returns whether this page holds data that must leave the memory before the calculator is shown. */
  holds: () => boolean
  /** Sends and stores unsent text. */
  flush: (timeoutMs: number) => Promise<void>
  end: () => void
}

export interface PageEndOptions {
  location: PageLocation
  cover: Cover
  secrets: Secrets
  post: () => Promise<boolean>
  tellOtherTabs: () => void
  /** Is called when the page has been closed. */
  onEnd: () => void
}

const flushMs = 2000
const settleMs = 500
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Ends a page: closes its session and replaces the page. */
export function createPageEnd({ location, cover, secrets, post, tellOtherTabs, onEnd }: PageEndOptions) {
  let closing: Promise<void> | undefined
  let isReplacing = false

  const replaceBy = (address: string): void => {
    isReplacing = true
    location.replace(address)
  }
  const replace = async (): Promise<void> => {
    if (location.canReplace()) {
      cover.takeKeys()
      // A key press on the cover finishes first, so that the next page receives it.
      await cover.atRest()
    }
    secrets.end()
    if (location.canReplace()) replaceBy('/')
    else cover.release()
  }
  const close = async (mustReplace: () => boolean): Promise<void> => {
    if (navigator.onLine) await secrets.flush(flushMs).catch(() => undefined)
    tellOtherTabs()
    const confirmed = post()
    // A slow answer does not delay the replacement: the lock is recorded, and the next page sends it before its other
    // calls.
    if (mustReplace() && location.canReplace()) await Promise.race([confirmed, pause(settleMs)])
    else await confirmed
    if (mustReplace()) await replace()
  }
  return {
    closing: (): Promise<void> | undefined => closing,
    isReplacing: (): boolean => isReplacing,
    replaceBy,
    replace,
    close: (mustReplace: () => boolean): void => {
      if (mustReplace()) cover.takeKeys()
      closing ??= close(mustReplace).finally(() => {
        closing = undefined
        onEnd()
      })
    },
  }
}
