let aheadMs = 0

/** Measures how far the server's clock is ahead by the `Date` header of an answer, which has whole seconds. */
export function noteServerDate(header: string | null): void {
  const atMs = Date.parse(header ?? '')
  if (!Number.isNaN(atMs)) aheadMs = atMs + 500 - Date.now()
}

/** Now by the server's clock, within a second. */
export const serverNowMs = (): number => Date.now() + aheadMs
