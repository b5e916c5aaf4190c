import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const node = (...args: string[]) => promisify(execFile)(process.execPath, args)

const program = `
import { compareSync } from 'bcrypt'
import { createServer } from 'node:http'
import { createLru } from '@sumlock/service-kit/lru'
class RefusedError extends Error {}
const lru = createLru<string, number>(1)
lru.set('Grüße 😀', 1)
const types = [typeof compareSync, typeof createServer, new RefusedError().constructor.name]
const hasFetch = () => process.moduleLoadList.some((name) => name.includes('undici'))
const print = (found: string) => process.stdout.write(JSON.stringify([...lru.keys(), found, ...types, hasFetch()]))
void import('./later.ts').then(({ later }) => print(later('×é😀')))
`
const later = `export const later = (text: string): string => /[à-ü]\\u{1f600}/u.exec(text)?.[0] ?? ''`

// Inside the repository, so that packages are found.
const artifacts = join(import.meta.dirname, '../../../artifacts')
let folder: string
let output: Promise<unknown[]>
beforeAll(async () => {
  await mkdir(artifacts, { recursive: true })
  folder = await mkdtemp(join(artifacts, 'bundle-'))
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src/main.ts'), program)
  await writeFile(join(folder, 'src/later.ts'), later)
  await node(join(import.meta.dirname, 'commands/bundle.ts'), join(folder, 'src/main.ts'))
  output = node(join(folder, 'dist/main.cjs')).then(({ stdout }) => JSON.parse(stdout) as unknown[])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a bundled program', () => {
  it('does the same, with its other characters and the names of its classes', async () => {
    expect((await output).slice(0, 5)).toEqual(['Grüße 😀', 'é😀', 'function', 'function', 'RefusedError'])
  })

  it("does not load Node's client of fetch with its server", async () => {
    expect((await output).at(-1)).toBe(false)
  })

  it('is one file in ASCII that needs nothing but packages with machine code', async () => {
    expect(await readdir(join(folder, 'dist'))).toEqual(['main.cjs'])
    const text = await readFile(join(folder, 'dist/main.cjs'), 'utf8')
    // eslint-disable-next-line no-control-regex
    expect(text).toMatch(/^[\x00-\x7f]+$/)
    const needed = [...text.matchAll(/require\("(?!node:)([^"]+)"\)/g)].map(([, name]) => name)
    expect(needed).toEqual(['bcrypt'])
  })
})
