import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** The answer of the server to a mail: it accepts it, refuses the receiver with a code, or hangs up after the content. */
export type MailAnswer = 'accept' | 'hang up' | number

export interface ReceivedMail {
  to: string
  messageId: string
}

/** A mail server with prepared answers. */
export interface MailServer {
  readonly url: string
  /** The accepted mails, in order. */
  readonly accepted: readonly ReceivedMail[]
  /** The most mails that were open at the same time so far. */
  readonly mostAtOnce: number
  readonly openNow: number
  /** Called with the content of each mail; its answer comes once the promise is resolved. */
  beforeAnswer: (mail: ReceivedMail) => Promise<void>
  /** The answers to the next mails for an address, in order; all later ones are accepted. */
  script(address: string, ...answers: MailAnswer[]): void
  /** The number of mails for the address that were tried so far, and of those accepted. */
  triesOf(this: void, address: string): number
  acceptedOf(this: void, address: string): number
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const scripts = new Map<string, MailAnswer[]>()
  const tries: string[] = []
  const accepted: ReceivedMail[] = []
  const hangUps = new Set<string>()
  const open = new Set<string>()
  let mostAtOnce = 0

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo({ address }, { id }, done) {
      tries.push(address)
      mostAtOnce = Math.max(mostAtOnce, open.add(id).size)
      const answer = scripts.get(address)?.shift() ?? 'accept'
      if (answer === 'hang up') hangUps.add(id)
      if (typeof answer === 'number') done(Object.assign(new Error('refused'), { responseCode: answer }))
      else done()
    },
    onData(stream, { id, envelope }, done) {
      let content = ''
      stream.setEncoding('utf8').on('data', (text: string) => (content += text))
      stream.on('end', () => {
        const [to = ''] = envelope.rcptTo.map(({ address }) => address)
        const mail = { to, messageId: /^message-id: *(\S+)/im.exec(content)?.[1] ?? '' }
        void mailServer.beforeAnswer(mail).then(() => {
          open.delete(id)
          if (hangUps.delete(id)) {
            for (const connection of server.connections) if (connection.id === id) connection.close()
            return
          }
          accepted.push(mail)
          done()
        })
      })
    },
    onClose: ({ id }) => void open.delete(id),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    accepted,
    get mostAtOnce() {
      return mostAtOnce
    },
    get openNow() {
      return open.size
    },
    beforeAnswer: () => Promise.resolve(),
    script: (address, ...answers) => void scripts.set(address, answers),
    triesOf: (address) => tries.filter((each) => each === address).length,
    acceptedOf: (address) => accepted.filter(({ to }) => to === address).length,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return mailServer
}
