import { join } from 'node:path'
import { cp } from 'node:fs/promises'
import { cached } from '@sumlock/dev/engines/fetch-engine'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'

const version = '4.32.5'
const requirements = join(import.meta.dirname, 'requirements.txt')

/** Returns the command that runs schemathesis, in a Python environment in the user’s cache. */
export async function schemathesisCommand(progress: Progress): Promise<readonly [string, ...string[]]> {
  const python = (await run('python3', ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])'])).trim()
  const [major = 0, minor = 0] = python.split('.').map(Number)
  if (major < 3 || minor < 11) throw new Error(`Schemathesis needs Python 3.11 or newer; this is ${python}.`)
  const tool = {
    name: `schemathesis-${version}-python-${python}`,
    title: `Fetching Schemathesis ${version} (100 MB)`,
    bytes: 200e6,
    progress,
  }
  const folder = await cached(tool, async (part) => {
    await run('python3', ['-m', 'venv', part])
    await cp(requirements, join(part, 'requirements.txt'))
    const flags = ['--quiet', '--disable-pip-version-check', '--no-cache-dir', '--only-binary', ':all:']
    await run(join(part, 'bin/python'), ['-m', 'pip', 'install', ...flags, '-r', requirements])
  })
  return [join(folder, 'bin/python'), '-m', 'schemathesis.cli']
}
