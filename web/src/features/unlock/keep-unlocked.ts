import type { Page, Unlocked } from '../../page.ts'

/** Stores what an unlock has opened. A lock has to replace a page that holds it. */
export function keepUnlocked(page: Page, unlocked: Unlocked): void {
  page.unlocked = unlocked
  page.holdsSecrets = true
}

export function putOffSetUp(page: Page): void {
  page.isSetUpPutOff = true
}
