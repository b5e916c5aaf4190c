import { dirname, join } from 'node:path'
import { engineCache } from '@sumlock/dev/config'
import { cached } from '@sumlock/dev/engines/fetch-engine'
import { findOnPath } from '@sumlock/dev/engines/find-on-path'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'

const version = '1.8.1'
const module = `go.k6.io/k6@v${version}`

export interface K6Source {
  progress: Progress
  cache?: string
  find?: typeof findOnPath
  runProgram?: typeof run
}

/** Path of a k6: the machine's own (1 or newer), or one that the installed Go builds once from its module. */
export async function k6Binary({
  progress,
  cache = join(dirname(engineCache), 'tools'),
  find = findOnPath,
  runProgram = run,
}: K6Source): Promise<string> {
  const own = await find('k6', /^k6(\.exe)? v[1-9]/)
  if (own) return own
  const tool = {
    name: `k6-${version}`,
    title: `Building k6 ${version} with Go (minutes, once)`,
    bytes: 2e9,
    progress,
    cache,
  }
  const folder = await cached(tool, async (part) => {
    await requireGo(runProgram)
    await runProgram('env', [`GOBIN=${part}`, 'go', 'install', module])
  })
  return join(folder, 'k6')
}

async function requireGo(runProgram: typeof run): Promise<void> {
  try {
    await runProgram('go', ['version'])
  } catch (error) {
    throw new Error(
      `Neither k6 nor Go is installed: put k6 1 or newer on PATH, or install Go (https://go.dev/dl) and this builds k6 with it (go install ${module}).`,
      { cause: error },
    )
  }
}
