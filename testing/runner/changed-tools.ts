import { execFileSync } from 'node:child_process'

/** These folders contain tests of tools, which depend on the files whose paths match. */
const toolFolders: Readonly<Record<string, RegExp>> = {
  dev: /^(dev|libs\/deployment)\//,
  testing: /^testing\//,
  ops: /^(ops|k8s|libs\/deployment|libs\/service-kit)\/|^docker-compose\.yml$|^(services|web)\/.*(config|metrics|vite)/,
  tools: /^(tools|docs|libs\/contracts)\//,
  load: /^(load|libs\/contracts)\//,
}

/** A change of one of these files can break any tool. */
const ofAllFolders = /^(package(-lock)?\.json|jest\.config\.mjs|tsconfig.*\.json)$/

/** Returns the tool folders that no changed path concerns. */
export function unchangedTools(changed: readonly string[]): string[] {
  if (changed.some((path) => ofAllFolders.test(path))) return []
  return Object.entries(toolFolders)
    .filter(([, dependsOn]) => !changed.some((path) => dependsOn.test(path)))
    .map(([folder]) => folder)
}

/**
 * Returns the paths that differ from the start of this branch or, on the main branch itself, from the previous commit.
 * Files that git does not track yet count as well. Returns null if git cannot list them.
 */
export function changedPaths(root: string): string[] | null {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  const firstOf = (...names: string[]) => {
    for (const name of names) {
      try {
        return git('merge-base', 'HEAD', name)
      } catch {
        // This clone has no branch of this name.
      }
    }
    return undefined
  }
  try {
    const fork = firstOf('origin/main', 'main')
    const base = fork === undefined || fork === git('rev-parse', 'HEAD') ? 'HEAD~1' : fork
    const listed = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')]
    return listed.flatMap((text) => text.split('\n').filter(Boolean))
  } catch {
    return null
  }
}
