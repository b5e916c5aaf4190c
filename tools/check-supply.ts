import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'

// Reports what ships: a software bill of materials, and known vulnerabilities of the packages that services and web
// need. It informs and never fails; a registry that cannot answer is reported in one sentence.
const folder = join(repoRoot, 'artifacts')
const bill = await npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only')
const components = bill['components'] as unknown[] | undefined
mkdirSync(folder, { recursive: true })
if (components) writeFileSync(join(folder, 'sbom.cdx.json'), JSON.stringify(bill, null, 2))
say(
  components
    ? `Bill of materials: ${components.length} packages, in artifacts/sbom.cdx.json (CycloneDX).`
    : 'Bill of materials: npm could not write it.',
)
const { vulnerabilities, message = 'no reply' } = (await npm('audit', '--omit=dev', '--json')) as {
  vulnerabilities?: Record<string, { severity: string }>
  message?: string
}
const found = Object.entries(vulnerabilities ?? {}).map(([name, { severity }]) => `${name} (${severity})`)
say(
  vulnerabilities
    ? `Known vulnerabilities: ${found.join(', ') || 'none'}.`
    : `Known vulnerabilities: unknown, because the registry did not answer (${message}).`,
)

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** What npm prints as JSON; it exits with 1 when it found something, too. */
function npm(...args: string[]): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: repoRoot, maxBuffer: 64e6, timeout: 60_000 }, (_error, stdout) => {
      try {
        resolve(JSON.parse(stdout) as Record<string, unknown>)
      } catch {
        resolve({})
      }
    })
  })
}
