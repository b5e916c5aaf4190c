// Every npm script starts here, in plain JavaScript that any Node from 20 on can run. This file checks the tools that
// the command needs, installs the packages (the pinned Node is one of them), and runs the command's file with that
// Node.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const [file, ...rest] = process.argv.slice(2)
const command = basename(file)
const nodeMajor = Number(process.versions.node.split('.')[0])
const say = (line) => process.stderr.write(`  ${line}\n`)
const stopWith = (sentence) => {
  process.stderr.write(`\n${sentence}\n`)
  process.exit(1)
}

if (nodeMajor < 20) stopWith(`Node ${process.versions.node} is too old. Please install Node 20 or newer.`)
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

/**
 * Returns the missing tools among those that this command needs. In the mode `external`, the engines run elsewhere and
 * need no tools.
 */
function missingTools() {
  const missing = []
  const want = (name, apt, brew, isThere) => isThere || missing.push({ name, apt, brew })
  const has = (program) => runs(program, ['--version'])
  const commandsWithEngines = ['start', 'test', 'guards', 'fuzz', 'backup', 'restore', 'k8s-try']
  if (commandsWithEngines.includes(command) && process.env.SUMLOCK_ENGINES_MODE !== 'external') {
    const isRedis8 = (text) => /v=([89]|\d\d)\./.test(text)
    const hasBoth = has('mongod') && runs('redis-server', ['--version'], isRedis8)
    const canFetch = hasBoth || runs('python3', ['-m', 'pip', '--version'])
    want('Python 3 with pip', 'python3 python3-pip', 'python', canFetch)
    const isNew = (text) => Number(/(\d+)/.exec(text)?.[1] ?? 0) >= 17
    want('Java 17', 'default-jre-headless', 'openjdk', runs('java', ['--version'], isNew))
    want('Maven', 'maven', 'maven', has('mvn'))
  }
  if (command === 'test') {
    want('Chromium', 'chromium', 'chromium', ['chromium', 'google-chrome', 'chromium-browser'].some(has))
    const needsFirefox = rest.includes('long') || rest.includes('e2e-firefox')
    // Debian's Firefox needs the libraries of FFmpeg to decode films.
    if (needsFirefox) want('Firefox', 'firefox-esr ffmpeg', 'firefox', ['firefox-esr', 'firefox'].some(has))
  }
  if (command === 'fuzz') {
    const isNew = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
    want('Python 3.11 with venv', 'python3-venv', 'python', runs('python3', ['-c', isNew]))
  }
  // npm installs the pinned Node only on Linux, because the package for other platforms is not published with the
  // version that we pin.
  if (process.platform !== 'linux') want('Node 24', '', 'node@24', nodeMajor >= 24)
  return missing
}

function requireTools() {
  const missing = missingTools()
  if (missing.length === 0) return
  const names = missing.map((tool) => tool.name).join(', ')
  if (process.platform === 'darwin') {
    stopWith(`Missing: ${names}. To install: brew install ${missing.map((tool) => tool.brew).join(' ')}`)
  }
  const install = `install -y --no-install-recommends ${missing.map((tool) => tool.apt).join(' ')}`
  if (process.getuid?.() !== 0 || !runs('apt-get', ['--version'])) {
    stopWith(`Missing: ${names}. To install on Debian or Ubuntu: sudo apt-get ${install}`)
  }
  say(`Missing: ${names}. Installing with: apt-get ${install}`)
  try {
    for (const args of ['update -qq', install]) {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      execFileSync('apt-get', args.split(' '), { env, stdio: ['ignore', 'ignore', 'inherit'] })
    }
  } catch {
    stopWith(
      `apt-get could not install ${names}; the lines above say why. The command was: apt-get ${install}`,
    )
  }
}

function installPackages() {
  const stamp = join(modules, '.sumlock-lockfile')
  const lockfile = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const areInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile
  if (areInstalled()) return
  const release = lockPackages()
  if (areInstalled()) return release()
  say('Installing packages …')
  const startedAt = Date.now()
  // Without these flags, NODE_ENV=production or a personal npm setting would leave out the pinned Node and the test
  // tools.
  const flags = ['--include=dev', '--include=optional', '--loglevel=error', '--no-audit', '--no-fund']
  try {
    execFileSync('npm', ['ci', ...flags], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  } catch {
    stopWith(
      'npm could not install the packages. The lines above say why. Fix the cause and run the same command again.',
    )
  }
  writeFileSync(stamp, lockfile)
  say(`Installing packages: done in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`)
  release()
}

// Locks the installation, because `npm start` and `npm test` may run at the same time in a fresh clone. Returns a
// function that releases the lock.
function lockPackages() {
  const lock = join(root, '.data', 'packages.lock')
  mkdirSync(dirname(lock), { recursive: true })
  for (let attempt = 0; ; attempt += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (attempt === 0) say('Another command is installing the packages; waiting for it …')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    if (isAbandoned(lock)) rmSync(lock, { force: true })
  }
}

function isAbandoned(lock) {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')) || 2 ** 30, 0)
    return false
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

function handOver() {
  const binaries = join(modules, '.bin')
  const pinned = join(binaries, 'node')
  const node = existsSync(pinned) ? pinned : process.execPath
  if (node !== pinned && nodeMajor < 24) {
    stopWith(
      'npm has no Node 24 package for this platform. Please install Node 24 and run the command again.',
    )
  }
  const quiet = ['--disable-warning=ExperimentalWarning', '--disable-warning=TimeoutNegativeWarning']
  const child = spawn(node, [...quiet, join(root, `${file}.ts`), ...rest], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${binaries}:${process.env.PATH}` },
  })
  // Ctrl-C reaches the child through the terminal; this process waits for it to finish.
  process.on('SIGINT', () => undefined)
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
