import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'

const node = (...args: string[]) => promisify(execFile)(process.execPath, args)

const program = `
import { saslprep } from '@mongodb-js/saslprep'
import { compareSync } from 'bcrypt'
import express from 'express'
import { contentType } from 'mime-types'
import { ConnectionString } from 'mongodb-connection-string-url'
import { createServer } from 'node:http'
import { createLru } from '@sumlock/service-kit/lru'
class RefusedError extends Error {}
function checkNumber() {
  const refuse = () => new RefusedError('no').stack ?? ''
  return refuse()
}
function refusalOf(parser: () => unknown) {
  try {
    parser()
    return ''
  } catch (error) {
    return String(error)
  }
}
const lru = createLru<string, number>(1)
lru.set('Grüße 😀', 1)
const mongo = new ConnectionString('mongodb://ben:p%40ss@one:27017,two/db?replicaSet=rs')
const found = {
  texts: [...lru.keys()],
  trace: [...checkNumber().matchAll(/at (\\w+)/g)].map(([, name]) => name),
  types: [typeof compareSync, typeof createServer, new RefusedError().constructor.name],
  passwords: [saslprep('plain'), saslprep('Ⅸ\\u00ad')],
  mongo: [mongo.hosts, decodeURIComponent(mongo.password), mongo.searchParams.get('replicaSet')],
  fileTypes: ['a.js', 'a.svg', 'a.woff2', 'a.webmanifest', 'a.unknown'].map(contentType),
  refused: [express.json, express.urlencoded].map(refusalOf),
  hasFetch: () => process.moduleLoadList.some((name) => name.includes('undici')),
}
// A name that the bundler cannot know, so the program imports it by itself.
const name = process.env['IMPORTED'] ?? 'node:os'
void Promise.all([import('./later.ts'), import(name)]).then(([{ later }, { EOL }]) => {
  found.texts.push(later('×é😀'), EOL)
  process.stdout.write(JSON.stringify({ ...found, hasFetch: found.hasFetch() }))
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

const output = async () => JSON.parse((await node(main)).stdout) as Record<string, unknown>

describe('a bundled program', () => {
  it('does the same, with its other characters and the names of its classes', async () => {
    expect(await output()).toMatchObject({
      texts: ['Grüße 😀', 'é😀', '\n'],
      types: ['function', 'function', 'RefusedError'],
    })
  })

  it('names its functions in a stack trace', async () => {
    expect(await output()).toMatchObject({
      trace: expect.arrayContaining(['refuse', 'checkNumber']) as unknown,
    })
  })

  it('does the same with the stand-ins for packages of the MongoDB driver', async () => {
    expect(await output()).toMatchObject({
      passwords: ['plain', 'IX'],
      mongo: [['one:27017', 'two'], 'p@ss', 'rs'],
    })
  })

  it('knows the type of a file by its name', async () => {
    const script = 'text/javascript; charset=utf-8'
    const manifest = 'application/manifest+json; charset=utf-8'
    expect(await output()).toMatchObject({
      fileTypes: [script, 'image/svg+xml', 'font/woff2', manifest, false],
    })
  })

  it('refuses the parsers of Express, and says what reads requests', async () => {
    const refusal = 'Error: Bundled services read requests with parse-body.ts'
    expect(await output()).toMatchObject({ refused: [refusal, refusal] })
  })

  it("does not load Node's client of fetch with its server", async () => {
    expect(await output()).toHaveProperty('hasFetch', false)
  })

  it('is one file in ASCII, beside the one that runs it, and needs nothing but packages with machine code', async () => {
    expect((await readdir(join(folder, 'dist'))).filter((name) => name !== 'program.cache').sort()).toEqual([
      'main.cjs',
      'program.cjs',
    ])
    const text = await readFile(join(folder, 'dist/program.cjs'), 'utf8')
    // eslint-disable-next-line no-control-regex
    expect(text).toMatch(/^[\x00-\x7f]+$/)
    // The prefix of encoded domain names, which only the package that has a stand-in would bring.
    expect(text).not.toContain('xn--')
    // Of the tables of characters, and of a type without a file name.
    expect(text).not.toContain('shiftjis')
    expect(text).not.toContain('application/3gpp-ims+xml')
    const needed = [...text.matchAll(/require\([`"'](?!node:)([^`"']+)[`"']\)/g)].map(([, name]) => name)
    expect(needed.filter((name) => !isBuiltin(name ?? ''))).toEqual(['bcrypt'])
  })
})

describe('what was compiled before', () => {
  const cache = () => join(folder, 'dist/program.cache')

  it('is taken when Node and its flags are the same', async () => {
    expect(await node(main, '--compile')).toHaveProperty('stderr', '')
    expect((await readFile(cache())).length).toBeGreaterThan(10_000)
    expect(await node(main)).toHaveProperty('stderr', '')
  })

  it('is left, with a line that says so, when they are not', async () => {
    await node(main, '--compile')
    const { stdout, stderr } = await node('--heap-growing-percent=77', main)
    expect(stderr).toContain('program.cache is of another Node or of other flags')
    expect(JSON.parse(stdout)).toHaveProperty('types')
  })
})
