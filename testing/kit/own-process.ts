import { spawnSync } from 'node:child_process'

/** Runs a program in a Node process of its own, with flags of V8, and parses the JSON that it prints. */
export function printedBy(program: string, flags: readonly string[]): unknown {
  const { stdout, stderr, error } = spawnSync(
    process.execPath,
    ['--expose-gc', ...flags, '--input-type=module', '--eval', program],
    { encoding: 'utf8', timeout: 60_000 },
  )
  if (!stdout) throw error ?? new Error(stderr)
  return JSON.parse(stdout)
}

/**
 * Bytes by which V8's old generation grows for each of `count` jobs. `program` makes a function `runMany(count)`, which runs them and
 * is called once before. Below zero when a full collection has hidden what they left.
 */
export const keptByEach = (count: number, program: string): number =>
  printedBy(
    `
    import { getHeapSpaceStatistics } from 'node:v8'
    ${program}
    const oldBytes = () => getHeapSpaceStatistics()
      .filter(({ space_name }) => !space_name.startsWith('new_'))
      .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
    await runMany(${count})
    gc()
    const before = oldBytes()
    await runMany(${count})
    process.stdout.write(JSON.stringify((oldBytes() - before) / ${count}))
    process.exit()`,
    ['--min-semi-space-size=2', '--max-semi-space-size=2', '--initial-old-space-size=512'],
  ) as number
