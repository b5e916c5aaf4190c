import { existsSync } from 'node:fs'
import { s3AccessKeyId } from '@sumlock/deployment/media-bucket'
import { chosenS3Store } from '../config.ts'
import type { Child } from '../processes/child.ts'
import type { Progress } from '../processes/progress.ts'
import { findOnPath, run } from '../processes/run.ts'
import type { EngineSetup } from './fetch-engine.ts'
import { compiledGoBinary, goBinary } from './go-binary.ts'
import { createS3Proxy, s3ProxyFolder } from './s3proxy.ts'
import { createVersitygw, versitygwFolder, versitygwProgram } from './versitygw.ts'

export type S3Store = 's3proxy' | 'versitygw'

/** Returns the address of the store at this port, with its user and secret. */
export const s3UrlOf = (port: number, secretKey: string): string =>
  `http://${s3AccessKeyId}:${secretKey}@127.0.0.1:${port}`

/**
 * Returns an S3 store whose objects are in `dataDir`. That is versitygw, which Compose and the cluster run, if it was
 * compiled before, and S3Proxy otherwise. A folder keeps the store that filled it, because neither reads the other's
 * attributes of objects.
 */
export async function createS3({
  store = chosenS3Store,
  ...setup
}: EngineSetup & { secretKey: string; store?: S3Store | undefined }): Promise<Child & { url: string }> {
  const { dataDir, port, secretKey, progress } = setup
  const compiled = await compiledVersitygw()
  const present = storeIn(dataDir)
  if (store && present && store !== present)
    throw new Error(
      `The media in ${dataDir} were stored by ${present}: unset SUMLOCK_S3_STORE, or delete the data with npm run reset.`,
    )
  const child =
    (store ?? present ?? (compiled ? 'versitygw' : 's3proxy')) === 'versitygw'
      ? await createVersitygw({ ...setup, command: compiled ?? (await goBinary(versitygwProgram, progress)) })
      : await createS3Proxy(setup)
  return Object.assign(Object.create(child) as Child, { url: s3UrlOf(port, secretKey) })
}

function storeIn(dataDir: string): S3Store | undefined {
  if (existsSync(versitygwFolder(dataDir))) return 'versitygw'
  return existsSync(s3ProxyFolder(dataDir)) ? 's3proxy' : undefined
}

const compiledVersitygw = async (): Promise<string | undefined> =>
  (await findOnPath('versitygw', /Version *: v1\.([89]|\d\d)/)) ?? compiledGoBinary(versitygwProgram)

/**
 * Compiles versitygw if there is a Go that can. Test runs call it, because they should run on the store that is
 * deployed; `npm start` does not wait for it.
 */
export async function compileS3Store(progress: Progress): Promise<void> {
  if (chosenS3Store === 's3proxy' || (await compiledVersitygw())) return
  const minor = Number(/go1\.(\d+)/.exec(await run('go', ['version']).catch(() => ''))?.[1] ?? 0)
  if (minor < oldestGo) return progress(`Without Go 1.${oldestGo} or newer, S3Proxy replaces versitygw`)
  try {
    await goBinary(versitygwProgram, progress)
  } catch (error) {
    if (chosenS3Store === 'versitygw') throw error
    progress(`versitygw could not be compiled, so S3Proxy replaces it: ${String(error)}`)
  }
}

const oldestGo = 25
