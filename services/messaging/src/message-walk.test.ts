import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const repoRoot = join(import.meta.dirname, '../../..')
const text = await readFile(join(repoRoot, 'docs/message-walk.md'), 'utf8')
const steps = [...text.matchAll(/^(\d+)\. `([^`]+)`/gm)].map(([, number, file = '']) => ({
  number: Number(number),
  file,
}))

describe('the walk of a message', () => {
  it('names only files that exist, each once and in order', () => {
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.filter(({ file }) => !existsSync(join(repoRoot, file)))).toEqual([])
    expect(new Set(steps.map(({ file }) => file)).size).toBe(steps.length)
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_step, index) => index + 1))
  })
})
