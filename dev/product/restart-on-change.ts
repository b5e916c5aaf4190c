import { watch } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '../config.ts'
import type { Progress } from '../processes/progress.ts'
import type { ServiceProcess } from './services.ts'
import type { Supervisor } from '../processes/supervise.ts'

/** What every service is made of, besides its own sources. */
const sharedLibs = ['contracts', 'service-kit', 'bus']
/** An editor writes a file in several steps, and several files at once. */
const settleMs = 200

/** Starts a service again when its sources change, and all of them when a library does. Answers with what ends that. */
export function restartOnChange(
  services: readonly ServiceProcess[],
  supervisor: Supervisor,
  progress: Progress,
): () => void {
  const due = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const restart = (names: readonly string[], file: string | null) => {
    if (file !== null && (!/\.(ts|json)$/.test(file) || file.endsWith('.test.ts'))) return
    for (const name of names) due.add(name)
    clearTimeout(timer)
    timer = setTimeout(() => {
      progress(`${file ?? 'A file'} changed; starting again: ${[...due].join(', ')}`)
      for (const name of due) void supervisor.restart(name)
      due.clear()
    }, settleMs)
  }
  const watchers = [
    ...services.map(({ name, service }) =>
      watch(join(repoRoot, 'services', service, 'src'), { recursive: true }, (_, file) =>
        restart([name], file),
      ),
    ),
    ...sharedLibs.map((lib) =>
      watch(join(repoRoot, 'libs', lib, 'src'), { recursive: true }, (_, file) =>
        restart(
          services.map(({ name }) => name),
          file,
        ),
      ),
    ),
  ]
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
