import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { answerAsTwilio } from '@sumlock/testing/twilio-server'

// The tests' Twilio under Twilio's own name, with a certificate of the try's authority.
const setting = (name: string) => process.env[name] ?? ''
const { listener } = answerAsTwilio({
  account: setting('TWILIO_ACCOUNT_SID'),
  key: setting('TWILIO_API_KEY'),
  secret: setting('TWILIO_API_SECRET'),
})
const certificate = { key: readFileSync('/certificate/tls.key'), cert: readFileSync('/certificate/tls.crt') }
createServer(certificate, listener).listen(443, setting('ADDRESS'))
