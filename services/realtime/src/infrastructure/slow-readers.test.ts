import { EventEmitter } from 'node:events'
import { watchSlowReaders } from './slow-readers.ts'
import type { SlowReaders } from './slow-readers.ts'

const bounds = { perSocket: 100, total: 250 }
let readers: SlowReaders
let cutOff: string[]
beforeEach(() => {
  cutOff = []
  readers = watchSlowReaders(bounds)
})
afterEach(() => readers.stop())

/** A watched socket whose connection below holds so many bytes. */
function watched(name: string, writableLength = 0) {
  const packets = new EventEmitter()
  const connection = {
    writableLength,
    destroy: () => {
      cutOff.push(name)
      return undefined as never
    },
  }
  readers.watch(packets, connection)
  const create = (length: number) => packets.emit('packetCreate', { data: 'x'.repeat(length) })
  return { packets, connection, create }
}

it('a socket with more unread than one may have is cut off, whether it waits above or below the WebSocket', () => {
  watched('few', 100)
  const both = watched('both', 60)
  both.create(30)
  readers.cutOff()
  expect(cutOff).toEqual([])
  both.create(11)
  readers.cutOff()
  expect(cutOff).toEqual(['both'])
  readers.cutOff()
  expect(cutOff).toEqual(['both'])
})

it('packets that were handed on are counted by the connection alone', () => {
  const { packets, create } = watched('one')
  create(101)
  packets.emit('flush')
  readers.cutOff()
  expect(cutOff).toEqual([])
})

it('of too much in all, the sockets with most unread are cut off, until the rest is within the limit', () => {
  for (const [name, bytes] of Object.entries({ a: 70, b: 90, c: 50, d: 80 })) watched(name, bytes)
  readers.cutOff()
  expect(cutOff).toEqual(['b'])
})

it('a closed socket counts no longer', () => {
  const { packets, connection } = watched('closed', 101)
  packets.emit('close')
  readers.cutOff()
  expect(cutOff).toEqual([])
  expect(connection.writableLength).toBe(101)
})
