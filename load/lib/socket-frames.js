// Socket.IO over one websocket, by hand: Engine.IO 4 packets with Socket.IO 5 packets inside. k6 has no client for it.

/** What a client says first, and what it answers to a ping. */
export const frames = { connect: '40', pong: '3', disconnect: '41' }

/** Address of the socket of a person. */
export function socketUrl(gateway, { userId, conversationId = '' }) {
  const query = ['EIO=4', 'transport=websocket', `userId=${encodeURIComponent(userId)}`]
  if (conversationId) query.push(`conversationId=${encodeURIComponent(conversationId)}`)
  return `${gateway.replace(/^http/, 'ws')}/ws/?${query.join('&')}`
}

/** Reads what the server sent. */
export function readFrame(text) {
  switch (text[0]) {
    case '0': {
      const { pingInterval, pingTimeout } = JSON.parse(text.slice(1))
      return { kind: 'open', silentAfterMs: pingInterval + pingTimeout }
    }
    case '1':
      return { kind: 'closed' }
    case '2':
      return { kind: 'ping' }
    case '4':
      return readPacket(text)
    default:
      return { kind: 'other' }
  }
}

function readPacket(text) {
  // Another namespace than the main one is named before a comma.
  if (text[2] === '/') return { kind: 'other' }
  switch (text[1]) {
    case '0':
      return { kind: 'connected' }
    case '1':
      return { kind: 'closed' }
    case '4':
      return { kind: 'refused', reason: JSON.parse(text.slice(2)).message }
    case '2': {
      // The number of an acknowledgement the server may ask for stands before the array.
      const [name, event] = JSON.parse(text.slice(text.indexOf('[')))
      return name === 'event' ? { kind: 'event', event } : { kind: 'other' }
    }
    default:
      return { kind: 'other' }
  }
}
