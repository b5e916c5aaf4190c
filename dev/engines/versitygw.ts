import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { engineVersions } from '@sumlock/deployment/engine-versions'
import { s3AccessKeyId } from '@sumlock/deployment/media-bucket'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { run } from '../processes/run.ts'
import type { EngineSetup } from './fetch-engine.ts'
import type { GoProgram } from './go-binary.ts'

const { version } = engineVersions.s3.native
const path = 'github.com/versity/versitygw'

export const versitygwProgram: GoProgram = {
  name: 'versitygw',
  version,
  package: `${path}/cmd/versitygw`,
  module: `${path} v${version}`,
}

export const versitygwFolder = (dataDir: string): string => join(dataDir, 's3', 'versitygw')

export const attributesFolder = (dataDir: string): string => join(dataDir, 's3', 'attributes')

/**
 * Returns versitygw, the store that Compose and the cluster's `local` overlay run. Every bucket is a folder in
 * `versitygwFolder`, every object a file with extended attributes. On a file system without these, a second folder
 * holds the attributes.
 */
export async function createVersitygw({
  dataDir,
  port,
  secretKey,
  command,
}: Omit<EngineSetup, 'progress'> & { secretKey: string; command: string }): Promise<Child> {
  const buckets = versitygwFolder(dataDir)
  const attributes = attributesFolder(dataDir)
  if (!existsSync(buckets)) {
    await mkdir(buckets, { recursive: true })
    if (!(await keepsAttributes(buckets))) await mkdir(attributes)
  }
  const beside = existsSync(attributes) ? [`--sidecar=${attributes}`] : []
  return createChild({
    name: 's3',
    command,
    args: [`--port=127.0.0.1:${port}`, '--health=/health', '--quiet', 'posix', ...beside, buckets],
    env: { ROOT_ACCESS_KEY_ID: s3AccessKeyId, ROOT_SECRET_ACCESS_KEY: secretKey },
    logDir: join(dataDir, 'logs'),
    port,
    healthUrl: `http://127.0.0.1:${port}/health`,
  })
}

/** Returns whether the file system of a folder is known to keep extended attributes. Node has no call for them. */
export async function keepsAttributes(folder: string): Promise<boolean> {
  const script = 'import os, sys; os.setxattr(sys.argv[1], "user.sumlock", b"")'
  return run('python3', ['-c', script, folder]).then(
    () => true,
    () => false,
  )
}
