import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { listGuards, withoutGuard } from './guards.ts'

const sourceOf = (file: string) => readFileSync(join(repoRoot, file), 'utf8')

it('every guard is in the product and names a title of its test file; there are at most 40', () => {
  const guards = listGuards()
  expect(guards.length).toBeLessThanOrEqual(40)
  for (const guard of guards) expect(withoutGuard(sourceOf(guard.file), guard)).not.toBe('')
  const untested = guards.filter(({ testFile, title }) => !sourceOf(testFile).includes(title))
  expect(untested.map(({ id, title }) => `${id}: ${title}`)).toEqual([])
})
