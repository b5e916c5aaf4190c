import { Registry } from 'prom-client'
import { createLogger } from './logger.ts'
import { createSecurityEvents } from './security-events.ts'

const userId = '9b2f5c7e-3d41-4a86-8f0b-1c2d3e4f5a6b'

function open(key: string) {
  const lines: string[] = []
  const registry = new Registry()
  const logger = createLogger(
    { service: 'auth', instance: 'auth-1', level: 'info' },
    { write: (line) => void lines.push(line) },
  )
  return { lines, registry, ...createSecurityEvents({ registry, logger, key }) }
}
const accountIn = (line = '') => (JSON.parse(line) as { account?: string }).account

it('a security event is counted, and is one line with its kind and a hash of the account', async () => {
  const { note, lines, registry } = open('a key')
  note('wrong-password', userId)
  note('wrong-password', userId)
  note('csrf-refused')
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { msg: 'security event', event: 'wrong-password', service: 'auth' },
    { event: 'wrong-password' },
    { event: 'csrf-refused' },
  ])
  expect(accountIn(lines[0])).toMatch(/^[\w-]{22}$/)
  expect(accountIn(lines[1])).toBe(accountIn(lines[0]))
  expect(accountIn(lines[2])).toBeUndefined()
  expect(lines.join()).not.toContain(userId)
  const figures = await registry.getSingleMetricAsString('security_events_total')
  expect(figures).toContain('security_events_total{event="wrong-password"} 2')
  expect(figures).toContain('security_events_total{event="session-revoked"} 0')
})

it('the hash of an account depends on the key of the service', () => {
  const accounts = ['one key', 'another key'].map((key) => {
    const { note, lines } = open(key)
    note('unlocked', userId)
    return accountIn(lines[0])
  })
  expect(accounts[0]).not.toBe(accounts[1])
})
