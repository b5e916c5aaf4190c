import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ci = join(import.meta.dirname, '../commands/ci.mjs')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sumlock-ci-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs .ci/run with programs in place of the test commands. */
async function runCi(
  programs: string[],
  ...options: string[]
): Promise<{ code: number | null; lines: string[] }> {
  const commands = programs.map((source, index) => {
    const file = join(folder, `program-${index}.mjs`)
    writeFileSync(file, source)
    return `"${process.execPath}" "${file}"`
  })
  const child = spawn(process.execPath, [ci, ...options, '--', ...commands], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, lines: output.trimEnd().split('\n') }
}

const closingLines = (lines: string[]) => lines.filter((line) => /\d+ (passed|failed|skipped)/.test(line))

describe('.ci/run', () => {
  it('adds the counts of both commands in one closing line, and keeps their output in a log', async () => {
    const { code, lines } = await runCi([
      `console.log('first\\ntests: 3 passed, 0 failed, 1 skipped')`,
      `console.log('second\\ntests: 4 passed, 0 failed, 2 skipped')`,
    ])
    expect(lines).toEqual(['first', 'second', 'tests: 7 passed, 0 failed, 3 skipped'])
    expect(code).toBe(0)
    expect((await readFile(join(folder, 'artifacts/ci.log'), 'utf8')).trimEnd().split('\n')).toEqual(lines)
  })

  it('does not run the second command when the first has a failure', async () => {
    const { code, lines } = await runCi([
      `console.log('tests: 3 passed, 2 failed, 0 skipped'); process.exitCode = 1`,
      `console.log('second\\ntests: 4 passed, 0 failed, 0 skipped')`,
    ])
    expect(lines).toEqual(['tests: 3 passed, 2 failed, 0 skipped'])
    expect(code).toBe(1)
  })

  it('counts a command that dies without a closing line as failed', async () => {
    const { code, lines } = await runCi(['process.exit(0)'])
    expect(lines.at(-1)).toBe('tests: 0 passed, 1 failed, 0 skipped')
    expect(code).toBe(1)
  })

  it('counts a command that exits with an error after green tests as failed', async () => {
    const { code, lines } = await runCi([
      `console.log('tests: 3 passed, 0 failed, 0 skipped'); process.exit(2)`,
    ])
    expect(lines.at(-1)).toBe('tests: 3 passed, 1 failed, 0 skipped')
    expect(code).toBe(1)
  })

  it('ends a command that hangs, which then says what was running and prints its counts', async () => {
    const { code, lines } = await runCi(
      [
        `
      process.on('SIGTERM', () => {
        console.log('stuck.test.ts\\ntests: 0 passed, 1 failed, 0 skipped')
        process.exit(1)
      })
      setInterval(() => {}, 1000)`,
      ],
      '--minutes',
      '0.1',
    )
    expect(lines).toContain('stuck.test.ts')
    expect(lines.at(-1)).toBe('tests: 0 passed, 1 failed, 0 skipped')
    expect(closingLines(lines)).toHaveLength(1)
    expect(code).toBe(1)
  })
})
