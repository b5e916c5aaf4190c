import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inheritedEnvironment } from '../config.ts'

/**
 * Runs a program and returns its standard output. Rejects with the output when it fails, or with advice when it is
 * not installed.
 */
export async function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const running = promisify(execFile)(command, args, {
    cwd,
    env: { ...inheritedEnvironment, ...env },
    maxBuffer: 64e6,
  })
  running.child.stdin?.end()
  try {
    return (await running).stdout
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string }
    const sentence =
      code === 'ENOENT'
        ? `${command} is not installed: install it, or put it on PATH.`
        : `${command} ${args.join(' ')} ended with ${String(code)}\n${(stderr || stdout).slice(-2000)}`
    throw new Error(sentence, { cause: error })
  }
}

/** Returns `program` if it is on PATH and prints a matching `--version`; otherwise null. */
export async function findOnPath(program: string, version: RegExp): Promise<string | null> {
  try {
    return version.test(await run(program, ['--version'])) ? program : null
  } catch {
    return null
  }
}
