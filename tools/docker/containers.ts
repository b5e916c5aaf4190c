import { run } from '@sumlock/stack/run'
import { waitUntil } from '@sumlock/stack/wait-until'

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

/** As tight as compose.yaml has them, in this machine's network, where the native engines listen. */
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
  const state = ['inspect', '-f', '{{.State.Status}} {{.State.Health.Status}}', options.name]
  await waitUntil(
    `${options.name} to be healthy`,
    async () => {
      const now = (await run('docker', state)).trim()
      if (now.startsWith('exited')) throw new Error(await run('docker', ['logs', options.name]))
      return now === 'running healthy'
    },
    { timeoutMs: 120_000, everyMs: 500 },
  )
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
