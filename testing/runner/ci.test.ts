import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ci = join(import.meta.dirname, '../commands/ci.mjs')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-ci-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A command that writes this summary, prints a closing line of its own as `npm test` does, and ends with this code. */
async function fakePart(name: string, summary: object | null, rest = ''): Promise<string> {
  const source = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    console.log('tests: 7 passed, 7 failed, 7 skipped')
    ${summary ? `writeFileSync(process.argv.at(-1), ${JSON.stringify(JSON.stringify(summary))})` : ''}
    ${rest}`
  await writeFile(join(folder, `${name}.mjs`), source)
  return `node ${name}.mjs`
}

const summaryOf = (passed: number, failed: number, failures: object[] = []) => ({
  passed,
  failed,
  skipped: 1,
  product: { passed },
  tools: { passed: 0 },
  failures,
  slowest: [{ name: `slow of ${passed}`, seconds: passed }],
})

function runCi(...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [ci, ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, lines: output.trimEnd().split('\n') }))
  })
}

const closingLines = (lines: string[]) => lines.filter((line) => /\d+ (passed|failed|skipped)/.test(line))

describe('.ci/run', () => {
  it('ends with the one line that sums both runs', async () => {
    const parts = [await fakePart('one', summaryOf(3, 0)), await fakePart('two', summaryOf(4, 0))]
    const { code, lines } = await runCi(...parts)
    expect(lines.at(-1)).toBe('tests: 7 passed, 0 failed, 2 skipped')
    expect(closingLines(lines)).toHaveLength(1)
    expect(code).toBe(0)
  })

  it('stops after a run with a failed test and prints the failure', async () => {
    const failures = [{ suite: 'unit', name: 'breaks', message: 'expected 1\n2 failed' }]
    const red = await fakePart('red', summaryOf(3, 1, failures), 'process.exitCode = 1')
    const { code, lines } = await runCi(red, await fakePart('green', summaryOf(4, 0)))
    expect(lines.at(-1)).toBe('tests: 3 passed, 1 failed, 1 skipped')
    expect(lines.join('\n')).toContain('FAILED in unit: breaks\n  expected 1')
    expect(closingLines(lines)).toHaveLength(1)
    expect(code).toBe(1)
  })

  it('counts a run that dies without a summary as failed and prints the end of its log', async () => {
    const part = await fakePart('dies', null, `console.error('no space left'); process.exit(3)`)
    const { code, lines } = await runCi(part)
    expect(lines.at(-1)).toBe('tests: 0 passed, 1 failed, 0 skipped')
    expect(lines.join('\n')).toContain('no space left')
    expect(code).toBe(1)
  })

  it('ends a run that hangs, says what was running, and still prints the closing line', async () => {
    const hangs = `
      mkdirSync('artifacts/reports', { recursive: true })
      writeFileSync('artifacts/reports/integration.running', '2026-01-01T00:00:00Z stuck.test.ts')
      setInterval(() => {}, 1000)`
    const { code, lines } = await runCi('--minutes', '0.02', await fakePart('hangs', null, hangs))
    expect(lines.at(-1)).toBe('tests: 0 passed, 1 failed, 0 skipped')
    expect(lines.join('\n')).toContain('stuck.test.ts')
    expect(code).toBe(1)
  })
})
