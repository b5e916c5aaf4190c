import { printedBy } from '@sumlock/testing/own-process'

const redis = JSON.stringify(new URL('redis.ts', import.meta.url).href)

/** Bytes by which the old generation grows for each of 8000 publications of 1 kB, 20 at a time, to a server that answers at once. */
const keptPerCommand = () =>
  printedBy(
    `
    import { once } from 'node:events'
    import { createServer } from 'node:net'
    import { getHeapSpaceStatistics } from 'node:v8'
    import { createRedis } from ${redis}
    const info = 'redis_version:7.4.0'
    const server = createServer({ noDelay: true }, (socket) => socket.setEncoding('latin1').on('data', (text) => {
      for (const [, name] of text.matchAll(/\\*\\d+\\r\\n\\$\\d+\\r\\n(\\w+)/g))
        socket.write(name === 'info' ? '$' + info.length + '\\r\\n' + info + '\\r\\n' : name === 'publish' ? ':1\\r\\n' : '+OK\\r\\n')
    })).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const redis = createRedis('redis://127.0.0.1:' + server.address().port, { warn() {}, info() {} })
    await once(redis, 'ready')
    let published = 0
    const publish = async () => {
      const taken = await redis.publish('channel ' + published, 'x'.repeat(1000) + published)
      if (taken !== 1) throw new Error('not published')
      published += 1
    }
    const publishMany = async (count) => {
      for (let sent = 0; sent < count; sent += 20) await Promise.all(Array.from({ length: 20 }, publish))
    }
    const oldBytes = () => getHeapSpaceStatistics()
      .filter(({ space_name }) => !space_name.startsWith('new_'))
      .reduce((sum, { space_used_size }) => sum + space_used_size, 0)
    await publishMany(8000)
    gc()
    const before = oldBytes()
    await publishMany(8000)
    process.stdout.write(JSON.stringify((oldBytes() - before) / 8000))
    process.exit()`,
    ['--min-semi-space-size=2', '--max-semi-space-size=2', '--initial-old-space-size=512'],
  ) as number

it('a command that was answered leaves less than 1 kB to the old generation', () => {
  const bytes = keptPerCommand()
  expect(bytes).toBeLessThan(1000)
  // A full collection would have hidden it.
  expect(bytes).toBeGreaterThan(-500)
})
