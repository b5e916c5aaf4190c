import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChild } from '@sumlock/dev/processes/child'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { cgroupOf } from './cgroups.ts'
import { debianPrograms, tryCache } from './debian-programs.ts'
import { inSandbox } from './sandbox.ts'

export interface DockerDaemon {
  /** With this environment, `docker` on PATH speaks to this daemon. */
  env: Record<string, string>
  docker(...args: string[]): Promise<string>
  stop(): Promise<void>
}

export const dockerGroup = 'docker'

/** A builder only builds images, with the machine's network. A runner runs inside a sandbox, in its network. */
export type DaemonRole = 'builder' | 'runner'

/**
 * Starts a Docker daemon of its own. Its images stay in the cache, apart from those of the machine's Docker. It changes
 * no firewall and no link of the machine. When `ending` is aborted the daemon ends, and commands that use it fail.
 */
export async function startDockerDaemon(
  role: DaemonRole,
  progress: Progress,
  ending?: AbortSignal,
): Promise<DockerDaemon> {
  const { env: programs } = await debianPrograms(progress)
  const data = join(tryCache, 'docker')
  await mkdir(data, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-docker-'))
  const socket = `unix://${join(folder, 'docker.sock')}`
  const env = { ...programs, DOCKER_HOST: socket, DOCKER_BUILDKIT: '0' }
  const docker = (...args: string[]) => run('docker', args, { env })
  const dockerd = [
    'dockerd',
    ...['--data-root', data, '--exec-root', join(folder, 'exec'), '--pidfile', join(folder, 'pid')],
    ...['--host', socket, '--cgroup-parent', cgroupOf(dockerGroup), '--storage-driver=overlay2'],
  ]
  const onlyBuilding = ['--bridge=none', '--iptables=false', '--ip6tables=false', '--ip-forward=false']
  const [command = '', ...args] =
    role === 'runner' ? dockerd : inSandbox([...dockerd, ...onlyBuilding], { ownNetwork: false })
  const ready = () =>
    docker('version').then(
      () => true,
      () => false,
    )
  const daemon = createChild({ name: 'dockerd', command, args, env, logDir: folder, port: 0, ready })
  const stop = async () => {
    await daemon.stop()
    await rm(folder, { recursive: true, force: true })
  }
  ending?.addEventListener('abort', () => void stop())
  await step(progress, 'Starting a Docker daemon of its own', () => daemon.start())
  return { env, docker, stop }
}
