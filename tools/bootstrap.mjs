// The first thing every `npm run` calls: plain JavaScript for whatever Node a person has. It brings the packages
// (and with them the Node we pin), looks for the tools the engines need, and hands over to the command's file, `npm run` names it without its ending.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const [file, ...rest] = process.argv.slice(2)
const command = basename(file)
const say = (line) => process.stderr.write(`  ${line}\n`)
const stopWith = (sentence) => {
  process.stderr.write(`\n${sentence}\n`)
  process.exit(1)
}

if (Number(process.versions.node.split('.')[0]) < 20) {
  stopWith(`Node ${process.versions.node} is too old to begin with. Please install Node 20 or newer.`)
}

// These start no engine.
if (
  ![
    'check',
    'api-docs',
    'coverage-table',
    'status',
    'logs',
    'stop',
    'reset',
    'dlq',
    'load',
    'k8s-secrets',
    'k8s-schemas',
    'k8s-dry-run',
    'check-alerts',
  ].includes(command)
)
  installTools()
installPackages()
handOver()

function runs(program, args, accept = () => true) {
  try {
    return accept(execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }))
  } catch {
    return false
  }
}

function installTools() {
  const javaIsNew = (text) => Number(/(\d+)/.exec(text)?.[1] ?? 0) >= 17
  const tools = [
    {
      name: 'Python 3 with pip',
      apt: ['python3', 'python3-pip'],
      there: runs('python3', ['-m', 'pip', '--version']),
    },
    { name: 'Java 17', apt: ['default-jre-headless'], there: runs('java', ['--version'], javaIsNew) },
    { name: 'Maven', apt: ['maven'], there: runs('mvn', ['--version']) },
  ]
  if (['test', 'e2e', 'screenshots'].includes(command)) {
    const there = ['chromium', 'google-chrome', 'chromium-browser'].some((name) => runs(name, ['--version']))
    tools.push({ name: 'Chromium', apt: ['chromium'], there })
  }
  if (command === 'fuzz') {
    const isNew = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
    const there = runs('python3', ['-c', isNew])
    tools.push({ name: 'Python 3.11 with venv', apt: ['python3-venv'], there })
  }
  const missing = tools.filter((tool) => !tool.there)
  if (missing.length === 0) return
  const names = missing.map((tool) => tool.name).join(', ')
  const packages = missing.flatMap((tool) => tool.apt)
  const install = `apt-get install -y --no-install-recommends ${packages.join(' ')}`
  const canInstall = process.getuid?.() === 0 && runs('apt-get', ['--version'])
  if (!canInstall) stopWith(`Missing: ${names}. On Debian or Ubuntu this brings it: sudo ${install}`)
  say(`Missing: ${names}. Installing with: ${install}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    execFileSync('apt-get', install.split(' ').slice(1), { env, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    stopWith(
      `apt-get could not install ${names}. Please run it yourself and look at what it says: ${install}`,
    )
  }
}

function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.sumlock-lockfile')
  const areThere = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
  if (areThere()) return
  const release = waitForOthers()
  if (areThere()) return release()
  say('Installing packages …')
  const startedAt = Date.now()
  // The tests and the pinned Node are among the packages that NODE_ENV=production or a personal setting would leave out.
  const wanted = ['--include=dev', '--include=optional']
  try {
    execFileSync('npm', ['ci', ...wanted, '--loglevel=error', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } catch {
    stopWith('npm could not install the packages. The lines above say why; then run the same command again.')
  }
  writeFileSync(stamp, lock)
  say(`Installing packages: done in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`)
  release()
}

// `npm start` and `npm test` may be called side by side in a fresh clone. Answers with what gives the turn to the next.
function waitForOthers() {
  const file = join(root, '.data', 'packages.lock')
  mkdirSync(dirname(file), { recursive: true })
  for (let turn = 0; ; turn += 1) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (turn === 0) say('Another command is installing the packages; waiting for it …')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    if (isAbandoned(file)) rmSync(file, { force: true })
  }
}

function isAbandoned(lockFile) {
  try {
    process.kill(Number(readFileSync(lockFile, 'utf8')) || 2 ** 30, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function handOver() {
  const node = join(root, 'node_modules', '.bin', 'node')
  if (!existsSync(node))
    stopWith('There is no Node 24 package for this platform; see README.md for what is tried.')
  const quiet = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning']
  const child = spawn(node, [...quiet, join(root, `${file}.ts`), ...rest], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
  })
  // Ctrl-C reaches the child through the terminal; this process only waits for it to finish in order.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT') child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
