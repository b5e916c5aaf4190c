// k6 has no client for Socket.IO, so these functions read and write its frames on a websocket: packets of Engine.IO 4
// that contain packets of Socket.IO 5.

/** A client sends `connect` first, and answers each ping by `pong`. */
export const frames = { connect: '40', pong: '3' }

export type Frame =
  | { kind: 'open' | 'closed' | 'ping' | 'connected' | 'other' }
  | { kind: 'refused'; reason: string }
  | { kind: 'event'; event: unknown }

/** Returns the address to which a person's socket connects. */
export function socketUrl(gateway: string, person: { userId: string; conversationId: string }): string {
  const ids = `userId=${person.userId}&conversationId=${person.conversationId}`
  return `${gateway.replace(/^http/, 'ws')}/ws/?EIO=4&transport=websocket&${ids}`
}

export function readFrame(text: string): Frame {
  // Packets of other namespaces begin with their namespace and a comma.
  if (text.startsWith('4') && text[2] === '/') return { kind: 'other' }
  if (text.startsWith('0')) return { kind: 'open' }
  if (text.startsWith('2')) return { kind: 'ping' }
  if (text.startsWith('40')) return { kind: 'connected' }
  if (text.startsWith('1') || text.startsWith('41')) return { kind: 'closed' }
  if (text.startsWith('44')) {
    const { message } = JSON.parse(text.slice(2)) as { message: string }
    return { kind: 'refused', reason: message }
  }
  if (!text.startsWith('42')) return { kind: 'other' }
  // If an acknowledgement is wanted, its number stands before the array.
  const [name, event] = JSON.parse(text.slice(text.indexOf('['))) as unknown[]
  return name === 'event' ? { kind: 'event', event } : { kind: 'other' }
}
