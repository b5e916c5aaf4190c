import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { createMailSender } from './mail-sender.ts'

let server: SMTPServer
const passwords: string[] = []
const letters: string[] = []
beforeEach(async () => {
  server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    disableReverseLookup: true,
    onAuth({ username, password }, _session, done) {
      passwords.push(String(password))
      done(null, { user: String(username) })
    },
    onData(stream, { envelope }, done) {
      letters.push(...envelope.rcptTo.map(({ address }) => address))
      stream.on('end', done).resume()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  passwords.length = letters.length = 0
})
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())))

const send = (account: string, requireTLS: boolean) => {
  const { port } = server.server.address() as AddressInfo
  const url = `smtp://${account}127.0.0.1:${port}`
  const letter = { to: 'ann@example.com', subject: 'A link', text: 'https://calculator.example.com' }
  return createMailSender({ url, from: 'Calculator <no-reply@calculator.local>', requireTLS })(
    { ...letter, noticeId: 'n-1' },
    new AbortController().signal,
  )
}

it.each(['', 'sumlock:hunter2@'])(
  'gives a mail server without TLS neither password nor letter where TLS is demanded (account “%s”)',
  async (account) => {
    await expect(send(account, true)).rejects.toMatchObject({ code: 'ETLS' })
    expect([passwords, letters]).toEqual([[], []])
  },
)

it('sends in the clear where TLS is not demanded, as to the inbox of this machine', async () => {
  await send('', false)
  await send('sumlock:hunter2@', false)
  expect(passwords).toEqual(['hunter2'])
  expect(letters).toEqual(['ann@example.com', 'ann@example.com'])
})
