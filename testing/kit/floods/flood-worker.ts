import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { Flood, FloodFigures } from './flood.ts'

const { port, connections, addresses, perSecond, heads, trickleMs, seconds } = workerData as Flood
const tickMs = 20

const figures: FloodFigures = { opened: 0, open: 0, mostOpen: 0, statuses: {} }
const sockets = new Set<Socket>()
/** Each connection has a number, which determines its address; these numbers are free. */
const missing = Array.from({ length: connections }, (_, number) => connections - 1 - number)

const addressOf = (number: number) =>
  `127.1.${Math.floor((number % addresses) / 250)}.${1 + ((number % addresses) % 250)}`

function open(number: number): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress: addressOf(number) })
  sockets.add(socket)
  let isOpen = false
  socket.once('connect', () => {
    isOpen = true
    figures.opened += 1
    figures.open += 1
    figures.mostOpen = Math.max(figures.mostOpen, figures.open)
    const head = heads[number % heads.length]
    if (head) socket.write(head)
  })
  socket.on('data', (data) => {
    const [, status] = /^HTTP\/1\.1 (\d+)/.exec(data.toString('latin1')) ?? []
    if (status) figures.statuses[status] = (figures.statuses[status] ?? 0) + 1
  })
  socket.on('error', () => undefined)
  socket.once('close', () => {
    sockets.delete(socket)
    if (isOpen) figures.open -= 1
    missing.push(number)
  })
}

let due = 0
setInterval(() => {
  due = Math.min(due + (perSecond * tickMs) / 1000, perSecond)
  for (; due >= 1 && missing.length > 0; due -= 1) open(missing.pop() as number)
}, tickMs)
if (trickleMs !== undefined)
  setInterval(() => {
    for (const socket of sockets) if (socket.writable && !socket.connecting) socket.write('x')
  }, trickleMs)
setTimeout(() => process.exit(), seconds * 1000)

parentPort?.on('message', () => parentPort?.postMessage(figures))
