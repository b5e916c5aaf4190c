import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** How the server answers a mail: it accepts it, refuses the receiver with a code, or hangs up after the content. */
export type MailAnswer = 'accept' | 'hang up' | number

/** A mail server that refuses on request. */
export interface MailServer {
  readonly url: string
  /** The answers to the next mails for an address, in order; all later ones are accepted. */
  script(address: string, ...answers: MailAnswer[]): void
  /** How many mails for the address were tried so far, and how many were accepted. */
  triesOf(address: string): number
  acceptedOf(address: string): number
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const scripts = new Map<string, MailAnswer[]>()
  const tries: string[] = []
  const accepted: string[] = []
  const hangUps = new Set<string>()
  const countOf = (list: readonly string[]) => (address: string) =>
    list.filter((each) => each === address).length

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onRcptTo({ address }, { id }, done) {
      tries.push(address)
      const answer = scripts.get(address)?.shift() ?? 'accept'
      if (answer === 'hang up') hangUps.add(id)
      if (typeof answer === 'number') done(Object.assign(new Error('refused'), { responseCode: answer }))
      else done()
    },
    onData(stream, { id, envelope }, done) {
      stream.resume().on('end', () => {
        if (hangUps.delete(id)) {
          for (const connection of server.connections) if (connection.id === id) connection.close()
          return
        }
        accepted.push(...envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    script: (address, ...answers) => void scripts.set(address, answers),
    triesOf: countOf(tries),
    acceptedOf: countOf(accepted),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
