import type { Page, Unlocked } from '../../page.ts'

/** From now on, a lock has to replace the page. */
export function keepUnlocked(page: Page, unlocked: Unlocked): void {
  page.unlocked = unlocked
  page.holdsSecrets = true
}

export function putOffSetUp(page: Page): void {
  page.isSetUpPutOff = true
}
