import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { allGuards } from '../guards/all-guards.ts'
import { withoutGuard } from '../guards/guard.ts'
import type { Guard } from '../guards/guard.ts'
import { runNamedTests } from '../guards/named-test.ts'
import type { Outcome } from '../guards/named-test.ts'
import { makeScratchCopy } from '../guards/scratch-copy.ts'

// Takes each guard away in a copy of the sources and shows that the test named for it goes red. With ids: only those.
const ids = process.argv.slice(2)
const unknown = ids.filter((id) => !allGuards.some((guard) => guard.id === id))
if (unknown.length > 0) {
  process.stderr.write(
    `No such guard: ${unknown.join(', ')}. Known: ${allGuards.map(({ id }) => id).join(', ')}\n`,
  )
  process.exit(2)
}
const guards = ids.length > 0 ? allGuards.filter(({ id }) => ids.includes(id)) : allGuards
const scratch = await makeScratchCopy()
const startedAt = performance.now()
try {
  const broken = await runUnbroken()
  const rows: Row[] = []
  for (const [index, guard] of guards.entries()) rows.push(await tryWithout(guard, index, broken))
  process.stdout.write(`\n${table(rows)}\n`)
  const green = rows.filter(({ verdict }) => verdict !== 'red')
  const took = ((performance.now() - startedAt) / 60_000).toFixed(1)
  process.stdout.write(
    `\n${rows.length - green.length} of ${rows.length} guards are missed by their test when they are gone (${took} min)\n`,
  )
  process.exitCode = green.length === 0 ? 0 : 1
} finally {
  scratch.remove()
}

interface Row {
  guard: Guard
  verdict: 'red' | 'STAYS GREEN' | 'RED ANYWAY' | 'NO SUCH TEST'
  why: string
}

/** Every named test has to be green before anything is broken. Resolves with those that are not, by file and title. */
async function runUnbroken(): Promise<Map<string, Outcome>> {
  const byFile = Map.groupBy(guards, ({ test }) => `${test.file} ${test.size ?? ''}`)
  const bad = new Map<string, Outcome>()
  for (const [file, members] of byFile) {
    process.stderr.write(`  unbroken: ${file}\n`)
    const together = await runNamedTests(
      scratch.root,
      members.map(({ test }) => test),
    )
    if (together.failed === 0 && together.passed >= new Set(members.map(({ test }) => test.title)).size)
      continue
    for (const { test } of members) {
      const alone = await runNamedTests(scratch.root, [test])
      if (alone.failed > 0 || alone.passed === 0) bad.set(keyOf(test), alone)
    }
  }
  return bad
}

function keyOf({ file, title, size }: Guard['test']): string {
  return [file, title, size].join(' ')
}

async function tryWithout(guard: Guard, index: number, broken: ReadonlyMap<string, Outcome>): Promise<Row> {
  const before = broken.get(keyOf(guard.test))
  if (before) return { guard, verdict: before.failed > 0 ? 'RED ANYWAY' : 'NO SUCH TEST', why: before.why }
  const path = join(scratch.root, guard.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, withoutGuard(source, guard))
  const { failed, why } = await runNamedTests(scratch.root, [guard.test])
  writeFileSync(path, source)
  const verdict = failed > 0 ? 'red' : 'STAYS GREEN'
  process.stderr.write(`  ${index + 1}/${guards.length} without ${guard.id}: ${verdict}\n`)
  return { guard, verdict, why }
}

function table(rows: readonly Row[]): string {
  const cell = (text: string) => text.replaceAll('|', String.raw`\|`)
  return [
    '| Guard | What it keeps | Without it | Test | It says |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ guard: { id, invariant, test }, verdict, why }) =>
        `| ${[id, invariant, verdict, `${test.file}: ${test.title}`, why.slice(0, 90)].map(cell).join(' | ')} |`,
    ),
  ].join('\n')
}
