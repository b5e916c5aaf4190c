import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Guard } from './guard.ts'

type NamedTest = Guard['test']

interface Report {
  testResults: {
    message: string
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

export interface Outcome {
  passed: number
  failed: number
  /** First line of the first failure, or what jest said when no test ran. */
  why: string
}

const projectOf = (file: string): string => {
  if (file.startsWith('web/')) return 'web'
  if (file.endsWith('.full.test.ts')) return 'full'
  return /^(?:libs|services)\/[^/]+\/test\//.test(file) ? 'integration' : 'unit'
}

/** Runs the tests of one file whose titles contain one of the given ones. */
export async function runNamedTests(root: string, tests: readonly NamedTest[]): Promise<Outcome> {
  const [{ file, size }] = tests as [NamedTest]
  const output = join(root, 'report.json')
  rmSync(output, { force: true })
  const titles = tests.map(({ title }) => title.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
  const child = spawn(
    process.execPath,
    [
      ...[
        '--experimental-vm-modules',
        '--disable-warning=ExperimentalWarning',
        'node_modules/jest/bin/jest.js',
      ],
      ...[
        '--selectProjects',
        projectOf(file),
        '--maxWorkers=1',
        '--forceExit',
        // Longer than any passing test takes; a suite itself may take longer.
        '--testTimeout=60000',
        '--json',
        `--outputFile=${output}`,
      ],
      ...['--testPathPatterns', `${file.replace(/\./g, String.raw`\.`)}$`, '-t', titles],
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SUMLOCK_TEST_SIZE: size ?? 'small' },
    },
  )
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)))
  await once(child, 'close')
  try {
    return read(JSON.parse(readFileSync(output, 'utf8')) as Report)
  } catch {
    return { passed: 0, failed: 0, why: said }
  }
}

function read({ testResults }: Report): Outcome {
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failures = results.filter(({ status }) => status === 'failed')
  const message = failures[0]?.failureMessages[0] ?? testResults.map((result) => result.message).join(' ')
  return {
    passed: results.filter(({ status }) => status === 'passed').length,
    failed: failures.length,
    why: firstLine(message),
  }
}

const firstLine = (text: string): string =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '') ?? ''
