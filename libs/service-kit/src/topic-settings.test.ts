import { readTopicSettings } from './topic-settings.ts'

const env = { KAFKA_BROKERS: 'a:9092', SUMLOCK_NAMESPACE: 'sumlock' }

describe('the settings of the topics job', () => {
  it('leave the copies of a topic to the broker unless they are stated', () => {
    expect(readTopicSettings(env)).not.toHaveProperty('KAFKA_REPLICATION_FACTOR')
    const stated = { ...env, KAFKA_REPLICATION_FACTOR: '3', KAFKA_MIN_INSYNC_REPLICAS: '2' }
    expect(readTopicSettings(stated)).toMatchObject({
      KAFKA_REPLICATION_FACTOR: 3,
      KAFKA_MIN_INSYNC_REPLICAS: 2,
    })
  })

  it('refuse more acknowledging copies than a topic has', () => {
    const impossible = { ...env, KAFKA_REPLICATION_FACTOR: '1', KAFKA_MIN_INSYNC_REPLICAS: '2' }
    expect(() => readTopicSettings(impossible)).toThrow('KAFKA_MIN_INSYNC_REPLICAS')
  })
})
