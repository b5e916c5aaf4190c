import { run } from '../processes/run.ts'

/** `program` if it is on PATH and prints a matching `--version`; otherwise null. */
export async function findOnPath(program: string, version: RegExp): Promise<string | null> {
  try {
    return version.test(await run(program, ['--version'])) ? program : null
  } catch {
    return null
  }
}
