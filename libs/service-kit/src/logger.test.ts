import { createLogger } from './logger.ts'
import { runFor } from './request-context.ts'

/** The lines that a logger writes while `work` runs. */
function linesOf(work: (logger: ReturnType<typeof createLogger>) => void): string {
  let text = ''
  const output = { write: (line: string) => void (text += line) }
  work(createLogger({ service: 's', instance: 's-1', level: 'info' }, output))
  return text
}

const secret = 'correct horse'

describe('a log line', () => {
  it.each(['password', 'numericPassword', 'content', 'code', 'token', 'cookie'])(
    'does not show a %s that was given to it by mistake',
    (field) => {
      const line = linesOf((logger) => logger.info({ body: { [field]: secret, other: 'shown' } }, 'asked'))
      expect(line).toContain('"other":"shown"')
      expect(line).toContain('[redacted]')
      expect(line).not.toContain(secret)
    },
  )

  it.each(['ECONNREFUSED', 11000])('shows the code %s of a driver error', (code) => {
    const err = Object.assign(new Error('away'), { code })
    const line = JSON.parse(linesOf((logger) => logger.warn({ err }, 'not stored'))) as { err: unknown }
    expect(line.err).toMatchObject({ message: 'away', code })
  })

  it.each([
    'not authorized on sumlock_auth to execute command { find: "users", filter: { name: "correct horse" } }',
    'E11000 duplicate key error collection: auth.users index: name_1 dup key: { name: "correct horse" }',
  ])('does not show the data that MongoDB quotes in %s', (message) => {
    const data = { keyValue: { name: secret }, writeErrors: [{ op: { name: secret } }], code: 13 }
    const err = new Error('not stored', { cause: Object.assign(new Error(message), data) })
    const lines = linesOf((logger) => {
      logger.warn({ err }, 'not stored')
      logger.warn({ err: Object.assign(new Error(message), data) }, 'not stored')
    })
    expect(lines).not.toContain(secret)
    expect(lines).toContain('"code":13')
    expect(lines).toContain(message.slice(0, 56))
    expect(lines).toContain('logger.test.ts')
  })

  it('shows each part of an error that has several, as of a host with several addresses', () => {
    const parts = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(`refused by ${address}`), { address }),
    )
    const lines = linesOf((logger) =>
      logger.warn({ err: new AggregateError(parts, 'not connected') }, 'away'),
    )
    const { err } = JSON.parse(lines) as { err: { aggregateErrors: unknown } }
    expect(err.aggregateErrors).toMatchObject([{ address: '::1' }, { message: 'refused by 127.0.0.1' }])
  })

  it('shows what was thrown without being an error', () => {
    const line = linesOf((logger) => logger.warn({ err: 'thrown text' }, 'failed'))
    expect(JSON.parse(line)).toMatchObject({ err: 'thrown text' })
  })

  it.each(['body', 'input', 'notice', 'data'])(
    'does not show the phone code in the %s of something',
    (where) => {
      const line = linesOf((logger) => logger.info({ [where]: { code: secret } }, 'asked'))
      expect(line).toContain('[redacted]')
      expect(line).not.toContain(secret)
    },
  )

  it.each(['cookie', 'authorization'])('does not show the %s of a request', (name) => {
    const line = linesOf((logger) => logger.warn({ headers: { [name]: secret } }, 'asked'))
    expect(line).toContain('[redacted]')
    expect(line).not.toContain(secret)
  })

  it('carries the id of its request', () => {
    const lines = linesOf((logger) => runFor({ requestId: 'request-1' }, () => logger.info('asked')))
    expect(JSON.parse(lines)).toMatchObject({ requestId: 'request-1' })
  })

  it('names the service and the instance in every line', () => {
    expect(JSON.parse(linesOf((logger) => logger.info('up')))).toMatchObject({
      service: 's',
      instance: 's-1',
      msg: 'up',
    })
  })
})
