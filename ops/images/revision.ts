import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@sumlock/dev/processes/run'

/**
 * Returns the name of the checked-out commit. With uncommitted changes a hash of all files follows it, so that each
 * change gives another revision.
 */
export async function revisionOf(checkout: string): Promise<string> {
  const git = async (args: readonly string[], env: Record<string, string> = {}) =>
    (await run('git', args, { cwd: checkout, env })).trim()
  const commit = await git(['rev-parse', '--short=12', 'HEAD'])
  if ((await git(['status', '--porcelain'])) === '') return commit
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-revision-'))
  try {
    // An index of our own leaves what the developer has staged as it is.
    const env = { GIT_INDEX_FILE: join(folder, 'index') }
    await git(['add', '--all'], env)
    return `${commit}-dirty-${(await git(['write-tree'], env)).slice(0, 8)}`
  } finally {
    await rm(folder, { recursive: true })
  }
}
