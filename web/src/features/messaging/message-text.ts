const address = /https?:\/\/[^\s<>"]+/giu
const trailing = /[.,:;!?'…]+$/u
const emojiOnly = /^(?:\p{RGI_Emoji}\s*){1,3}$/v

/** A part of a message: plain text, or a link to `href`. */
export interface TextPart {
  text: string
  href?: string
}

/** Finds http and https addresses; punctuation after one and an unopened bracket do not belong to it. */
export function splitLinks(content: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: found, index } of content.matchAll(address)) {
    const text = withoutTail(found)
    if (!URL.canParse(text)) continue
    if (index > end) parts.push({ text: content.slice(end, index) })
    parts.push({ text, href: new URL(text).href })
    end = index + text.length
  }
  if (end < content.length || parts.length === 0) parts.push({ text: content.slice(end) })
  return parts
}

function withoutTail(found: string): string {
  const text = found.replace(trailing, '')
  const isUnopened = text.endsWith(')') && text.split('(').length < text.split(')').length
  return isUnopened ? withoutTail(text.slice(0, -1)) : text
}

/** One to three emoji and nothing else. */
export const isEmojiOnly = (content: string): boolean => emojiOnly.test(content.trim())

const shownLines = 20
const charactersInLine = 40

/** Whether a message may need more than 20 lines on a phone. */
export function isLong(content: string): boolean {
  let lines = 0
  for (const line of content.split('\n')) lines += Math.max(1, Math.ceil(line.length / charactersInLine))
  return lines > shownLines
}
