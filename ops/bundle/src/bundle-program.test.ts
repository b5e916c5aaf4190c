import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const node = (...args: string[]) => promisify(execFile)(process.execPath, args)

const program = `
import { compareSync } from 'bcrypt'
import { createLru } from '@sumlock/service-kit/lru'
class RefusedError extends Error {}
const lru = createLru<string, number>(1)
lru.set('Grüße 😀', 1)
const { later } = await import('./later.ts')
const names = [typeof compareSync, new RefusedError().constructor.name]
process.stdout.write(JSON.stringify([...lru.keys(), later('×é😀'), ...names]))
`
const later = `export const later = (text: string): string => /[à-ü]\\u{1f600}/u.exec(text)?.[0] ?? ''`

// Inside the repository, so that packages are found.
const artifacts = join(import.meta.dirname, '../../../artifacts')
let folder: string
beforeAll(async () => {
  await mkdir(artifacts, { recursive: true })
  folder = await mkdtemp(join(artifacts, 'bundle-'))
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src/main.ts'), program)
  await writeFile(join(folder, 'src/later.ts'), later)
  await node(join(import.meta.dirname, 'commands/bundle.ts'), join(folder, 'src/main.ts'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a bundled program', () => {
  it('does the same, with its other characters and the names of its classes', async () => {
    const { stdout } = await node(join(folder, 'dist/main.js'))
    expect(JSON.parse(stdout)).toEqual(['Grüße 😀', 'é😀', 'function', 'RefusedError'])
  })

  it('is one file in ASCII that needs nothing but packages with machine code', async () => {
    expect(await readdir(join(folder, 'dist'))).toEqual(['main.js'])
    const text = await readFile(join(folder, 'dist/main.js'), 'utf8')
    // eslint-disable-next-line no-control-regex
    expect(text).toMatch(/^[\x00-\x7f]+$/)
    const imported = [...text.matchAll(/^import .* from "(?!node:)([^"]+)"/gm)].map(([, name]) => name)
    expect(imported).toEqual(['bcrypt'])
  })
})
