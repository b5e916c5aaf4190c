import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireSpace } from '@sumlock/dev/engines/disk-space'
import { withFileLock } from '@sumlock/dev/processes/file-lock'
import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import { sendSignal } from '@sumlock/dev/processes/process-identity'
import type { Progress } from '@sumlock/dev/processes/progress'
import { removeCgroups } from './cgroups.ts'
import { debianPrograms, tryCache } from './debian-programs.ts'
import type { DebianPrograms } from './debian-programs.ts'
import { dockerGroup } from './docker-daemon.ts'
import { differences, readMachine, restoreSysctls } from './machine-state.ts'
import type { MachineState } from './machine-state.ts'
import { inSandbox } from './sandbox.ts'

const needed = 25e9
/** All data of a run is in this folder of the cache. */
const runFolder = 'run'

export interface Sandboxed {
  /** This file of the repository runs inside, with `--inside` and what `prepare` returned, as JSON. */
  command: string
  args: readonly string[]
  /**
   * Prepares outside what needs the machine's network. `folder` is removed afterwards. Must reject soon after `ending` is
   * aborted, with nothing left running.
   */
  prepare: (folder: string, programs: DebianPrograms, ending: AbortSignal) => Promise<object>
  progress: Progress
}

/**
 * Runs a command of the repository in a sandbox with its own network, one at a time on this machine. Removes everything
 * afterwards, also when it is interrupted. Rejects when the command fails, or when the machine is not as before.
 */
export async function runSandboxed(sandboxed: Sandboxed): Promise<void> {
  await mkdir(tryCache, { recursive: true })
  const waiting = setTimeout(() => {
    sandboxed.progress('Another try is running on this machine. Waiting ten minutes for its end')
  }, 2000)
  await withFileLock(join(tryCache, 'lock'), () => {
    clearTimeout(waiting)
    const ending = new AbortController()
    const ended = runAlone(sandboxed, ending.signal)
    onInterrupt(async () => {
      ending.abort()
      await ended
    })
    return ended
  })
}

async function runAlone({ command, args, prepare, progress }: Sandboxed, ending: AbortSignal): Promise<void> {
  const folder = join(tryCache, runFolder)
  const programs = await debianPrograms(progress)
  // A killed try may have left its groups.
  await removeCgroups(runFolder, dockerGroup)
  const before = await readMachine(programs.env)
  await rm(folder, { recursive: true, force: true })
  requireSpace(tryCache, needed, 'a try with its images')
  await mkdir(folder, { mode: 0o700 })
  let problems: string[]
  try {
    const inside = JSON.stringify(await prepare(folder, programs, ending))
    ending.throwIfAborted()
    problems = await runInside([command, `--inside=${inside}`, ...args], programs, ending)
  } finally {
    for (const problem of await clean(folder, before)) progress(problem)
  }
  problems.push(...differences(before, await readMachine(programs.env)))
  if (problems.length > 0) throw new Error(problems.join('\n'))
  progress(`The machine is as before: ${Object.keys(before).join(', ')}`)
}

/** Returns what could not be removed. */
async function clean(folder: string, before: MachineState): Promise<string[]> {
  const parts = await Promise.allSettled([
    removeCgroups(runFolder, dockerGroup),
    restoreSysctls(before),
    rm(folder, { recursive: true, force: true }),
  ])
  return parts.flatMap((part) => (part.status === 'rejected' ? [`Not cleaned: ${String(part.reason)}`] : []))
}

/** Resolves with a sentence when the command fails. */
async function runInside(args: string[], { env }: DebianPrograms, ending: AbortSignal): Promise<string[]> {
  const command = [process.execPath, ...process.execArgv, ...args]
  const [program = '', ...rest] = inSandbox(command, { ownNetwork: true })
  // The environment of the machine has the PATH of the Debian programs in front.
  const child = spawn(program, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  })
  // The whole group gets the signal, because unshare itself ignores it.
  ending.addEventListener('abort', () => child.pid !== undefined && sendSignal(-child.pid, 'SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0 ? [] : ['The try failed; see above.']
}
