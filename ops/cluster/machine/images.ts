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
import { exampleRegistry } from '../../images/image-component.ts'
import type { BuiltImage } from '../../images/image-component.ts'
import { buildImage, productImages } from '../../images/product-images.ts'
import type { ProductImage } from '../../images/product-images.ts'
import { revisionOf } from '../../images/revision.ts'
import { debianPrograms } from './debian-programs.ts'
import { startDockerDaemon } from './docker-daemon.ts'
import type { DockerDaemon } from './docker-daemon.ts'
import { fetchImages, k6Image, nginxImage, nodeImage } from './stand-ins.ts'

const { version } = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8')) as { version: string }
const systemImages = ['sumlock-try/pause:1', 'sumlock-try/coredns:1', 'sumlock-try/metrics-server:1'] as const

/**
 * Builds the product's images in a Docker daemon of its own, with all names under which Compose and the overlays know
 * them. What cannot be pulled gets a stand-in.
 */
export async function buildImages(daemon: DockerDaemon, progress: Progress): Promise<BuiltImage[]> {
  const standIns = await fetchImages(daemon, progress)
  progress(standIns.length === 0 ? 'All published images were pulled' : `Stand-ins: ${standIns.join(', ')}`)
  const tag = `${version}-${await revisionOf(repoRoot)}`
  for (const image of productImages)
    await step(progress, `Building ${image.name}`, () => build(daemon, image, tag, namesOf(image.name, tag)))
  await removeFormer(daemon, tag)
  return productImages.map(({ name }) => ({ name, tag }))
}

const namesOf = (name: string, tag: string): string[] => [
  `${name}:${tag}`,
  `${name}:${version}`,
  `${exampleRegistry}/${name}:${version}`,
]

/** Removes the product's images of earlier revisions and what was built three days ago, which would fill the disk. */
async function removeFormer({ docker }: DockerDaemon, tag: string): Promise<void> {
  const listed = await docker('image', 'ls', '--format={{.Repository}}:{{.Tag}}', 'sumlock/*')
  const kept = new Set([version, tag, `${tag}-again`])
  const former = listed.split('\n').filter((image) => image !== '' && !kept.has(image.split(':')[1] ?? ''))
  if (former.length > 0) await docker('image', 'rm', ...former)
  await docker('image', 'prune', '--force', '--filter=until=72h')
}

export interface SavedImages {
  archive: string
  images: readonly BuiltImage[]
  rebuilt: readonly BuiltImage[]
}

/** Writes all images that the cluster runs to an archive, because nothing can be pulled inside. */
export async function saveImages(
  archive: string,
  progress: Progress,
  ending: AbortSignal,
): Promise<SavedImages> {
  const daemon = await startDockerDaemon('builder', progress, ending)
  try {
    const images = await buildImages(daemon, progress)
    const rebuilt = images.map((image) =>
      image.name === 'sumlock/gateway' ? { ...image, tag: `${image.tag}-again` } : image,
    )
    for (const { name, tag } of rebuilt.filter((image) => !images.includes(image))) {
      const image = productImages.find((each) => each.name === name)
      if (image) await build(daemon, image, tag, [`${name}:${tag}`])
    }
    await buildSystemImages(daemon, progress)
    const names = [
      ...images.flatMap(({ name, tag }) => namesOf(name, tag)),
      ...rebuilt.map(({ name, tag }) => `${name}:${tag}`),
    ]
    const published = [
      ...Object.values(engineVersions).map(({ image }) => image),
      nginxImage,
      nodeImage,
      k6Image,
    ]
    await step(progress, 'Saving the images for the cluster', () =>
      daemon.docker('save', '--output', archive, ...new Set([...names, ...published, ...systemImages])),
    )
    return { archive, images, rebuilt }
  } finally {
    await daemon.stop()
  }
}

const build = (daemon: DockerDaemon, image: ProductImage, revision: string, tags: readonly string[]) =>
  buildImage(image, { tags, revision, dockerArgs: ['--network=host'], env: daemon.env })

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
