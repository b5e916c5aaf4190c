import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { allGuards } from './all-guards.ts'
import { markedIn, withoutGuard } from './guard.ts'

const sourceOf = (file: string) => readFileSync(join(repoRoot, file), 'utf8')

describe('the list of guards', () => {
  it.each(allGuards.map((guard) => [guard.id, guard] as const))('finds %s in the code', (_id, guard) => {
    expect(withoutGuard(sourceOf(guard.file), guard)).not.toBe(sourceOf(guard.file))
  })

  it.each(allGuards.map(({ id, test }) => [id, test] as const))(
    'finds the test of %s',
    (_id, { file, title }) => {
      // A title may be put together from parts: its longest run of plain words is looked for.
      expect(sourceOf(file)).toContain(longestPlainPart(title, sourceOf(file)))
    },
  )

  it('names every guard that is marked in the files it knows, and each id once', () => {
    const marked = [...new Set(allGuards.map(({ file }) => file))].flatMap((file) => markedIn(sourceOf(file)))
    expect(marked.sort()).toEqual(allGuards.map(({ id }) => id).sort())
  })
})

/** The longest beginning or end of a title that stands in the source as it is. */
function longestPlainPart(title: string, source: string): string {
  const words = title.split(' ')
  const parts = words.flatMap((_, cut) => [words.slice(0, words.length - cut), words.slice(cut)])
  const found = parts.map((part) => part.join(' ')).filter((part) => source.includes(part))
  return found.sort((left, right) => right.length - left.length).find((part) => part.length >= 10) ?? title
}
