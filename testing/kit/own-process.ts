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
