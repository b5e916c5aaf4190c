import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { requireSpace } from '@sumlock/dev/engines/disk-space'
import { withFileLock } from '@sumlock/dev/processes/file-lock'
import { onInterrupt } from '@sumlock/dev/processes/on-interrupt'
import type { Progress } from '@sumlock/dev/processes/progress'
import { etcdBinary, goBinary, kubeRouterProgram, kubernetesBinary } from '../../manifests/go-programs.ts'
import { removeCgroups } from './cgroups.ts'
import type { ProgramName } from './cluster.ts'
import { debianPrograms, tryCache } from './debian-programs.ts'
import { saveImages } from './images.ts'
import { differences, readMachine, restoreSysctls } from './machine-state.ts'
import { inSandbox } from './sandbox.ts'

const needed = 25e9

/**
 * Runs a command of the repository inside a sandbox with a cluster of its own, and removes everything afterwards. The
 * command gets `--inside` with the cluster's setup. Rejects when it fails, or when the machine differs afterwards.
 */
export async function runInOwnCluster(
  command: string,
  args: readonly string[],
  progress: Progress,
): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error(
      'A cluster of its own needs Linux and root. With --kubeconfig FILE, the steps run in a cluster that you have.',
    )
  await mkdir(tryCache, { recursive: true })
  requireSpace(tryCache, needed, 'a cluster with its images')
  await withFileLock(join(tryCache, 'lock'), async () => {
    const folder = join(tryCache, 'run')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    const { env, root } = await debianPrograms(progress)
    const before = await readMachine(env)
    const programs = await compilePrograms(progress)
    const images = await saveImages(join(folder, 'images.tar'), progress)
    const setup = { folder, programs, env, images, networkPlugins: join(root, 'usr/lib/cni') }
    const clean = async () => {
      await removeCgroups()
      await restoreSysctls(before)
      await rm(folder, { recursive: true, force: true })
    }
    const failure = await runInside([command, `--inside=${JSON.stringify(setup)}`, ...args], env, clean)
    const changes = differences(before, await readMachine(env))
    const problems = [failure, ...changes].filter((problem) => problem !== undefined)
    if (problems.length > 0) throw new Error(problems.join('\n'))
    progress('The machine is as before: processes, mounts, links, firewall, settings, control groups, images')
  })
}

/** Resolves with a sentence when the command fails. */
async function runInside(args: string[], env: Record<string, string>, clean: () => Promise<void>) {
  const [program = '', ...rest] = inSandbox([process.execPath, ...process.execArgv, ...args], {
    ownNetwork: true,
  })
  const child = spawn(program, rest, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  onInterrupt(async () => {
    child.kill()
    await ended
    await clean()
  })
  const [code] = await ended
  await clean()
  return code === 0 ? undefined : 'Not all steps were green; see above.'
}

async function compilePrograms(progress: Progress): Promise<Record<ProgramName, string>> {
  const compile = (name: string) => kubernetesBinary(name, progress)
  return {
    etcd: await etcdBinary(progress),
    kubectl: await compile('kubectl'),
    'kube-apiserver': await compile('kube-apiserver'),
    'kube-controller-manager': await compile('kube-controller-manager'),
    'kube-scheduler': await compile('kube-scheduler'),
    kubelet: await compile('kubelet'),
    'kube-proxy': await compile('kube-proxy'),
    'kube-router': await goBinary(kubeRouterProgram, progress),
  }
}
