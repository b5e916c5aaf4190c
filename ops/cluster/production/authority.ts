import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '@sumlock/dev/processes/run'

/** A private authority, as an operator has one. */
export interface Authority {
  /** The authority's certificate (PEM). */
  readonly pem: string
  /** Returns a certificate and its key (PEM) for these host names; the first one is its subject. */
  certificateFor(...names: readonly [string, ...string[]]): Promise<Certificate>
}

export interface Certificate {
  certificate: string
  key: string
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const request = ['req', '-x509', ...newKey, '-days', '30', '-out', 'new.pem', '-keyout', 'new.key']

/** Makes an authority with openssl. */
export async function createAuthority(): Promise<Authority> {
  const authority = await issue({}, '-subj', '/CN=Engines of the try')
  const files = { 'ca.pem': authority.certificate, 'ca.key': authority.key }
  return {
    pem: authority.certificate,
    certificateFor: (...names) =>
      issue(
        files,
        ...['-CA', 'ca.pem', '-CAkey', 'ca.key', '-subj', `/CN=${names[0]}`],
        ...['-addext', 'basicConstraints=critical,CA:FALSE'],
        ...['-addext', `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`],
      ),
  }
}

async function issue(files: Readonly<Record<string, string>>, ...args: string[]): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'sumlock-authority-'))
  try {
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text, { mode: 0o600 })
    await run('openssl', [...request, ...args], { cwd: folder })
    const read = (name: string) => readFile(join(folder, name), 'utf8')
    return { certificate: await read('new.pem'), key: await read('new.key') }
  } finally {
    await rm(folder, { recursive: true })
  }
}
