import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, sha256Of } from '@sumlock/dev/engines/fetch-engine'
import type { EngineSetup } from '@sumlock/dev/engines/fetch-engine'
import { dependencyPlugin } from '@sumlock/dev/engines/kafka'
import { createChild } from '@sumlock/dev/processes/child'
import type { Child } from '@sumlock/dev/processes/child'
import { run } from '@sumlock/dev/processes/run'

const version = '3.0.0'
const artifact = `org.gaul:s3proxy:${version}:jar:jar-with-dependencies`
const jar = `s3proxy-${version}-jar-with-dependencies.jar`
const pinned = 'f5931bd2a7706e75bd15713224c98ddda22ac022a48d4f9937ce884acef9ce25'

interface S3Setup extends EngineSetup {
  accessKeyId: string
  secretAccessKey: string
}

/** S3Proxy: an S3 interface over a folder; every bucket is a folder in `<dataDir>/s3/buckets`. */
export async function createS3(options: S3Setup): Promise<Child & { endpoint: string }> {
  const { dataDir, progress, port } = options
  const engine = { name: `s3proxy-${version}`, title: 'Fetching S3Proxy (52 MB)', bytes: 110e6, progress }
  const folder = await cached(engine, async (part) => {
    const goal = `${dependencyPlugin}:copy`
    await run('mvn', ['-q', '-B', goal, `-Dartifact=${artifact}`, `-DoutputDirectory=${join(part, 'maven')}`])
    await rename(join(part, 'maven', jar), join(part, jar))
    const actual = await sha256Of(join(part, jar))
    if (actual !== pinned)
      throw new Error(`${jar} (sha256 ${actual}) is not the pinned file: refusing to run it.`)
  })
  const dir = join(dataDir, 's3')
  const buckets = join(dir, 'buckets')
  await mkdir(buckets, { recursive: true })
  const endpoint = `http://127.0.0.1:${port}`
  const config = join(dir, 's3proxy.properties')
  await writeFile(
    config,
    [
      's3proxy.authorization=aws-v2-or-v4',
      `s3proxy.endpoint=${endpoint}`,
      `s3proxy.identity=${options.accessKeyId}`,
      `s3proxy.credential=${options.secretAccessKey}`,
      'jclouds.provider=filesystem-nio2',
      `jclouds.filesystem.basedir=${buckets}`,
      '',
    ].join('\n'),
    { mode: 0o600 },
  )
  const memory = ['-Xms32m', '-Xmx160m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
  const child = createChild({
    name: 's3',
    command: 'java',
    args: [...memory, '-jar', join(folder, jar), '--properties', config],
    logDir: join(dataDir, 'logs'),
    port,
  })
  return Object.assign(Object.create(child) as Child, { endpoint })
}
