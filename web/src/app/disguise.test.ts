import { readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tellTales } from '../../test/tell-tale.ts'

const web = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Returns the file of this repository that an import names; undefined for other packages. */
function fileOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  const [, library, module] = /^@sumlock\/(\w+)\/(.+)$/.exec(specifier) ?? []
  return library && module ? join(web, '../libs', library, 'src', `${module}.ts`) : undefined
}

/** Returns the modules of this repository that are loaded with the first page: static imports, not dynamic ones. */
function loadedAtOnce(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry) || !statSync(entry, { throwIfNoEntry: false })?.isFile()) return seen
  seen.add(entry)
  const imports = readFileSync(entry, 'utf8').matchAll(
    /^(?:import|export(?= [*{]))(?! type)\b[^'"]*'([^']+)'/gm,
  )
  for (const [, specifier] of imports) {
    const file = fileOf(specifier as string, entry)
    if (file) loadedAtOnce(file, seen)
  }
  return seen
}

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '')
// Names of packages and types do not reach the browser.
const withoutImports = (source: string) =>
  source.replace(/^import type .*$|(?<=from )'@sumlock\/[^']+'/gm, '')

describe('the code loaded before an unlock', () => {
  const first = loadedAtOnce(join(web, 'src/main.tsx'))
  const modules = [...loadedAtOnce(join(web, 'src/app/start-app.ts'), new Set(first))]
  const named = (files: Iterable<string>) => [...files].map((file) => relative(web, file))
  const names = named(modules)

  it('is the calculator without the screens behind it', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'src/app/App.tsx',
        'src/features/calculator/CalculatorView.tsx',
        'src/features/unlock/use-unlock.ts',
        '../libs/contracts/src/pin-limits.ts',
      ]),
    )
    const behind = /InnerRoutes|libs\/sync|src\/limits/
    expect(names.filter((name) => behind.test(name))).toEqual([])
    const before = /features\/(?:(?:calculator|device|legal|lock|session|unlock)\/|sealed\/own-keys)/
    expect(names.filter((name) => name.includes('features/') && !before.test(name))).toEqual([])
  })

  it('begins with a page that makes no call and knows nothing of an unlock', () => {
    const firstNames = named(first)
    expect(firstNames).toContain('src/features/calculator/CalculatorView.tsx')
    const later = /features\/unlock\/|src\/api\/|app\/(?:App|store)|session\/|ui\/Toast/
    expect(firstNames.filter((name) => later.test(name))).toEqual([])
    const words = /password|unlock|numeric|verify|silent|['"`]\/api\b/i
    const told = [...first].filter((file) =>
      words.test(withoutImports(withoutComments(readFileSync(file, 'utf8')))),
    )
    expect(named(told)).toEqual([])
  })

  it('contains no word that reveals the app', () => {
    const files = [...modules, join(web, 'index.html'), join(web, 'public/manifest.webmanifest')]
    const told = files.flatMap((file) =>
      tellTales(withoutImports(withoutComments(readFileSync(file, 'utf8')))).map(
        (word) => `${relative(web, file)}: ${word}`,
      ),
    )
    expect(told).toEqual([])
  })
})
