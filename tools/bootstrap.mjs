// Every npm script starts here, in plain JavaScript that any Node from 20 on can run. It checks the tools the command
// needs, installs the packages (the pinned Node is one of them) and runs the command's file with that Node.
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

const nodeMajor = Number(process.versions.node.split('.')[0])
if (nodeMajor < 20) {
  stopWith(`Node ${process.versions.node} is too old. Please install Node 20 or newer.`)
}

const startsNoEngine = [
  'check',
  'api-docs',
  'coverage-table',
  'status',
  'logs',
  'stop',
  'reset',
  'dlq',
  'load',
  'profile',
  'random-mutants',
  'k8s-secrets',
  'k8s-schemas',
  'k8s-dry-run',
  'check-alerts',
  'check-supply',
]
requireTools()
installPackages()
handOver()

function runs(program, args, accept = () => true) {
  try {
    return accept(execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }))
  } catch {
    return false
  }
}

/** Only what this command will use; in mode `external` engines run elsewhere and need nothing here. */
function wantedTools() {
  const tools = []
  const runsEngines = process.env.SUMLOCK_ENGINES_MODE !== 'external' && !startsNoEngine.includes(command)
  if (runsEngines) {
    const hasOwnEngines = runs('mongod', ['--version']) && runs('redis-server', ['--version'])
    if (!hasOwnEngines) {
      const isThere = runs('python3', ['-m', 'pip', '--version'])
      tools.push({ name: 'Python 3 with pip', apt: 'python3 python3-pip', brew: 'python', isThere })
    }
    const isNewJava = (text) => Number(/(\d+)/.exec(text)?.[1] ?? 0) >= 17
    const hasJava = runs('java', ['--version'], isNewJava)
    tools.push({ name: 'Java 17', apt: 'default-jre-headless', brew: 'openjdk', isThere: hasJava })
    tools.push({ name: 'Maven', apt: 'maven', brew: 'maven', isThere: runs('mvn', ['--version']) })
  }
  if (['test', 'e2e', 'screenshots'].includes(command)) {
    const isThere = ['chromium', 'google-chrome', 'chromium-browser'].some((name) =>
      runs(name, ['--version']),
    )
    tools.push({ name: 'Chromium', apt: 'chromium', brew: 'chromium', isThere })
  }
  if (command === 'fuzz') {
    const isNewPython = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
    const isThere = runs('python3', ['-c', isNewPython])
    tools.push({ name: 'Python 3.11 with venv', apt: 'python3-venv', brew: 'python', isThere })
  }
  // npm brings the pinned Node for Linux only: no other platform's package is published with the version we pin.
  if (process.platform !== 'linux' && nodeMajor < 24) {
    tools.push({ name: 'Node 24', brew: 'node@24', isThere: false })
  }
  return tools
}

function requireTools() {
  const missing = wantedTools().filter((tool) => !tool.isThere)
  if (missing.length === 0) return
  const names = missing.map((tool) => tool.name).join(', ')
  if (process.platform === 'darwin') {
    stopWith(`Missing: ${names}. To install: brew install ${missing.map((tool) => tool.brew).join(' ')}`)
  }
  const install = `apt-get install -y --no-install-recommends ${missing.map((tool) => tool.apt).join(' ')}`
  const canInstall = process.getuid?.() === 0 && runs('apt-get', ['--version'])
  if (!canInstall) stopWith(`Missing: ${names}. To install on Debian or Ubuntu: sudo ${install}`)
  say(`Missing: ${names}. Installing with: ${install}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    execFileSync('apt-get', install.split(' ').slice(1), { env, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    stopWith(`apt-get could not install ${names}; the lines above say why. The command was: ${install}`)
  }
}

function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const stamp = join(root, 'node_modules', '.sumlock-lockfile')
  const areThere = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lock
  if (areThere()) return
  const release = lockPackages()
  if (areThere()) return release()
  say('Installing packages …')
  const startedAt = Date.now()
  // NODE_ENV=production or a personal npm setting would leave out the pinned Node and the test tools.
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

// `npm start` and `npm test` may be called side by side in a fresh clone. Returns the function that releases the lock.
function lockPackages() {
  const file = join(root, '.data', 'packages.lock')
  mkdirSync(dirname(file), { recursive: true })
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (attempt === 0) say('Another command is installing the packages; waiting for it …')
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
  const pinned = join(root, 'node_modules', '.bin', 'node')
  if (!existsSync(pinned) && nodeMajor < 24)
    stopWith(
      'npm has no Node 24 package for this platform. Please install Node 24 and run the command again.',
    )
  const node = existsSync(pinned) ? pinned : process.execPath
  const quiet = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning']
  const child = spawn(node, [...quiet, join(root, `${file}.ts`), ...rest], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` },
  })
  // Ctrl-C reaches the child through the terminal; this process waits for it to finish.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT') child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
