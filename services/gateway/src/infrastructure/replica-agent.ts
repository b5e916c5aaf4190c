import { Agent } from 'node:http'
import type { ClientRequestArgs } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { idleConnectionMs } from '@sumlock/service-kit/http-exchange'
import type { Targets } from './bulkhead.ts'

type Created = (error: Error | null, socket: Duplex) => void

const connectTimeoutMs = 900

/**
 * Keeps connections to the replicas of one service. A replica that cannot be reached is skipped while connecting, before
 * a byte of the request was sent, so that no request is executed twice.
 */
export class ReplicaAgent extends Agent {
  readonly #targets: Targets
  /**
   * A connection was made for the replica `wanted`. It leads to the replica `reached`, which is another one if `wanted`
   * could not be reached.
   */
  readonly #ends = new WeakMap<Duplex, { reached: string; wanted: string }>()

  /** Keeps up to `maxIdle` idle connections to each replica, for `idleMs`. */
  constructor(targets: Targets, maxIdle: number, idleMs = idleConnectionMs) {
    super({ keepAlive: true, maxFreeSockets: maxIdle, timeout: idleMs })
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

  /** Node calls this method after each answer. A connection must not enter the pool of another replica or of a stopping one. */
  override keepSocketAlive(socket: Duplex): boolean {
    const ends = this.#ends.get(socket)
    if (!ends || ends.reached !== ends.wanted) return false
    if (this.#targets.isDown(ends.reached) || !this.#targets.has(ends.reached)) return false
    const node = Agent.prototype as unknown as { keepSocketAlive(socket: Duplex): boolean }
    return node.keepSocketAlive.call(this, socket)
  }

  /** Leaves out the replica at the other end of a connection, because it is stopping, and closes its idle connections. */
  leave(connection: Duplex): void {
    const target = this.#ends.get(connection)?.reached
    if (target === undefined) return
    this.#targets.reportStopping(target)
    this.#closeIdle((reached) => reached === target)
  }

  /** Closes the idle connections to replicas that are no longer in the list. */
  prune(): void {
    this.#closeIdle((reached) => !this.#targets.has(reached))
  }

  #closeIdle(isMeant: (reached: string) => boolean): void {
    for (const idle of Object.values(this.freeSockets).flat()) {
      const ends = idle && this.#ends.get(idle)
      if (ends && isMeant(ends.reached)) idle.destroy()
    }
  }
}

function reach(target: string, reached: (error: Error | null, socket: Socket) => void): void {
  const { hostname, port } = new URL(target)
  const socket = connect({ host: hostname, port: Number(port || 80), noDelay: true })
  const giveUp = () => {
    if (!socket.connecting) return
    socket.destroy(Object.assign(new Error(`${target} cannot be reached`), { code: 'ETIMEDOUT' }))
  }
  // The check runs after the pending I/O events, because the connection may have been made while the process got no processor time.
  const timer = setTimeout(() => setImmediate(giveUp), connectTimeoutMs)
  const settle = (error: Error | null) => {
    clearTimeout(timer)
    socket.off('error', settle)
    reached(error, socket)
  }
  socket.once('error', settle)
  socket.once('connect', () => settle(null))
}
