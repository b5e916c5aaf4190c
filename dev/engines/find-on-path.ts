import { run } from '../processes/run.ts'

/** The name itself when a program of that name answers `--version` with something that matches; otherwise null. */
export async function findOnPath(program: string, version: RegExp): Promise<string | null> {
  try {
    return version.test(await run(program, ['--version'])) ? program : null
  } catch {
    return null
  }
}
