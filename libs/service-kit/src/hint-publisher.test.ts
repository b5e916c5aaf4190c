import { Writable } from 'node:stream'
import type { Redis } from 'ioredis'
import { Registry } from 'prom-client'
import { createHintPublisher } from './hint-publisher.ts'

it('publishes the hints of one turn of the event loop in one write', async () => {
  const writes: string[] = []
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk, _encoding, done) => {
      writes.push(String(chunk))
      done()
    },
    writev: (chunks, done) => {
      writes.push(chunks.map(({ chunk }) => String(chunk)).join('+'))
      done()
    },
  })
  const publish = (channel: string) => {
    stream.write(channel)
    return Promise.resolve(1)
  }
  const redis = { status: 'ready', commandQueue: [], stream, publish } as unknown as Redis
  const hints = createHintPublisher(redis, new Registry())
  // As realtime does for the Socket.IO adapter.
  Object.assign(redis, { publish: hints.publish })
  const stored = Promise.resolve()
  // Two members, and a second message that the same group commit stored.
  await Promise.all([
    hints.publish('ann', 'x'),
    hints.publish('ben', 'x'),
    stored.then(() => hints.publish('eve', 'x')),
  ])
  await new Promise(setImmediate)
  expect(writes).toEqual(['ann+ben+eve'])
  await hints.publish('ann', 'x')
  await new Promise(setImmediate)
  expect(writes).toEqual(['ann+ben+eve', 'ann'])
})
