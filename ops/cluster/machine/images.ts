import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { corednsProgram, goBinary } from '../../manifests/go-programs.ts'
import { buildImage, productImages } from '../../images/product-images.ts'
import { debianPrograms } from './debian-programs.ts'
import { startDockerDaemon } from './docker-daemon.ts'
import type { DockerDaemon } from './docker-daemon.ts'
import { fetchImages, k6Image, nginxImage, nodeImage } from './stand-ins.ts'

const systemImages = ['sumlock-try/pause:1', 'sumlock-try/coredns:1'] as const

/** The registry that the overlay `production` names. */
const productionRegistry = 'registry.example.com'

/**
 * Builds all images that the cluster runs, in a Docker daemon of its own, and writes them to an archive. Returns the
 * archive's path. Nothing is pulled again inside, so each image has every name under which a manifest knows it.
 */
export async function saveImages(archive: string, progress: Progress): Promise<string> {
  const daemon = await startDockerDaemon(progress)
  try {
    const standIns = await fetchImages(daemon, progress)
    progress(standIns.length === 0 ? 'All published images were pulled' : `Stand-ins: ${standIns.join(', ')}`)
    await buildSystemImages(daemon, progress)
    const names = productImages.flatMap(({ name }) => namesOf(name))
    for (const image of productImages)
      await step(progress, `Building ${image.name}`, () =>
        buildImage(image, {
          tags: namesOf(image.name),
          revision: 'try',
          dockerArgs: ['--network=host'],
          env: daemon.env,
        }),
      )
    const published = [
      ...Object.values(engineVersions).map(({ image }) => image),
      nginxImage,
      nodeImage,
      k6Image,
    ]
    await step(progress, 'Saving the images for the cluster', () =>
      daemon.docker('save', '--output', archive, ...names, ...published, ...systemImages),
    )
    return archive
  } finally {
    await daemon.stop()
  }
}

const namesOf = (name: string): string[] => [`${name}:${version}`, `${productionRegistry}/${name}:${version}`]

/** Builds the two images that a node needs besides the product: one for the pause of each pod, and its DNS. */
async function buildSystemImages(daemon: DockerDaemon, progress: Progress): Promise<void> {
  const { root } = await debianPrograms(progress)
  const [pause, coredns] = systemImages
  const scratch = (file: string, start: string) => `FROM scratch\nCOPY ${file} /\nENTRYPOINT ${start}\n`
  await buildFrom(
    daemon,
    pause,
    join(root, 'bin/busybox'),
    scratch('busybox', '["/busybox", "sleep", "inf"]'),
  )
  await buildFrom(
    daemon,
    coredns,
    await goBinary(corednsProgram, progress),
    scratch('coredns', '["/coredns"]'),
  )
}

async function buildFrom(
  daemon: DockerDaemon,
  image: string,
  program: string,
  dockerfile: string,
): Promise<void> {
  const context = await mkdtemp(join(tmpdir(), 'sumlock-image-'))
  try {
    await cp(program, join(context, basename(program)))
    await writeFile(join(context, 'Dockerfile'), dockerfile)
    await daemon.docker('build', '--network=host', '--tag', image, context)
  } finally {
    await rm(context, { recursive: true, force: true })
  }
}
