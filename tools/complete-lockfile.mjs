// Run after `npm install` changed package-lock.json. npm leaves out optional packages for other platforms when it could
// not look at them, and `npm ci` then calls the lockfile incomplete. This names them with their platform, so that every
// machine passes the check and installs only what is for it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(import.meta.dirname, '../package-lock.json')
const lock = JSON.parse(readFileSync(file, 'utf8'))
const systems = [
  'darwin',
  'win32',
  'linux',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
]
const processors = [
  'arm64',
  'x64',
  'ia32',
  'arm',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'wasm32',
]

const platformOf = (name) => {
  const words = name.split(/[-/]/)
  const os = systems.filter((system) => words.includes(system))
  const cpu = processors.filter((one) =>
    words.some(
      (word) => word === one || (one === 'arm' && /^arm(v7|eabi|hf)?/.test(word) && word !== 'arm64'),
    ),
  )
  const libc = words.includes('musl') ? ['musl'] : words.includes('gnu') ? ['glibc'] : undefined
  if (words.includes('wasi')) return { cpu: ['wasm32'] }
  return { os, cpu, ...(libc ? { libc } : {}) }
}

const found = (from, name) => {
  for (let path = from; ; path = path.slice(0, path.lastIndexOf('node_modules/') - 1)) {
    if (lock.packages[`${path ? `${path}/` : ''}node_modules/${name}`]) return true
    if (!path.includes('node_modules/')) break
  }
  return lock.packages[`node_modules/${name}`] !== undefined
}

let added = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (found(path, name)) continue
    const platform = platformOf(name)
    if (!platform.cpu?.length && !platform.os?.length) {
      process.stderr.write(`left out, no platform in its name: ${name}\n`)
      continue
    }
    lock.packages[`node_modules/${name}`] = {
      version: range.replace(/^[^\d]*/, ''),
      ...platform,
      optional: true,
    }
    added += 1
  }
}
const packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([left], [right]) => (left < right ? -1 : 1)),
)
writeFileSync(file, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
process.stdout.write(`${added} optional packages of other platforms named in package-lock.json\n`)
