import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { loadSecrets } from '@sumlock/deployment/secrets'
import { stringify } from 'yaml'
import type { Overlay } from '../overlays.ts'
import { engineSettings, secretManifests } from './secret-manifests.ts'

/**
 * Writes the Secrets of an overlay into `folder` and returns the path of the file, which only its owner can read. The
 * generated values are kept in a JSON file next to it, because new peppers and keys would invalidate every PIN and
 * session.
 */
export async function writeSecretFile(overlay: Overlay, folder: string): Promise<string> {
  const engines =
    overlay === 'production' ? await readEngines(join(folder, 'production-engines.env')) : undefined
  const secrets = await loadSecrets(join(folder, `${overlay}.json`))
  const authorities = await readIfPresent(join(folder, `${overlay}-authorities.pem`))
  const manifests = secretManifests(overlay, secrets, engines, authorities)
  const file = join(folder, `${overlay}.yaml`)
  // kubectl reads YAML 1.1, in which an unquoted `on` is a boolean.
  const documents = manifests.map((manifest) => stringify(manifest, { version: '1.1' }))
  await writeFile(`${file}.part`, documents.join('---\n'), { mode: 0o600 })
  await rename(`${file}.part`, file)
  return file
}

async function readEngines(file: string): Promise<Record<string, string>> {
  const text = await readIfPresent(file)
  if (text !== undefined) return parseEngines(file, text)
  const lines = engineSettings.map((name) => `  ${name}=…`).join('\n')
  const sentence = 'The addresses of your engines are missing.'
  throw new Error(`${sentence} Please write ${file} with these lines:\n${lines}`)
}

/** Throws for a line whose value would be cut at a # that is part of it, and for one that still has the page's dots. */
function parseEngines(file: string, text: string): Record<string, string> {
  const engines = parseEnv(text) as Record<string, string>
  const isCut = (name: string) =>
    new RegExp(`^\\s*(export )?${name}\\s*=\\s*[^\\s'"\`#][^\\s#]*#`, 'm').test(text)
  const cut = Object.keys(engines).filter(isCut)
  if (cut.length > 0)
    throw new Error(
      `${file}: put the values of ${cut.join(', ')} in single quotes, because a # begins a comment.`,
    )
  const open = Object.keys(engines).filter((name) => engines[name]?.includes('…'))
  if (open.length > 0) throw new Error(`${file}: these lines still have a "…": ${open.join(', ')}.`)
  return engines
}

async function readIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
