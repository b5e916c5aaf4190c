import { engineUserFaults } from './engine-users.ts'

const own = {
  SUMLOCK_MODE: 'production',
  KAFKA_BROKERS: 'kafka:9092',
  KAFKA_USERNAME: 'sumlock_realtime',
  REDIS_URL: 'rediss://sumlock_realtime:secret@redis:6379',
  REDIS_PUBLISH_URL: 'rediss://sumlock_realtime_publisher:secret@redis:6379',
}
const faultsOf = (settings: Record<string, string>) =>
  engineUserFaults({ ...own, ...settings }).map((fault) => fault.split(':')[0])

it.each([
  ['no user of Kafka', { KAFKA_USERNAME: '' }, 'KAFKA_USERNAME'],
  [
    'a service that is the administrator',
    { KAFKA_USERNAME: 'admin', INTERNAL_SECRET: 's' },
    'KAFKA_USERNAME',
  ],
  ['no user of Redis', { REDIS_URL: 'rediss://redis:6379' }, 'REDIS_URL'],
  ['a password of Redis alone', { REDIS_URL: 'rediss://:secret@redis:6379' }, 'REDIS_URL'],
  ['the user that everybody is', { REDIS_PUBLISH_URL: 'rediss://default:secret@redis' }, 'REDIS_PUBLISH_URL'],
  ['one user to subscribe and to publish', { REDIS_PUBLISH_URL: own.REDIS_URL }, 'REDIS_PUBLISH_URL'],
])('production refuses %s', (_what, settings, name) => {
  expect(faultsOf(settings)).toEqual([name])
})

it('production accepts own users, a job that is the administrator, and a service without the engine', () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf({ KAFKA_USERNAME: 'admin' })).toEqual([])
  expect(engineUserFaults({ SUMLOCK_MODE: 'production' })).toEqual([])
})

it('elsewhere no user is needed', () => {
  expect(faultsOf({ SUMLOCK_MODE: 'local', KAFKA_USERNAME: '', REDIS_URL: 'redis://redis' })).toEqual([])
})
