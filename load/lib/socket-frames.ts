// Socket.IO over one websocket: Engine.IO 4 packets with Socket.IO 5 packets inside. k6 has no client for it.

/** The first frame of a client, and its answer to a ping. */
export const frames = { connect: '40', pong: '3' }

export type Frame =
  | { kind: 'open' | 'closed' | 'ping' | 'connected' | 'other' }
  | { kind: 'refused'; reason: string }
  | { kind: 'event'; event: unknown }

/** Address of a person's socket. */
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
  // The number of a wanted acknowledgement stands before the array.
  const [name, event] = JSON.parse(text.slice(text.indexOf('['))) as unknown[]
  return name === 'event' ? { kind: 'event', event } : { kind: 'other' }
}
