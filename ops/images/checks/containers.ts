import { run } from '@sumlock/dev/processes/run'
import { waitUntil } from '@sumlock/deployment/wait-until'

export interface ContainerOptions {
  name: string
  image: string
  environment?: Readonly<Record<string, string>>
  /** `<file on this machine>:<place inside>` */
  mounts?: readonly string[]
  /** `<volume>:<place inside>`, to be written to. */
  volumes?: readonly string[]
  command?: readonly string[]
}

/** As tight as docker-compose.yml has them, in this machine's network, where the native engines listen. */
const contained = [
  ...['--network', 'host', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges', '--pids-limit', '200', '--memory', '384m'],
]

const argumentsOf = ({
  name,
  image,
  environment = {},
  mounts = [],
  volumes = [],
  command = [],
}: ContainerOptions) => [
  ...['--name', name, ...contained],
  ...Object.entries(environment).flatMap(([key, value]) => ['-e', `${key}=${value}`]),
  ...mounts.flatMap((mount) => ['-v', `${mount}:ro`]),
  ...volumes.flatMap((volume) => ['-v', volume]),
  ...[image, ...command],
]

/** Starts a container and resolves once its own health check says healthy. */
export async function startContainer(options: ContainerOptions): Promise<void> {
  await run('docker', ['run', '-d', ...argumentsOf(options)])
  await healthy(options.name)
}

/** Starts a stopped container as it was, and resolves once it is healthy. */
export async function restartContainer(name: string): Promise<void> {
  await run('docker', ['start', name])
  await healthy(name)
}

async function healthy(name: string): Promise<void> {
  const state = ['inspect', '-f', '{{.State.Status}} {{.State.Health.Status}}', name]
  await waitUntil(
    `${name} to be healthy`,
    async () => {
      const now = (await run('docker', state)).trim()
      if (now.startsWith('exited')) throw new Error(await run('docker', ['logs', name]))
      return now === 'running healthy'
    },
    { timeoutMs: 120_000, everyMs: 500 },
  )
}

/** Stops a container as Docker does; rejects with what it printed when it did not end by itself and well. */
export async function stopContainer(name: string): Promise<void> {
  await run('docker', ['stop', '-t', '30', name])
  const code = (await run('docker', ['inspect', '-f', '{{.State.ExitCode}}', name])).trim()
  if (code !== '0') throw new Error(`${name} ended with ${code}\n${await run('docker', ['logs', name])}`)
}

/** Runs a container to its end; rejects with what it printed when that was not a good one. */
export async function runContainer(options: ContainerOptions): Promise<string> {
  return run('docker', ['run', '--rm', ...argumentsOf(options)])
}

export async function removeVolume(name: string): Promise<void> {
  await run('docker', ['volume', 'rm', '-f', name]).catch(() => undefined)
}

export async function removeContainers(names: readonly string[]): Promise<void> {
  await run('docker', ['rm', '-f', ...names]).catch(() => undefined)
}
