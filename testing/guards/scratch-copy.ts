import { cpSync, existsSync, mkdtempSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { run } from '@sumlock/dev/processes/run'

/**
 * Copies the sources as they are now, uncommitted ones included, and links the installed packages. Returns the folder.
 */
export async function makeScratchCopy(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'sumlock-guards-'))
  const listed = await run('git', ['-C', repoRoot, 'ls-files', '-z', '-co', '--exclude-standard'])
  const files = listed.split('\0').filter((name) => name !== '' && existsSync(join(repoRoot, name)))
  for (const file of files) cpSync(join(repoRoot, file), join(root, file))
  const installed = join(repoRoot, 'node_modules')
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(installed).filter((entry) => entry !== '@sumlock'))
    symlinkSync(join(installed, name), join(root, 'node_modules', name))
  // npm's links to the workspaces are relative, so that in the copy they lead to the copy.
  cpSync(join(installed, '@sumlock'), join(root, 'node_modules/@sumlock'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  // A workspace may have its own version of a package in its own node_modules.
  for (const file of files.filter((name) => name.endsWith('/package.json'))) {
    const own = join(dirname(file), 'node_modules')
    if (existsSync(join(repoRoot, own))) symlinkSync(join(repoRoot, own), join(root, own))
  }
  return root
}
