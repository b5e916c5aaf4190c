import { Agent } from 'node:http'
import type { ClientRequestArgs } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Targets } from './bulkhead.ts'

type Created = (error: Error | null, socket: Duplex) => void

const connectWithinMs = 900

/**
 * Keeps connections to the replicas of one service. A replica that cannot be reached is passed over while connecting,
 * before a byte of the request was sent: whatever the request is, nothing can be done twice by that.
 */
export class ReplicaAgent extends Agent {
  readonly #targets: Targets
  /** Which replica a connection leads to, and which one it was made for. */
  readonly #ends = new WeakMap<Duplex, { reached: string; wanted: string }>()

  /** Keeps up to `idleAtMost` idle connections to each. */
  constructor(targets: Targets, idleAtMost: number) {
    super({ keepAlive: true, maxFreeSockets: idleAtMost })
    this.#targets = targets
  }

  override createConnection({ host, port }: ClientRequestArgs, created: Created): undefined {
    const wanted = `http://${host}:${port}`
    const tried = new Set<string>()
    const tryOne = (target: string): void => {
      tried.add(target)
      reach(target, (error, socket) => {
        if (error) this.#targets.reportDown(target)
        if (error && tried.size < this.#targets.count) {
          tryOne(this.#targets.next(tried))
          return
        }
        this.#ends.set(socket, { reached: target, wanted })
        created(error, socket)
      })
    }
    tryOne(wanted)
  }

  /** Asked by Node after an answer: not into the pool of another replica, nor where the next request would be cut off. */
  override keepSocketAlive(socket: Duplex): boolean {
    const ends = this.#ends.get(socket)
    if (!ends || ends.reached !== ends.wanted || this.#targets.isDown(ends.reached)) return false
    const node = Agent.prototype as unknown as { keepSocketAlive(socket: Duplex): boolean }
    return node.keepSocketAlive.call(this, socket)
  }

  /** The replica behind a connection says that it is stopping: nothing new goes there, least of all over idle connections. */
  leave(connection: Duplex): void {
    const target = this.#ends.get(connection)?.reached
    if (target === undefined) return
    this.#targets.reportStopping(target)
    for (const idle of Object.values(this.freeSockets).flat())
      if (idle && this.#ends.get(idle)?.reached === target) idle.destroy()
  }
}

function reach(target: string, reached: (error: Error | null, socket: Socket) => void): void {
  const { hostname, port } = new URL(target)
  const socket = connect({ host: hostname, port: Number(port || 80), noDelay: true })
  const giveUp = () => {
    if (!socket.connecting) return
    socket.destroy(Object.assign(new Error(`${target} cannot be reached`), { code: 'ETIMEDOUT' }))
  }
  // After a look at all sockets: a process that had no processor for so long may have been connected most of the time.
  const afterLooking = setImmediate
  const timer = setTimeout(() => afterLooking(giveUp), connectWithinMs)
  const settle = (error: Error | null) => {
    clearTimeout(timer)
    socket.off('error', settle)
    reached(error, socket)
  }
  socket.once('error', settle)
  socket.once('connect', () => settle(null))
}
