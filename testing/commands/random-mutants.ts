import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { transformSync } from '@swc/core'
import { repoRoot } from '@sumlock/dev/config'
import { run } from '@sumlock/dev/processes/run'
import { makeScratchCopy } from '../guards/scratch-copy.ts'
import { seededRandom } from '../kit/faults/seeded-random.ts'
import { jestArguments } from '../runner/jest-command.ts'

// Draws mutants at random from sources with a unit test beside them, runs that test and then the other unit tests that
// load the source, and prints the survivors. `--since COMMIT` draws from the sources that changed since then.
const { values } = parseArgs({
  options: { seed: { type: 'string' }, count: { type: 'string', default: '60' }, since: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const random = seededRandom(seed)

const operators: readonly (readonly [RegExp, string])[] = [
  [/===/g, '!=='],
  [/!==/g, '==='],
  [/<=/g, '<'],
  [/>=/g, '>'],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/&&/g, '||'],
  [/\|\|/g, '&&'],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[(\s])!(?=[\w(])/g, ''],
  [/(?<=^ *)(?:await |void )?[\w.?]+\(.*\)$/gm, ';'],
  [/(?<=^ *)return .+$/gm, 'return undefined as never'],
  [/(?<=if )\(.+\)(?= )/g, '(false)'],
]

const compiled = (source: string, tsx: boolean) =>
  transformSync(source, {
    minify: true,
    jsc: {
      target: 'es2024',
      parser: { syntax: 'typescript', tsx },
      minify: { compress: false, mangle: false },
    },
  }).code

/** The mutants of a source that compile to something else than the source: no comments and no types. */
function mutantsOf(source: string, tsx: boolean): { line: number; text: string }[] {
  const original = compiled(source, tsx)
  return operators.flatMap(([pattern, replacement]) =>
    [...source.matchAll(pattern)].flatMap(({ 0: found, index }) => {
      const text = source.slice(0, index) + replacement + source.slice(index + found.length)
      try {
        return compiled(text, tsx) === original
          ? []
          : [{ line: source.slice(0, index).split('\n').length, text }]
      } catch {
        return []
      }
    }),
  )
}

const { since } = values
const changed = since === undefined ? null : await run('git', ['-C', repoRoot, 'diff', '--name-only', since])
const chosen = changed === null ? null : new Set(changed.split('\n'))

const root = await makeScratchCopy()
process.once('exit', () => rmSync(root, { recursive: true, force: true }))
const testOf = (file: string) => file.replace(/\.(tsx?)$/, '.test.$1')
const mutants = globSync('{libs,services,web/src,ops,dev}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules'],
})
  .sort()
  .filter((file) => existsSync(join(root, testOf(file))) && chosen?.has(file) !== false)
  .flatMap((file) =>
    mutantsOf(readFileSync(join(root, file), 'utf8'), file.endsWith('x')).map((mutant) => ({
      file,
      ...mutant,
    })),
  )
const count = Math.min(Number(values.count), mutants.length)
process.stdout.write(`seed ${seed}: ${count} of ${mutants.length} mutants\n`)

let hung = 0
/** Whether unit tests pass with the mutant in place. A run that hangs counts as failed. */
function pass(...which: string[]): boolean {
  const args = jestArguments(['unit', 'web'], '--maxWorkers=1', '--bail', '--passWithNoTests', ...which)
  const { status, signal } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'ignore',
    timeout: 300_000,
  })
  if (signal) hung += 1
  return status === 0
}

const killed = { own: 0, other: 0 }
for (let drawn = 0; drawn < count; drawn += 1) {
  const [mutant] = mutants.splice(Math.floor(random() * mutants.length), 1)
  const { file, line, text } = mutant as (typeof mutants)[number]
  const path = join(root, file)
  const source = readFileSync(path, 'utf8')
  if (!pass('--runTestsByPath', testOf(file))) throw new Error(`${testOf(file)} fails without a mutant.`)
  writeFileSync(path, text)
  const survivesOwn = pass('--runTestsByPath', testOf(file))
  const survives = survivesOwn && pass('--findRelatedTests', file)
  writeFileSync(path, source)
  process.stdout.write(`${drawn + 1} of ${count}: ${file}:${line} ${survives ? 'survived' : 'killed'}\n`)
  if (!survivesOwn) killed.own += 1
  else if (!survives) killed.other += 1
  if (!survives) continue
  const lineOf = (whole: string) => whole.split('\n')[line - 1]?.trim()
  process.stdout.write(`  - ${lineOf(source)}\n  + ${lineOf(text)}\n`)
}
process.stdout.write(
  `${killed.own + killed.other} of ${count} random mutants were killed (seed ${seed}): ` +
    `${killed.own} by the test beside the source, ${killed.other} by another unit test; ${hung} runs hung\n`,
)
