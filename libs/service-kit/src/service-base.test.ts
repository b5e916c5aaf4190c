import { once } from 'node:events'
import { createServiceBase, openRedis } from './service-base.ts'

const config = {
  SUMLOCK_MODE: 'test',
  SUMLOCK_NAMESPACE: 'sumlock',
  INSTANCE: 'billing-1',
  HOST: '127.0.0.1',
  PORT: 1,
  INTERNAL_PORT: 2,
  LOG_LEVEL: 'silent',
  CLOCK_OFFSET_MS: 60_000,
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
  TRACE_SAMPLE_RATIO: 0,
  INSECURE_NETWORK: 'refused',
  INTERNAL_TIMEOUT_MS: 1500,
  DRAIN_DELAY_MS: 0,
  TOKEN_PUBLIC_KEYS: [],
  INTERNAL_SECRET: 'x'.repeat(32),
  INTERNAL_CALLERS: {},
} as const

const createBase = () => createServiceBase({ ...config, TOKEN_PUBLIC_KEYS: [] }, 'billing')

describe('the base of a service', () => {
  it('closes what was opened last first, and each part only after the one before has ended', async () => {
    const base = createBase()
    const events: string[] = []
    const part = (name: string) => async () => {
      events.push(`${name} closing`)
      await new Promise(setImmediate)
      events.push(`${name} closed`)
    }
    base.onClose(part('database'))
    base.onClose(part('outbox'))
    await base.close()
    expect(events).toEqual(['outbox closing', 'outbox closed', 'database closing', 'database closed'])
  })

  it('closes each part once', async () => {
    const base = createBase()
    let closed = 0
    base.onClose(() => (closed += 1))
    await base.close()
    await base.close()
    expect(closed).toBe(1)
  })

  it('begins without checks and is not draining', () => {
    const { health } = createBase()
    expect(health).toEqual({ checks: {}, draining: false })
  })

  it('disconnects its Redis when it closes', async () => {
    const base = createBase()
    const redis = openRedis({ ...base, config: { ...base.config, REDIS_URL: 'redis://127.0.0.1:9' } })
    const ended = once(redis, 'end')
    await base.close()
    await ended
    expect(redis.status).toBe('end')
  })

  it('shifts its clock by CLOCK_OFFSET_MS and labels its metrics with its name', async () => {
    const { clock, metrics } = createBase()
    expect(clock.nowMs() - Date.now()).toBeGreaterThan(59_000)
    expect(await metrics.registry.metrics()).toContain('service="billing"')
  })
})
