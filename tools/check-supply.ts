import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

// Reports what ships: a software bill of materials, and known vulnerabilities of the packages that services and web
// need. It informs and never fails; a registry that cannot answer is reported in one sentence.
const sbomFile = join(repoRoot, 'artifacts/sbom.cdx.json')
const sbomArgs = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only']
const say = (line: string) => process.stdout.write(`${line}\n`)

const sbom = await npm(sbomArgs)
const { components } = parse<{ components?: unknown[] }>(sbom)
if (components) {
  mkdirSync(join(repoRoot, 'artifacts'), { recursive: true })
  writeFileSync(sbomFile, sbom)
  say(`Bill of materials: ${components.length} packages, in artifacts/sbom.cdx.json (CycloneDX).`)
} else say('Bill of materials: npm could not write it.')

const audit = parse<{ message?: string; vulnerabilities?: Record<string, { severity: string }> }>(
  await npm(['audit', '--omit=dev', '--json']),
)
if (audit.vulnerabilities) {
  const found = Object.entries(audit.vulnerabilities).map(([name, { severity }]) => `${name} (${severity})`)
  say(`Known vulnerabilities: ${found.length === 0 ? 'none' : found.join(', ')}.`)
} else
  say(`Known vulnerabilities: unknown, because the registry did not answer (${audit.message ?? 'no reply'}).`)

/** Standard output of npm; it exits with 1 when it found something, too. */
function npm(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: repoRoot, maxBuffer: 64e6, timeout: 60_000 }, (_error, stdout) =>
      resolve(stdout),
    )
  })
}

function parse<T extends object>(json: string): Partial<T> {
  try {
    return JSON.parse(json) as T
  } catch {
    return {}
  }
}
