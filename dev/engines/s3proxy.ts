import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { s3AccessKeyId } from '@sumlock/deployment/media-bucket'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { run } from '../processes/run.ts'
import { cached, sha256Of } from './fetch-engine.ts'
import type { EngineSetup } from './fetch-engine.ts'
import { dependencyPlugin } from './kafka.ts'

const version = engineVersions.s3.nativeWithoutGo.version
const artifact = `org.gaul:s3proxy:${version}:jar:jar-with-dependencies`
const jar = `s3proxy-${version}-jar-with-dependencies.jar`
const pinned = 'f5931bd2a7706e75bd15713224c98ddda22ac022a48d4f9937ce884acef9ce25'

interface S3ProxySetup extends EngineSetup {
  secretKey: string
  /**
   * The default is `filesystem`. With the newer backend `filesystem-nio2`, one interrupted upload makes every listing
   * fail.
   */
  provider?: 'filesystem' | 'filesystem-nio2'
}

export const s3ProxyFolder = (dataDir: string): string => join(dataDir, 's3', 'buckets')

/**
 * Returns S3Proxy, which offers a folder through the S3 interface. Every bucket is a folder in
 * `s3ProxyFolder`, every object a file.
 */
export async function createS3Proxy(options: S3ProxySetup): Promise<Child> {
  const { dataDir, progress, port, secretKey, provider = 'filesystem' } = options
  const engine = { name: `s3proxy-${version}`, title: 'Fetching S3Proxy (52 MB)', bytes: 110e6, progress }
  const folder = await cached(engine, fetchS3Proxy)
  const dir = join(dataDir, 's3')
  const buckets = s3ProxyFolder(dataDir)
  await mkdir(buckets, { recursive: true })
  const config = join(dir, 's3proxy.properties')
  await writeFile(
    config,
    [
      's3proxy.authorization=aws-v2-or-v4',
      `s3proxy.endpoint=http://127.0.0.1:${port}`,
      `s3proxy.identity=${s3AccessKeyId}`,
      `s3proxy.credential=${secretKey}`,
      `jclouds.provider=${provider}`,
      `jclouds.filesystem.basedir=${buckets}`,
      '',
    ].join('\n'),
    { mode: 0o600 },
  )
  const java = [
    ...'-Xms32m -Xmx160m -XX:+UseSerialGC -XX:TieredStopAtLevel=1'.split(' '),
    `-Dlogback.configurationFile=${join(import.meta.dirname, 's3proxy', 'logback.xml')}`,
  ]
  const child = createChild({
    name: 's3',
    command: 'java',
    args: [...java, '-jar', join(folder, jar), '--properties', config],
    logDir: join(dataDir, 'logs'),
    port,
  })
  return Object.assign(Object.create(child) as Child, {
    async start() {
      await removeUnfinished(buckets)
      await child.start()
    },
  })
}

async function fetchS3Proxy(folder: string): Promise<void> {
  const goal = `${dependencyPlugin}:copy`
  await run('mvn', ['-q', '-B', goal, `-Dartifact=${artifact}`, `-DoutputDirectory=${join(folder, 'maven')}`])
  await rename(join(folder, 'maven', jar), join(folder, jar))
  const actual = await sha256Of(join(folder, jar))
  if (actual !== pinned)
    throw new Error(
      `${jar} (sha256 ${actual}) is not the pinned file and is not run. Check the repository it came from, then try again.`,
    )
}

/** The file of an upload is called `<key>-<random uuid>` until the upload is complete. */
const unfinishedName = /[^/]-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/**
 * Removes the files of interrupted uploads, because the store would list them as objects. A killed store leaves them,
 * and `filesystem-nio2` also after an upload that was broken off. The key of an object must therefore not end like
 * such a file name.
 */
async function removeUnfinished(buckets: string): Promise<void> {
  const entries = await readdir(buckets, { recursive: true, withFileTypes: true })
  const unfinished = entries.filter((entry) => entry.isFile() && unfinishedName.test(entry.name))
  await Promise.all(unfinished.map(({ parentPath, name }) => rm(join(parentPath, name))))
}
