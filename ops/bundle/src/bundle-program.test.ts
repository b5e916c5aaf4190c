import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { serviceNodeFlags } from '@sumlock/deployment/service-node-flags'

const node = (...args: string[]) => promisify(execFile)(process.execPath, args)

const program = `
import { compareSync } from 'bcrypt'
import { createServer } from 'node:http'
import { createLru } from '@sumlock/service-kit/lru'
class RefusedError extends Error {}
function checkNumber() {
  const refuse = () => new RefusedError('no').stack ?? ''
  return refuse()
}
const lru = createLru<string, number>(1)
lru.set('Grüße 😀', 1)
const found = {
  texts: [...lru.keys()],
  trace: checkNumber(),
  types: [typeof compareSync, typeof createServer, new RefusedError().constructor.name],
}
// A name that the bundler cannot know, so the program imports it by itself.
const name = process.env['IMPORTED'] ?? 'node:os'
void Promise.all([import('./later.ts'), import(name)]).then(([{ later }, { EOL }]) => {
  found.texts.push(later('×é😀'), EOL)
  process.stdout.write(JSON.stringify(found))
})
`
const later = `export const later = (text: string): string => /[à-ü]\\u{1f600}/u.exec(text)?.[0] ?? ''`

// Inside the repository, so that packages are found.
const artifacts = join(import.meta.dirname, '../../../artifacts')
let folder: string
let main: string
beforeAll(async () => {
  await mkdir(artifacts, { recursive: true })
  folder = await mkdtemp(join(artifacts, 'bundle-'))
  main = join(folder, 'dist/main.cjs')
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'src/main.ts'), program)
  await writeFile(join(folder, 'src/later.ts'), later)
  await node(join(import.meta.dirname, 'commands/bundle.ts'), join(folder, 'src/main.ts'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const output = async () =>
  JSON.parse((await node(...serviceNodeFlags, main)).stdout) as Record<string, unknown>

describe('a bundled program', () => {
  it('does the same, with its other characters and the names of its classes', async () => {
    expect(await output()).toMatchObject({
      texts: ['Grüße 😀', 'é😀', '\n'],
      types: ['function', 'function', 'RefusedError'],
    })
  })

  it('names functions, files and lines of its sources in a stack trace', async () => {
    const { trace } = await output()
    expect(trace).toMatch(/at refuse .*src\/main\.ts:7:\d+/)
    expect(trace).toMatch(/at checkNumber .*src\/main\.ts:8:\d+/)
  })

  it('is one file with its source map, and needs nothing but packages with machine code', async () => {
    expect((await readdir(join(folder, 'dist'))).sort()).toEqual(['main.cjs', 'main.cjs.map'])
    const text = await readFile(main, 'utf8')
    const needed = [...text.matchAll(/require\([`"'](?!node:)([^`"']+)[`"']\)/g)].map(([, name]) => name)
    expect(needed.filter((name) => !isBuiltin(name ?? ''))).toEqual(['bcrypt'])
  })
})
