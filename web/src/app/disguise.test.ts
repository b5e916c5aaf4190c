import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const web = join(dirname(fileURLToPath(import.meta.url)), '../..')
const tellTale = /chat|messag(?:e[sr]|ing)|messenger|conversation|inbox/i

/** The modules of ours that are loaded with the first page: what is imported in passing, and not when it is needed. */
function loadedAtOnce(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry) || !existsSync(entry)) return seen
  seen.add(entry)
  const imports = readFileSync(entry, 'utf8').matchAll(/^(?:import|export)(?! type)\b[^'"]*'(\.[^']+)'/gm)
  for (const [, path] of imports) loadedAtOnce(join(dirname(entry), path as string), seen)
  return seen
}

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '')

describe('what is loaded before anything was unlocked', () => {
  const modules = [...loadedAtOnce(join(web, 'src/main.tsx'))]
  const names = modules.map((file) => relative(web, file))

  it('is a calculator, and none of the screens behind it', () => {
    expect(names).toEqual(
      expect.arrayContaining(['src/app/App.tsx', 'src/features/calculator/CalculatorView.tsx']),
    )
    expect(names.filter((name) => /features\/(?:messaging|auth|settings)\/|InnerRoutes/.test(name))).toEqual(
      [],
    )
  })

  it('says no word of what is behind', () => {
    const files = [...modules, join(web, 'index.html'), join(web, 'public/manifest.webmanifest')]
    const told = files.flatMap((file) =>
      withoutComments(readFileSync(file, 'utf8'))
        .split('\n')
        .filter((line) => tellTale.test(line) && !line.startsWith('import type'))
        .map((line) => `${relative(web, file)}: ${line.trim()}`),
    )
    expect(told).toEqual([])
  })
})
