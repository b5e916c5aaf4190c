import { setTimeout } from 'k6/timers'
import { WebSocket } from 'k6/websockets'
import type { LoadPerson } from './load-person.ts'
import { gateway } from './people.ts'
import { frames, readFrame, socketUrl } from './socket-frames.ts'

const reconnectMs = 3000
const jitterMs = 1000

interface Listeners {
  onEvent: (event: unknown) => void
  /** Called when the server refuses or ends the connection, or when it breaks. */
  onFailure: (kind: 'sockets_refused' | 'sockets_lost', reason: string) => void
}

/** Connects a person's socket. Like the web client, it connects again 3 to 4 s after every loss. */
export function connect(person: LoadPerson, { onEvent, onFailure }: Listeners) {
  let current: WebSocket | undefined
  let connected = false
  let closed = false

  function open() {
    if (closed) return
    const params = { headers: { Cookie: person.cookie, Origin: gateway } }
    const socket = new WebSocket(socketUrl(gateway, person), null, params)
    current = socket
    const fail: Listeners['onFailure'] = (kind, reason) => {
      // A close event also follows an error, and a close by this side, which were both handled before.
      if (socket !== current) return
      onFailure(kind, reason)
      drop()
    }
    socket.onerror = (fault) => fail('sockets_lost', String(fault?.error))
    socket.onclose = () => fail('sockets_lost', 'closed by the server')
    socket.onmessage = (message) => {
      if (socket !== current) return
      const frame = readFrame(message?.data as string)
      if (frame.kind === 'open') socket.send(frames.connect)
      else if (frame.kind === 'ping') socket.send(frames.pong)
      else if (frame.kind === 'connected') connected = true
      else if (frame.kind === 'event') onEvent(frame.event)
      else if (frame.kind === 'refused') fail('sockets_refused', frame.reason)
      else if (frame.kind === 'closed') socket.close()
    }
  }

  function leave() {
    const socket = current
    current = undefined
    connected = false
    socket?.close()
  }

  function drop() {
    if (!current) return
    leave()
    setTimeout(open, reconnectMs + Math.random() * jitterMs)
  }

  open()
  return {
    isConnected: () => connected,
    /** Ends the connection, as a failing network would, and connects again later. */
    drop,
    close() {
      closed = true
      leave()
    },
  }
}
