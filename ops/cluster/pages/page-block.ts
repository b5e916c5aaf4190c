import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

export interface BlockPlace {
  /** The page's path in the repository. */
  page: string
  /** The heading of the section, without its marks. */
  heading: string
  /** The block follows a line of the section that begins with this text. Without it, it is the section's first one. */
  after?: string
}

/** Returns the commands of one block of a page, so that a step runs what a person would paste. */
export function pageBlock(place: BlockPlace): string {
  return blockIn(readFileSync(join(repoRoot, place.page), 'utf8'), place)
}

/** Returns the first block at a place in a page. Throws when its heading, its line or the block is gone. */
export function blockIn(text: string, { page, heading, after = '' }: BlockPlace): string {
  const section = sectionOf(text.split('\n'), heading)
  if (!section) throw new Error(`${page} has no section "${heading}" any more.`)
  const from = section.findIndex((line) => line.trim().startsWith(after))
  if (from < 0) throw new Error(`${page}, "${heading}": no line begins with "${after}" any more.`)
  const block = fencedBlock(section.slice(from)) ?? indentedBlock(section.slice(from))
  if (block) return block
  throw new Error(`${page}, "${heading}": no block of commands follows "${after}" any more.`)
}

/** Returns the lines below a heading until the next one of any level. A comment in a block is no heading. */
function sectionOf(lines: readonly string[], heading: string): string[] | undefined {
  let isFenced = false
  const headings = lines.flatMap((line, index) => {
    if (line.trim().startsWith('```')) isFenced = !isFenced
    return !isFenced && /^#+ /.test(line) ? [index] : []
  })
  const start = headings.find((index) => lines[index]?.replace(/^#+ /, '') === heading)
  if (start === undefined) return undefined
  return lines.slice(
    start + 1,
    headings.find((index) => index > start),
  )
}

function fencedBlock(lines: readonly string[]): string | undefined {
  const start = lines.findIndex((line) => line.trim() === '```sh')
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === '```')
  if (start < 0 || length < 0) return undefined
  const indent = (lines[start] ?? '').search(/\S/)
  return lines
    .slice(start + 1, start + 1 + length)
    .map((line) => line.slice(indent))
    .join('\n')
}

const indent = '    '

function indentedBlock(lines: readonly string[]): string | undefined {
  const start = lines.findIndex(
    (line, index) => index > 0 && line.startsWith(indent) && lines[index - 1] === '',
  )
  if (start < 0) return undefined
  const length = lines.slice(start).findIndex((line) => !line.startsWith(indent))
  return lines
    .slice(start, length < 0 ? undefined : start + length)
    .map((line) => line.slice(indent.length))
    .join('\n')
}
