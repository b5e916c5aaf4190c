import { keptByEach } from '@sumlock/testing/own-process'

const redis = JSON.stringify(new URL('redis.ts', import.meta.url).href)

/** Bytes by which the old generation grows for each of 4000 publications of 8 kB, four at a time, to a server that answers at once. */
const keptPerCommand = () =>
  keptByEach(
    4000,
    `
    import { once } from 'node:events'
    import { createServer } from 'node:net'
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
      const taken = await redis.publish('channel ' + published, 'x'.repeat(8000) + published)
      if (taken !== 1) throw new Error('not published')
      published += 1
    }
    const runMany = async (count) => {
      for (let sent = 0; sent < count; sent += 4) await Promise.all(Array.from({ length: 4 }, publish))
    }`,
  )

it('a command that was answered leaves less than 1 kB to the old generation', () => {
  const bytes = keptPerCommand()
  expect(bytes).toBeLessThan(1000)
  // A full collection would have hidden it.
  expect(bytes).toBeGreaterThan(-500)
})
