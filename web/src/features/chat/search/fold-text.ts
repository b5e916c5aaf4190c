/** Each match is a character with the marks that combine with it, a flag, or an emoji with all of its parts. */
const characters = /(?:\p{RI}{2}|\P{M})(?:[\p{M}\p{EMod}\u{e0020}-\u{e007f}]|\u200d\p{ExtPict})*|\p{M}+/gv
/** Accents combine with letters of any script. The two Japanese voicing marks make another letter, so they stay. */
const accents = /[[\p{M}&&\p{Script=Inherited}]--[\u3099\u309a]]/gv
const ascii = /^[\0-\x7f]*$/

const withoutCase = (text: string) => text.toUpperCase().toLowerCase().replace(/\s/g, ' ')

const foldCharacter = (character: string): string =>
  withoutCase(character.normalize('NFKD').replace(accents, '')).normalize('NFC')

/** Returns a text in a form in which case, accents and kinds of white space make no difference. */
export const foldText = (text: string): string =>
  ascii.test(text) ? withoutCase(text) : text.replace(characters, foldCharacter)

/** Returns where a folded text occurs in a text that is not folded: index of the first and after the last character. */
export function findAll(text: string, folded: string): [from: number, to: number][] {
  if (folded === '') return []
  const places: { from: number; to: number }[] = []
  let whole = ''
  for (const { 0: character, index: from } of text.matchAll(characters)) {
    const part = foldCharacter(character)
    for (let unit = 0; unit < part.length; unit += 1) places.push({ from, to: from + character.length })
    whole += part
  }
  const ranges: [number, number][] = []
  for (let at = whole.indexOf(folded); at >= 0; at = whole.indexOf(folded, at + folded.length)) {
    const from = places[at]?.from ?? 0
    // A ligature is one character with several letters.
    if (from >= (ranges.at(-1)?.[1] ?? 0)) ranges.push([from, places[at + folded.length - 1]?.to ?? from])
  }
  return ranges
}
