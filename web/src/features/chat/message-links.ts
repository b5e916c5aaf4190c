/**
 * An address consists of the ASCII characters that the standard allows, and of letters, marks and digits of all
 * scripts. Any other sign ends it, except controls of direction and joiners, which browsers remove from a name.
 */
const address =
  /https?:\/\/(?:[\w\-.~:/?#[\]@!$&'()*+,;=%|{}]|(?![\0-\x7f])[\p{L}\p{M}\p{N}·・]|[\xad\u061c\u200c-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff])+/giu
const unseen = /[\xad\u061c\u200c-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const trailing = new RegExp(`(?:[.,:;!?'*|]|${unseen.source})+$`)
const closing: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

/** Describes a part of a message: plain text, or a link to `href`. */
export interface TextPart {
  text: string
  href?: string
}

/**
 * Finds http and https addresses. Punctuation after an address does not belong to it, and neither does a closing
 * bracket whose opening bracket stands before the address.
 */
export function splitLinks(content: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of content.matchAll(address)) {
    const written = withoutTail(found, content.charAt(index - 1))
    const link = toLink(written.replace(unseen, ''))
    if (!link) continue
    if (index > end) parts.push({ text: content.slice(end, index) })
    parts.push(link)
    end = index + written.length
  }
  if (end < content.length || parts.length === 0) parts.push({ text: content.slice(end) })
  return parts
}

function withoutTail(found: string, before: string): string {
  let text = found.slice(0, insideBrackets(found)).split('**', 1)[0] as string
  text = text.replace(trailing, '')
  // Emphasis such as _address_ or ~address~ does not belong to the address.
  while (/[_~]/.test(before) && text.endsWith(before)) text = text.slice(0, -1)
  return text.replace(trailing, '')
}

/** Returns the position of the first closing bracket that was not opened inside the text. */
function insideBrackets(text: string): number {
  const open: string[] = []
  for (const [index, character] of [...text.split('').entries()]) {
    if (Object.values(closing).includes(character)) open.push(character)
    const opener = closing[character]
    if (opener !== undefined && open.pop() !== opener) return index
  }
  return text.length
}

function toLink(text: string): TextPart | undefined {
  if (!URL.canParse(text)) return undefined
  const { href, hostname, username, password } = new URL(text)
  // Text before an @ can imitate the name of another site.
  if (hostname === '' || username !== '' || password !== '') return undefined
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)([^/?#:]*|\[[^\]]*\])([^]*)$/i.exec(text) ?? []
  return { text: isHonest(host) ? text : `${scheme}${hostname}${rest}`, href }
}

/** The letters of these scripts do not look like letters of another script. */
const unmistakable = [
  /^[a-z\d\xdf-\xf6\xf8-\xff-]+$/i,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\d-]+$/u,
  /^[\p{Script=Hangul}\d-]+$/u,
  /^[\p{Script=Arabic}\d-]+$/u,
  /^[\p{Script=Hebrew}\d-]+$/u,
  /^[\p{Script=Thai}\d-]+$/u,
  /^[\p{Script=Devanagari}\d-]+$/u,
]
/**
 * These scripts have letters that look like Latin ones, so a name is accepted only if it is written entirely in one of
 * them.
 */
const mistakable = [/^[\p{Script=Cyrillic}\d-]+$/u, /^[\p{Script=Greek}\d-]+$/u]

/**
 * Returns whether the name of a host may be shown as it was written. Other names are shown in the browser's form
 * (punycode).
 */
function isHonest(host: string): boolean {
  if (/^[\0-\x7f]*$/.test(host)) return true
  const labels = host.split('.')
  const isAll = (script: RegExp) => labels.every((label) => script.test(label))
  return mistakable.some(isAll) || labels.every((label) => unmistakable.some((script) => script.test(label)))
}
