import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

// A mail server as an operator has one: port 587, STARTTLS, a password. It delivers nothing. Port 8080 shows the letters.
const account = { username: process.env['MAIL_USER'], password: process.env['MAIL_PASSWORD'] }
const letters: { to: string[]; secure: boolean; text: string }[] = []

const server = new SMTPServer({
  key: readFileSync('/certificate/tls.key'),
  cert: readFileSync('/certificate/tls.crt'),
  ...(process.env['WITHOUT_TLS'] === 'yes'
    ? { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }
    : {}),
  disableReverseLookup: true,
  onAuth({ username, password }, _session, done) {
    const isRight = username === account.username && password === account.password
    done(isRight ? null : new Error('The password is wrong.'), { user: String(username) })
  },
  onData(stream, { envelope, secure }, done) {
    const keep = (letter: string) =>
      letters.push({ to: envelope.rcptTo.map(({ address }) => address), secure, text: letter })
    void text(stream)
      .then(keep)
      .then(() => done(), done)
  },
})
server.on('error', (error) => process.stderr.write(`${error.message}\n`))
server.listen(587)
createServer((_request, response) => response.end(JSON.stringify(letters))).listen(8080)
