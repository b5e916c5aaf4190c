import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const web = join(import.meta.dirname, '..')

/**
 * Builds a module into a folder with the client's settings, so that a test can add it to the page that the gateway
 * serves.
 */
export async function buildPreparation(
  folder: string,
  module = 'src/features/media/prepare/prepare-picture.ts',
) {
  const input = join(web, module)
  await build({
    root: web,
    logLevel: 'error',
    build: { outDir: folder, rolldownOptions: { input, preserveEntrySignatures: 'strict' } },
  })
  return readPreparation(folder)
}

/** Reads the files that a build has written into a folder. */
export function readPreparation(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const assets = readdirSync(join(folder, 'assets'))
  const scripts = assets.filter((name) => name.endsWith('.js'))
  return {
    assets,
    scripts,
    read,
    entry: scripts.find((name) => name.startsWith('a-')) ?? '',
    worker: scripts.find((name) => read(`assets/${name}`).includes('createImageBitmap')) ?? '',
  }
}
export type BuiltPreparation = ReturnType<typeof readPreparation>
