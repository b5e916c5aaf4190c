import { hasText } from '@sumlock/contracts/has-text'

const emojiOnly = /^(?:\p{RGI_Emoji}\s*){1,3}$/v
/** These controls change the direction of all following text, even outside of the message. */
const directionControls = /[\u202a-\u202e\u2066-\u2069]/g
const lineEnds = /\r\n?|[\v\f\x85\u2028\u2029]/g

/**
 * Returns a message as it is shown: without characters that change the text's direction, without empty lines at its
 * ends, and with at most one empty line in a row.
 */
export function shownText(content: string): string {
  const lines: string[] = []
  let blank = 0
  for (const line of content.replace(directionControls, '').replace(lineEnds, '\n').split('\n')) {
    blank = hasText(line) ? 0 : blank + 1
    if (blank === 0) lines.push(line)
    else if (blank === 1 && lines.length > 0) lines.push('')
  }
  return (lines.at(-1) === '' ? lines.slice(0, -1) : lines).join('\n')
}

/** Returns whether a text consists of one to three emoji only. */
export const isEmojiOnly = (content: string): boolean => emojiOnly.test(content.trim())

const shownLines = 20
const charactersInLine = 40

/** Returns whether a message may need more than 20 lines on a phone. */
export function isLong(content: string): boolean {
  let lines = 0
  for (const line of content.split('\n')) lines += Math.max(1, Math.ceil(line.length / charactersInLine))
  return lines > shownLines
}
