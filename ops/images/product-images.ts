import { repoRoot } from '@sumlock/dev/config'
import { run } from '@sumlock/dev/processes/run'
import { readCompose } from './checks/compose-file.ts'

export interface ProductImage {
  /** The name without registry and tag, as `sumlock/auth`. */
  name: string
  dockerfile: string
  buildArgs: Readonly<Record<string, string>>
}

/** The nine images of the product, as docker-compose.yml builds them. */
export const productImages: readonly ProductImage[] = readProductImages()

function readProductImages(): ProductImage[] {
  const images = new Map<string, ProductImage>()
  for (const { image, build } of Object.values(readCompose().services)) {
    const [name = ''] = image.split(':')
    if (build) images.set(name, { name, dockerfile: build.dockerfile, buildArgs: build.args ?? {} })
  }
  return [...images.values()]
}

/**
 * Builds one image with `docker build` and gives it each of `tags`, which are full names as `sumlock/auth:0.1.0`.
 * `dockerArgs` are further arguments, as `--network=host`. DOCKER_HOST in the environment, or in `env`, chooses the daemon.
 */
export async function buildImage(
  { dockerfile, buildArgs }: ProductImage,
  {
    tags,
    revision,
    dockerArgs = [],
    env = {},
  }: {
    tags: readonly string[]
    revision: string
    dockerArgs?: readonly string[]
    env?: Record<string, string>
  },
): Promise<void> {
  const buildArguments = Object.entries({ ...buildArgs, REVISION: revision })
  const args = [
    `--file=${dockerfile}`,
    ...buildArguments.map(([name, value]) => `--build-arg=${name}=${value}`),
    ...tags.map((tag) => `--tag=${tag}`),
    ...dockerArgs,
  ]
  await run('docker', ['build', ...args, '.'], { cwd: repoRoot, env })
}

/** Pushes `image` to `registry` and returns the digest by which the registry knows it. */
export async function pushImage(image: string, registry: string): Promise<string> {
  const pushed = `${registry}/${image}`
  await run('docker', ['tag', image, pushed])
  await run('docker', ['push', pushed])
  const digests = await run('docker', ['image', 'inspect', '--format={{json .RepoDigests}}', pushed])
  const repository = `${pushed.slice(0, pushed.lastIndexOf(':'))}@`
  const found = (JSON.parse(digests) as string[]).find((digest) => digest.startsWith(repository))
  if (found === undefined) throw new Error(`Docker names no digest of ${pushed}, although it was pushed.`)
  return found.slice(repository.length)
}
