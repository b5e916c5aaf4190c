import { readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { repoRoot } from '@sumlock/dev/config'
import { goBinary } from '@sumlock/dev/engines/go-binary'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { corednsProgram, metricsServerProgram } from '../../manifests/go-programs.ts'
import { buildImage, productImages } from '../../images/product-images.ts'
import type { ProductImage } from '../../images/product-images.ts'
import { debianPrograms } from './debian-programs.ts'
import { startDockerDaemon } from './docker-daemon.ts'
import type { DockerDaemon } from './docker-daemon.ts'
import { fetchImages, k6Image, nginxImage, nodeImage } from './stand-ins.ts'

const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { version: string }
/** The gateway's image with another revision, to which a step changes. */
const nextGateway = `sumlock/gateway:${version}-next`
const systemImages = ['sumlock-try/pause:1', 'sumlock-try/coredns:1', 'sumlock-try/metrics-server:1'] as const

/** The registry that the overlay `production` names. */
const productionRegistry = 'registry.example.com'

/**
 * Builds the product's images in a Docker daemon of its own. What cannot be pulled gets a stand-in. Returns the names
 * of all images that Compose or a cluster runs.
 */
export async function buildImages(daemon: DockerDaemon, progress: Progress): Promise<string[]> {
  const standIns = await fetchImages(daemon, progress)
  progress(standIns.length === 0 ? 'All published images were pulled' : `Stand-ins: ${standIns.join(', ')}`)
  for (const image of productImages)
    await step(progress, `Building ${image.name}`, () => build(daemon, image, 'try', namesOf(image.name)))
  const published = Object.values(engineVersions).map(({ image }) => image)
  return [...productImages.flatMap(({ name }) => namesOf(name)), ...published, nginxImage]
}

/**
 * Writes all images that the cluster runs to an archive, and returns its path. Nothing can be pulled inside, so each
 * image has every name under which a manifest names it.
 */
export async function saveImages(archive: string, progress: Progress): Promise<string> {
  const daemon = await startDockerDaemon('builder', progress)
  try {
    const names = await buildImages(daemon, progress)
    const gateway = productImages.filter(({ name }) => name === 'sumlock/gateway')
    for (const image of gateway) await build(daemon, image, 'next', [nextGateway])
    await buildSystemImages(daemon, progress)
    const all = [...names, nextGateway, nodeImage, k6Image, ...systemImages]
    await step(progress, 'Saving the images for the cluster', () =>
      daemon.docker('save', '--output', archive, ...all),
    )
    return archive
  } finally {
    await daemon.stop()
  }
}

const build = (daemon: DockerDaemon, image: ProductImage, revision: string, tags: readonly string[]) =>
  buildImage(image, { tags, revision, dockerArgs: ['--network=host'], env: daemon.env })

const namesOf = (name: string): string[] => [`${name}:${version}`, `${productionRegistry}/${name}:${version}`]

/** Builds what a cluster runs besides the product: the pause of each pod, the DNS and the metrics server. */
async function buildSystemImages(daemon: DockerDaemon, progress: Progress): Promise<void> {
  const { root } = await debianPrograms(progress)
  const [pause, coredns, metricsServer] = systemImages
  await buildFrom(daemon, pause, join(root, 'bin/busybox'), ['sleep', 'inf'])
  await buildFrom(daemon, coredns, await goBinary(corednsProgram, progress))
  await buildFrom(daemon, metricsServer, await goBinary(metricsServerProgram, progress))
}

/** Builds an image that contains only a program without libraries. */
async function buildFrom(
  daemon: DockerDaemon,
  image: string,
  program: string,
  args: readonly string[] = [],
): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'sumlock-image-'))
  try {
    const name = basename(program)
    await cp(program, join(context, name))
    const start = JSON.stringify([`/${name}`, ...args])
    await writeFile(join(context, 'Dockerfile'), `FROM scratch\nCOPY ${name} /\nENTRYPOINT ${start}\n`)
    await daemon.docker('build', '--network=host', '--tag', image, context)
  } finally {
    await rm(context, { recursive: true, force: true })
  }
}
