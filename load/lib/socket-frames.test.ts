import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { frames, readFrame, socketUrl } from './socket-frames.ts'

describe('the Socket.IO frames of a load test', () => {
  it('carry events, whether or not the server wants an acknowledgement', () => {
    const event = { type: 'new_message', data: { content: 'a, [b] "c"' } }
    expect(readFrame(`42${JSON.stringify(['event', event])}`)).toEqual({ kind: 'event', event })
    expect(readFrame(`4217${JSON.stringify(['event', event])}`)).toEqual({ kind: 'event', event })
    expect(readFrame('42["other",{}]')).toEqual({ kind: 'other' })
  })

  it('say why a socket was refused', () => {
    expect(readFrame('44{"message":"locked"}')).toEqual({ kind: 'refused', reason: 'locked' })
  })

  it.each([
    ['0{"sid":"x","pingInterval":10000}', 'open'],
    ['2', 'ping'],
    ['40{"sid":"x"}', 'connected'],
    ['41', 'closed'],
    ['1', 'closed'],
    ['6', 'other'],
    ['42/admin,["event",{}]', 'other'],
    ['40/admin,{"sid":"x"}', 'other'],
  ])('are recognized: %s is %s', (text, kind) => {
    expect(readFrame(text)).toEqual({ kind })
  })

  it('use wss for a gateway with https', () => {
    expect(socketUrl('https://a.example', { userId: 'u', conversationId: 'c' })).toBe(
      'wss://a.example/ws/?EIO=4&transport=websocket&userId=u&conversationId=c',
    )
  })

  it('connect to a real Socket.IO server, receive its event and answer its pings', async () => {
    const http = createServer()
    const io = new Server(http, {
      path: '/ws',
      transports: ['websocket'],
      pingInterval: 50,
      pingTimeout: 200,
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const gateway = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    io.on('connection', (socket) => socket.emit('event', { type: 'status', data: { degraded: false } }))
    const kinds: string[] = []
    const socket = new WebSocket(socketUrl(gateway, { userId: 'u', conversationId: 'c' }))
    try {
      await new Promise<void>((resolve, reject) => {
        let pings = 0
        socket.onclose = () => reject(new Error(`closed after ${kinds.join(', ')}`))
        socket.onmessage = ({ data }) => {
          const { kind } = readFrame(String(data))
          kinds.push(kind)
          if (kind === 'open') socket.send(frames.connect)
          if (kind === 'ping') {
            socket.send(frames.pong)
            // By now the server would have closed the socket of a client that does not answer.
            if (++pings === 4) resolve()
          }
        }
      })
    } finally {
      socket.onclose = null
      socket.close()
      await io.close()
    }
    expect(kinds.filter((kind) => kind !== 'ping')).toEqual(['open', 'connected', 'event'])
  })
})
