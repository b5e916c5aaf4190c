import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const repoRoot = join(import.meta.dirname, '../..')

it.each(['message', 'lock', 'gift'])(
  'the walk of a %s names only files that exist, each once and in order',
  async (name) => {
    const text = await readFile(join(repoRoot, `docs/${name}-walk.md`), 'utf8')
    const steps = [...text.matchAll(/^(\d+)\. `([^`]+)`/gm)].map(([, number, file = '']) => ({
      number: Number(number),
      file,
    }))
    expect(steps.length).toBeGreaterThan(10)
    expect(steps.filter(({ file }) => !existsSync(join(repoRoot, file)))).toEqual([])
    expect(new Set(steps.map(({ file }) => file)).size).toBe(steps.length)
    expect(steps.map(({ number }) => number)).toEqual(steps.map((_step, index) => index + 1))
  },
)
