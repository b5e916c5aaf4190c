import type { Page, Unlocked } from '../../page.ts'

/** A page that keeps this has to be replaced by a lock. */
export function keepUnlocked(page: Page, unlocked: Unlocked): void {
  page.unlocked = unlocked
  page.holdsSecrets = true
}

export function putOffSetUp(page: Page): void {
  page.isSetUpPutOff = true
}
