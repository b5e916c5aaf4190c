import { cpSync, existsSync, mkdtempSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { run } from '@sumlock/dev/processes/run'

/** Copies the sources as they are now, uncommitted ones too, and links the installed packages. Returns the folder. */
export async function makeScratchCopy(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'sumlock-guards-'))
  const listed = await run('git', ['-C', repoRoot, 'ls-files', '-z', '-co', '--exclude-standard'])
  for (const file of listed.split('\0').filter((name) => name && existsSync(join(repoRoot, name))))
    cpSync(join(repoRoot, file), join(root, file))
  const installed = join(repoRoot, 'node_modules')
  mkdirSync(join(root, 'node_modules'))
  for (const name of readdirSync(installed).filter((entry) => entry !== '@sumlock'))
    symlinkSync(join(installed, name), join(root, 'node_modules', name))
  // npm's links to the workspaces are relative, so that in the copy they lead to the copy.
  cpSync(join(installed, '@sumlock'), join(root, 'node_modules/@sumlock'), {
    recursive: true,
    verbatimSymlinks: true,
  })
  symlinkSync(join(repoRoot, 'web/node_modules'), join(root, 'web/node_modules'))
  return root
}
