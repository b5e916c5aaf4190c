import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { goBinary } from '@sumlock/dev/engines/go-binary'
import type { Progress } from '@sumlock/dev/processes/progress'
import { composeProgram } from '../../manifests/go-programs.ts'
import { startDockerDaemon } from './docker-daemon.ts'
import { buildImages } from './images.ts'
import { createNetwork } from './network.ts'

export interface DockerSetup {
  /** `docker compose` is found in this folder of Docker's settings. */
  dockerConfig: string
}

/** Prepares what Compose needs inside a sandbox, where nothing can be fetched: all images and Compose itself. */
export async function prepareDocker(
  folder: string,
  progress: Progress,
  ending: AbortSignal,
): Promise<DockerSetup> {
  const dockerConfig = join(folder, 'docker-config')
  await mkdir(join(dockerConfig, 'cli-plugins'), { recursive: true })
  await cp(await goBinary(composeProgram, progress), join(dockerConfig, 'cli-plugins/docker-compose'))
  const daemon = await startDockerDaemon('builder', progress, ending)
  await buildImages(daemon, progress).finally(() => daemon.stop())
  return { dockerConfig }
}

/** Starts a Docker daemon inside the sandbox, and returns the environment in which `docker compose` uses it. */
export async function startOwnDocker(
  { dockerConfig }: DockerSetup,
  progress: Progress,
): Promise<Record<string, string>> {
  await createNetwork()
  const { env } = await startDockerDaemon('runner', progress)
  return { ...env, DOCKER_CONFIG: dockerConfig }
}
