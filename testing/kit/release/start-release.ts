import { execFile, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { repoRoot } from '@sumlock/dev/config'
import type { StackOptions } from '@sumlock/dev/product/services'

/** Where a release starts its own services; the first that exists is used. */
const startModules = ['dev/product/services.ts', 'libs/stack/src/services.ts']

/** False in a clone without history. */
export function isCommitPresent(commit: string): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: repoRoot, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Checks a commit out into `folder`. Its workspaces are its own; other packages are those of this checkout. */
export async function checkOutRelease(commit: string, folder: string): Promise<void> {
  await promisify(execFile)('git', ['worktree', 'add', '--detach', folder, commit], { cwd: repoRoot })
  const scope = 'node_modules/@sumlock'
  await mkdir(join(folder, scope), { recursive: true })
  for (const name of await readdir(join(repoRoot, 'node_modules')))
    if (name !== '@sumlock')
      await symlink(join(repoRoot, 'node_modules', name), join(folder, 'node_modules', name))
  for (const parent of ['libs', 'services', '.', 'ops'])
    for (const name of await readdir(join(folder, parent)).catch(() => []))
      if (existsSync(join(folder, parent, name, 'package.json')))
        await symlink(join(folder, parent, name), join(folder, scope, name)).catch(() => undefined)
}

export async function removeRelease(folder: string): Promise<void> {
  await promisify(execFile)('git', ['worktree', 'remove', '--force', folder], { cwd: repoRoot })
}

/** Starts the six services of a checked-out release with its own code, in a process of its own. */
export async function startRelease(
  folder: string,
  options: StackOptions,
): Promise<{ gatewayUrl: string; stop: () => Promise<void> }> {
  const startModule = startModules.map((path) => join(folder, path)).find(existsSync)
  if (startModule === undefined) throw new Error(`${folder} has no module that starts its services.`)
  const runner = fork(join(import.meta.dirname, 'run-release.ts'), [startModule, JSON.stringify(options)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const [message] = (await Promise.race([once(runner, 'message'), once(runner, 'exit')])) as [unknown]
  if (typeof message !== 'string')
    throw new Error(`The release could not start; see its output and ${options.logDir}.`)
  return {
    gatewayUrl: message,
    stop: async () => {
      const exited = once(runner, 'exit')
      runner.disconnect()
      await exited
    },
  }
}
