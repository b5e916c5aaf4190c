import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** The server's reaction to the next mail for an address: accept it, answer RCPT with a code, or hang up at the end. */
export type Mood = 'take' | 'hang up' | number

/** A mail server with the SMTP that a sender needs, which refuses on request. */
export interface MailServer {
  readonly url: string
  /** One for each try, in order; everything after the last is accepted. */
  script(address: string, ...moods: Mood[]): void
  /** Tries so far, and mails that were taken. */
  triesOf(address: string): number
  takenOf(address: string): number
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const scripts = new Map<string, Mood[]>()
  const tries = new Map<string, number>()
  const taken = new Map<string, number>()
  const open = new Set<Socket>()
  const add = (counts: Map<string, number>, address: string) =>
    counts.set(address, (counts.get(address) ?? 0) + 1)

  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
    const say = (line: string) => socket.write(`${line}\r\n`)
    let address = ''
    let mood: Mood = 'take'
    let isInData = false
    const hear = (line: string) => {
      if (isInData) {
        if (line !== '.') return
        isInData = false
        if (mood === 'hang up') return void socket.destroy()
        add(taken, address)
        return void say('250 taken')
      }
      const [verb = ''] = line.toUpperCase().split(/[ :]/, 1)
      if (verb === 'RCPT') {
        address = /<(.*)>/.exec(line)?.[1] ?? ''
        mood = scripts.get(address)?.shift() ?? 'take'
        add(tries, address)
        say(typeof mood === 'number' ? `${mood} not this one` : '250 ok')
      } else if (verb === 'DATA') {
        isInData = true
        say('354 go on')
      } else if (verb === 'QUIT') socket.end('221 bye\r\n')
      else say('250 ok')
    }
    let rest = ''
    socket.on('data', (piece) => {
      const lines = (rest + piece.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) hear(line)
    })
    say('220 ready')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    script: (to, ...moods) => void scripts.set(to, moods),
    triesOf: (to) => tries.get(to) ?? 0,
    takenOf: (to) => taken.get(to) ?? 0,
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
