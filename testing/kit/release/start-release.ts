import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { run } from '@sumlock/dev/processes/run'
import type { StackOptions } from '@sumlock/dev/product/services'

/** The first of these modules that exists in a release starts its services. */
const startModules = ['dev/product/services.ts', 'libs/stack/src/services.ts']

const git = (...args: string[]) => run('git', args, { cwd: repoRoot })

/** Checks a commit out into `folder`. It uses its own workspaces, but the installed packages of this checkout. */
export async function checkOutRelease(commit: string, folder: string): Promise<void> {
  await git('worktree', 'add', '--detach', folder, commit)
  const scope = join(folder, 'node_modules/@sumlock')
  await mkdir(scope, { recursive: true })
  for (const name of await readdir(join(repoRoot, 'node_modules')))
    if (name !== '@sumlock')
      await symlink(join(repoRoot, 'node_modules', name), join(folder, 'node_modules', name))
  for (const parent of ['libs', 'services', '.', 'ops'])
    for (const name of await readdir(join(folder, parent)).catch(() => []))
      if (existsSync(join(folder, parent, name, 'package.json')))
        await symlink(join(folder, parent, name), join(scope, name)).catch(() => undefined)
}

export const removeRelease = (folder: string): Promise<string> => git('worktree', 'remove', '--force', folder)

/** Starts the six services of a checked-out release with its own code, in a separate process. */
export async function startRelease(folder: string, options: StackOptions) {
  const startModule = startModules.map((path) => join(folder, path)).find(existsSync)
  if (startModule === undefined) throw new Error(`${folder} has no module that starts its services.`)
  const runner = fork(join(import.meta.dirname, 'run-release.ts'), [startModule, JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const exited = once(runner, 'exit')
  const [gatewayUrl] = (await Promise.race([once(runner, 'message'), exited])) as [unknown]
  if (typeof gatewayUrl !== 'string')
    throw new Error(`The release could not start; see its output and ${options.logDir}.`)
  return {
    gatewayUrl,
    async stop() {
      runner.disconnect()
      await exited
    },
  }
}
