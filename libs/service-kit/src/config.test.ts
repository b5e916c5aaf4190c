import { z } from 'zod'
import { commonEnv, ConfigError, cookieSecure, hexKey, jsonEnv, loadConfig, replicaUrls } from './config.ts'

const schema = z.object({
  PORT: z.coerce.number().int(),
  KEY: hexKey,
  URLS: replicaUrls,
  KEYS: jsonEnv(z.array(z.string())),
})
const good = { PORT: '1', KEY: 'ab'.repeat(32), URLS: 'http://a:1, http://b:2/', KEYS: '["x"]' }

describe('loadConfig', () => {
  it('turns the environment into one frozen, typed object', () => {
    const config = loadConfig(schema, good)
    expect(config).toMatchObject({ PORT: 1, URLS: ['http://a:1', 'http://b:2'], KEYS: ['x'] })
    expect(config.KEY).toHaveLength(32)
    expect(Object.isFrozen(config)).toBe(true)
  })

  it('names every fault at once and never shows a value', () => {
    const load = () => loadConfig(schema, { ...good, KEY: 'hunter2', KEYS: '{', PORT: 'x' })
    expect(load).toThrow(/3 fault\(s\)/)
    expect(load).toThrow(/PORT[\s\S]*KEY[\s\S]*KEYS: is not JSON/)
    expect(load).not.toThrow(/hunter2/)
  })

  it('checks a JSON value against its schema', () => {
    expect(() => loadConfig(schema, { ...good, KEYS: '[1]' })).toThrow(/1 fault\(s\):\n {2}KEYS.0/)
  })

  it.each([
    'https://a:1',
    'http://a',
    'http://a:99999',
    'http://a:1/api',
    'http://me:pw@a:1',
    'http://[::1]:1',
    'a:1',
    '',
  ])('refuses %j as the address of a replica', (url) => {
    expect(() => loadConfig(schema, { ...good, URLS: `http://b:2,${url}` })).toThrow(
      'URLS.1: must be http://host:port',
    )
  })

  it('refuses a clock offset in production', () => {
    const env = { ...good, SUMLOCK_MODE: 'production', CLOCK_OFFSET_MS: '1000' }
    expect(() => loadConfig(schema, env)).toThrow(/CLOCK_OFFSET_MS/)
    expect(() => loadConfig(schema, { ...env, SUMLOCK_MODE: 'test' })).not.toThrow()
  })

  it('refuses cookies without TLS in production', () => {
    const load = (mode: string, COOKIE_SECURE: string) =>
      loadConfig(schema.extend({ COOKIE_SECURE: cookieSecure }), {
        ...good,
        SUMLOCK_MODE: mode,
        COOKIE_SECURE,
      })
    expect(() => load('production', 'false')).toThrow(ConfigError)
    expect(() => load('production', 'false')).toThrow('COOKIE_SECURE: must be true in production')
    expect(load('production', 'true').COOKIE_SECURE).toBe(true)
    expect(load('local', 'false').COOKIE_SECURE).toBe(false)
  })

  it('has no default for a secret', () => {
    expect(commonEnv.safeParse({}).error?.issues.map((issue) => issue.path[0])).toEqual(
      expect.arrayContaining(['INTERNAL_SECRET', 'TOKEN_PUBLIC_KEYS']),
    )
  })
})
