import { z } from 'zod'
import { loadConfig } from './config.ts'
import { kafkaConnection, kafkaEnv } from './kafka-settings.ts'

const pem = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n'
const brokers = { KAFKA_BROKERS: 'a:9093,b:9093' }
const account = { KAFKA_USERNAME: 'sumlock', KAFKA_PASSWORD: 'hunter2' }
const load = (env: NodeJS.ProcessEnv) => loadConfig(z.object(kafkaEnv), { ...brokers, ...env })
const connection = (env: NodeJS.ProcessEnv) => kafkaConnection(load(env))

describe('the Kafka settings', () => {
  it('connect without TLS and without a user when only the brokers are named', () => {
    expect(connection({})).toEqual({ brokers: ['a:9093', 'b:9093'] })
  })

  it('connect with TLS, an authority and a user, by SCRAM-SHA-512 unless another mechanism is named', () => {
    const tls = { KAFKA_TLS: 'on', KAFKA_CA: pem }
    expect(connection({ ...tls, ...account })).toEqual({
      brokers: ['a:9093', 'b:9093'],
      ssl: { ca: [pem] },
      sasl: { mechanism: 'scram-sha-512', username: 'sumlock', password: 'hunter2' },
    })
    expect(connection({ KAFKA_TLS: 'on' }).ssl).toEqual({})
    expect(connection({ ...account, KAFKA_SASL_MECHANISM: 'plain' }).sasl).toMatchObject({
      mechanism: 'plain',
    })
  })

  it.each([
    ['a user without a password', { KAFKA_USERNAME: 'sumlock' }, 'KAFKA_PASSWORD: set both or none'],
    ['a password without a user', { KAFKA_PASSWORD: 'hunter2' }, 'KAFKA_PASSWORD: set both or none'],
    ['an authority without TLS', { KAFKA_CA: pem }, 'KAFKA_CA: needs KAFKA_TLS=on'],
    ['an authority that is no certificate', { KAFKA_TLS: 'on', KAFKA_CA: '/etc/ca.pem' }, 'KAFKA_CA'],
    ['a word for TLS besides on and off', { KAFKA_TLS: 'true' }, 'KAFKA_TLS'],
    ['an unknown mechanism', { KAFKA_SASL_MECHANISM: 'gssapi' }, 'KAFKA_SASL_MECHANISM'],
  ])('refuse %s', (_fault, env, message) => {
    expect(() => load(env)).toThrow(message)
    expect(() => load(env)).not.toThrow('hunter2')
  })

  it('refuse a password that would cross the network without TLS in production', () => {
    const open = { ...account, SUMLOCK_MODE: 'production' }
    expect(() => load(open)).toThrow('KAFKA_TLS: needs TLS in production')
    expect(() => load({ ...open, KAFKA_TLS: 'on' })).not.toThrow()
    expect(() => load({ ...open, INSECURE_NETWORK: 'accepted' })).not.toThrow()
    expect(() => load({ ...open, SUMLOCK_MODE: 'local' })).not.toThrow()
  })
})
