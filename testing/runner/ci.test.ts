import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ci = join(import.meta.dirname, '../commands/ci.mjs')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-ci-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs .ci/run with a program in place of the test runner. */
function runCi(source: string, ...options: string[]): Promise<{ code: number | null; lines: string[] }> {
  const args = [ci, ...options, '--', process.execPath, '--input-type=module', '-e', source]
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, lines: output.trimEnd().split('\n') }))
  })
}

const closingLines = (lines: string[]) => lines.filter((line) => /\d+ (passed|failed|skipped)/.test(line))

describe('.ci/run', () => {
  it('passes on the output, the closing line and the exit code of the run, and keeps them in a log', async () => {
    const { code, lines } = await runCi(`
      console.log('2.0 min\\ntests: 3 passed, 1 failed, 0 skipped')
      process.exitCode = 1`)
    expect(lines).toEqual(['2.0 min', 'tests: 3 passed, 1 failed, 0 skipped'])
    expect(code).toBe(1)
    expect((await readFile(join(folder, 'artifacts/ci.log'), 'utf8')).trimEnd().split('\n')).toEqual(lines)
  })

  it('counts a run that dies without a closing line as failed', async () => {
    const { code, lines } = await runCi('process.exit(0)')
    expect(lines.at(-1)).toBe('tests: 0 passed, 1 failed, 0 skipped')
    expect(code).toBe(1)
  })

  it('ends a run that hangs, which then says what was running and prints the closing line', async () => {
    const { code, lines } = await runCi(
      `
      process.on('SIGTERM', () => {
        console.log('stuck.test.ts\\ntests: 0 passed, 1 failed, 0 skipped')
        process.exit(1)
      })
      setInterval(() => {}, 1000)`,
      '--minutes',
      '0.02',
    )
    expect(lines).toContain('stuck.test.ts')
    expect(lines.at(-1)).toBe('tests: 0 passed, 1 failed, 0 skipped')
    expect(closingLines(lines)).toHaveLength(1)
    expect(code).toBe(1)
  })
})
