import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { run } from '@sumlock/dev/processes/run'

/** Our own packages: in a copy they have to be the copy's. */
const own = '@sumlock'

/**
 * A copy of the sources as they are now, with the installed packages linked into it, in which a test runs as it does
 * here. Resolves with its folder and how to delete it.
 */
export async function makeScratchCopy(): Promise<{ root: string; remove: () => void }> {
  const root = mkdtempSync(join(tmpdir(), 'sumlock-guards-'))
  const listed = await run('git', ['-C', repoRoot, 'ls-files', '-z', '-co', '--exclude-standard'])
  for (const file of listed.split('\0').filter((name) => name !== '' && exists(join(repoRoot, name)))) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    cpSync(join(repoRoot, file), join(root, file))
  }
  linkPackages(repoRoot, root)
  symlinkSync(join(repoRoot, 'web/node_modules'), join(root, 'web/node_modules'))
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) }
}

function linkPackages(from: string, to: string): void {
  const [source, target] = [join(from, 'node_modules'), join(to, 'node_modules')]
  mkdirSync(join(target, own), { recursive: true })
  for (const name of readdirSync(source))
    if (name !== own) symlinkSync(join(source, name), join(target, name))
  // They are relative links to the workspaces.
  for (const name of readdirSync(join(source, own)))
    cpSync(join(source, own, name), join(target, own, name), linksAsTheyAre)
}

const linksAsTheyAre = { recursive: true, verbatimSymlinks: true } as const

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined
