// Apart from `user-code.ts`, because the first page needs no more than this.
export const fragmentOf = (link: string): string | null => /#(.*)$/.exec(link)?.[1] ?? null

/** A link to the calculator of this product. Its fragment is sent to no server. */
export const linkWithCode = (code: string, origin: string): string => `${origin}/#${code}`

/** The code in the fragment of a link; null in any other link. */
export function codeInLink(link: string): string | null {
  const fragment = fragmentOf(link)
  return fragment !== null && /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]$/.test(fragment) ? fragment : null
}
