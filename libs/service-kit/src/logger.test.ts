import { createLogger } from './logger.ts'

/** The lines a logger writes while `work` runs. */
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

  it.each(['cookie', 'authorization'])('does not show the %s of a request', (name) => {
    const line = linesOf((logger) => logger.warn({ headers: { [name]: secret } }, 'asked'))
    expect(line).toContain('[redacted]')
    expect(line).not.toContain(secret)
  })

  it('says whose it is', () => {
    expect(JSON.parse(linesOf((logger) => logger.info('up')))).toMatchObject({
      ...{ service: 's', instance: 's-1', msg: 'up' },
    })
  })
})
