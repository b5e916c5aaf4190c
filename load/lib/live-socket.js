import { setTimeout } from 'k6/timers'
import { WebSocket } from 'k6/websockets'
import { gateway } from './setting.js'
import { frames, readFrame, socketUrl } from './socket-frames.js'

const reconnectMs = 3000
const jitterMs = 1000
const lastingRefusals = ['no_session', 'locked', 'not_allowed', 'origin_refused', 'invalid_request']

/** Connects a person and, like the client, tries again 3 to 4 s after every loss. */
export function connect(person, { onEvent, onRefused, onLost }) {
  let closed = false
  let connected = false
  /** Opens a socket; returns what loses it. */
  const open = () => {
    const params = { headers: { Cookie: person.cookie, Origin: gateway } }
    const socket = new WebSocket(socketUrl(gateway, person), null, params)
    let wanted = true
    let refused = false
    const over = (reason) => {
      if (!wanted) return
      wanted = false
      connected = false
      if (closed) return
      if (!refused) onLost?.(reason)
      comeBack()
    }
    socket.onmessage = (message) => {
      const frame = readFrame(String(message?.data))
      switch (frame.kind) {
        case 'open':
          return socket.send(frames.connect)
        case 'ping':
          return socket.send(frames.pong)
        case 'connected':
          connected = true
          return
        case 'event':
          return onEvent?.(frame.event)
        case 'refused':
          refused = true
          closed ||= lastingRefusals.includes(frame.reason)
          onRefused?.(frame.reason)
          return socket.close()
        case 'closed':
          return socket.close()
      }
    }
    socket.onerror = (fault) => over(String(fault?.error))
    socket.onclose = () => over('closed by the server')
    return () => {
      wanted = false
      connected = false
      socket.close()
    }
  }
  let waiting = false
  const comeBack = () => {
    if (waiting) return
    waiting = true
    setTimeout(
      () => {
        waiting = false
        if (!closed) drop = open()
      },
      reconnectMs + Math.random() * jitterMs,
    )
  }
  let drop = open()

  return {
    get connected() {
      return connected
    },
    /** Loses the connection as a network does, and comes back. */
    drop() {
      drop()
      comeBack()
    },
    close() {
      closed = true
      drop()
    },
  }
}
