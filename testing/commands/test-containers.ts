import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { reaperImage } from '@sumlock/deployment/engine-versions'
import { dockerProblem } from '../../ops/images/checks/docker-problem.ts'

// npm run test:containers [-- <path pattern>]   the integration suites on engines in containers
// TESTCONTAINERS_RYUK_DISABLED=true runs without the container that cleans up after a killed run.
const problem = await dockerProblem()
if (problem !== undefined) {
  process.stderr.write(`The integration suites were not run on containers: ${problem}\n`)
  process.exit(1)
}
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning']
const quiet = '--disable-warning=TimeoutNegativeWarning'
const jest = join(repoRoot, 'node_modules/jest/bin/jest.js')
const patterns = process.argv.slice(2)
const child = spawn(
  process.execPath,
  [
    ...flags,
    quiet,
    jest,
    '--selectProjects',
    'integration',
    '--maxWorkers=1',
    ...(patterns.length > 0 ? ['--testPathPatterns', ...patterns] : []),
  ],
  {
    cwd: repoRoot,
    stdio: 'inherit',
    env: { ...process.env, SUMLOCK_ENGINES_MODE: 'containers', RYUK_CONTAINER_IMAGE: reaperImage },
  },
)
// A Ctrl-C reaches the suites through the terminal, and they need a moment to remove their containers.
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.once('exit', (code) => process.exit(code ?? 1))
