import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChild } from '@sumlock/dev/processes/child'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { cgroupName } from './cgroups.ts'
import { debianPrograms, tryCache } from './debian-programs.ts'
import { inSandbox } from './sandbox.ts'

export interface DockerDaemon {
  /** With this environment, `docker` on PATH speaks to this daemon. */
  env: Record<string, string>
  docker(...args: string[]): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts a Docker daemon of its own, which only builds images. Images stay in the cache, apart from those of the
 * machine's Docker. Builds use the machine's network; no firewall rule is made.
 */
export async function startDockerDaemon(progress: Progress): Promise<DockerDaemon> {
  const { env: programs } = await debianPrograms(progress)
  const data = join(tryCache, 'docker')
  await mkdir(data, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-docker-'))
  const socket = `unix://${join(folder, 'docker.sock')}`
  const env = { ...programs, DOCKER_HOST: socket, DOCKER_BUILDKIT: '0' }
  const docker = (...args: string[]) => run('docker', args, { env })
  const [command = '', ...args] = inSandbox(
    [
      'dockerd',
      ...['--data-root', data, '--exec-root', join(folder, 'exec'), '--pidfile', join(folder, 'pid')],
      ...['--host', socket, '--cgroup-parent', `/${cgroupName}`, '--storage-driver=overlay2'],
      ...['--bridge=none', '--iptables=false', '--ip6tables=false', '--ip-forward=false'],
    ],
    { ownNetwork: false },
  )
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
  await step(progress, 'Starting a Docker daemon for the images', () => daemon.start())
  return { env, docker, stop }
}
