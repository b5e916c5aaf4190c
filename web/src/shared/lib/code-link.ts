// This file is separate from `user-code.ts`, because the first page needs only these functions.
export const fragmentOf = (link: string): string | null => /#(.*)$/.exec(link)?.[1] ?? null

/** Returns a link to the calculator with the code as its fragment, which browsers send to no server. */
export const linkWithCode = (code: string, origin: string): string => `${origin}/#${code}`

/** Returns the code in the fragment of a link, and null for any other link. */
export function codeInLink(link: string): string | null {
  const fragment = fragmentOf(link)
  return fragment !== null && /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]$/.test(fragment) ? fragment : null
}
