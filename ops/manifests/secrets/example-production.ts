import type { Secrets } from '@sumlock/deployment/secrets'
import { ownEngines } from './secret-manifests.ts'

const smsAccount = {
  TWILIO_ACCOUNT_SID: `AC${'0a'.repeat(16)}`,
  TWILIO_API_KEY: `SK${'0a'.repeat(16)}`,
  TWILIO_API_SECRET: 'of ours',
}
const withTls = (address: string) =>
  address.startsWith('mongodb:')
    ? `${address}${address.includes('?') ? '&' : '?'}tls=true`
    : address.replace(/^redis:/, 'rediss:').replace(/^http:/, 'https:')

/**
 * Returns invented settings of an operator for checks of the manifests: engines with TLS and an account at the SMS
 * provider.
 */
export const exampleProduction = (secrets: Secrets): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(ownEngines(secrets)).map(([name, address]) => [name, withTls(address)]),
  ),
  KAFKA_TLS: 'on',
  SMTP_URL: 'smtps://sumlock:secret@mail.example.com',
  ...smsAccount,
})
