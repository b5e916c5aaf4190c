import type { Page } from '../../page.ts'

/** Closes the session of a page, or the texts of a session that has not opened yet. */
export function closeOpening(page: Page): void {
  page.session?.close()
  page.session = null
  page.opening?.texts.then(
    (texts) => texts.close(),
    () => undefined,
  )
  page.opening = null
}
