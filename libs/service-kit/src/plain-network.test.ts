import { plainNetworkFaults } from './plain-network.ts'

const faultsOf = (settings: Record<string, string>) =>
  plainNetworkFaults({ SUMLOCK_MODE: 'production', ...settings }).map((fault) => fault.split(':')[0])

const plain = {
  MONGO_URL: 'mongodb://sumlock_auth:secret@mongo-1:27017,mongo-2:27017/sumlock_auth?replicaSet=rs0',
  MONGO_URL_AUTH: 'mongodb://mongo:27017/?tls=false',
  REDIS_URL: 'redis://:secret@redis:6379',
  REDIS_PUBLISH_URL: 'redis://:secret@redis:6379',
  S3_ENDPOINT: 'http://s3:7070',
  KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9092',
}

it('names each engine that production would speak to without TLS', () => {
  expect(faultsOf(plain)).toEqual([
    'MONGO_URL',
    'MONGO_URL_AUTH',
    'REDIS_URL',
    'REDIS_PUBLISH_URL',
    'S3_ENDPOINT',
    'KAFKA_TLS',
  ])
})

it('accepts engines with TLS, and those that are not used', () => {
  expect(
    faultsOf({
      MONGO_URL: 'mongodb://u:p@mongo-1:27017,mongo-2:27017/sumlock_auth?replicaSet=rs0&tls=true',
      MONGO_URL_AUTH: 'mongodb+srv://u:p@cluster.example.com/sumlock_auth',
      REDIS_URL: 'rediss://:secret@redis.example.com:6379',
      S3_ENDPOINT: 'https://s3.example.com',
      KAFKA_BROKERS: 'kafka-1:9092',
      KAFKA_TLS: 'on',
    }),
  ).toEqual([])
  expect(faultsOf({ S3_ENDPOINT: '' })).toEqual([])
})

it.each([
  'mongodb+srv://u:p@cluster.example.com/?tls=false',
  'mongodb://mongo:27017/?tls=true&tlsInsecure=true',
  'mongodb://mongo:27017/?ssl=true&tlsAllowInvalidCertificates=true',
  'mongodb://mongo:27017/?tls=true&tlsinsecure=true',
  'mongodb+srv://u:p@cluster.example.com/?TLS=false',
  'mongo without a scheme',
])('refuses %s, with which TLS proves nothing', (MONGO_URL) => {
  expect(faultsOf({ MONGO_URL })).toEqual(['MONGO_URL'])
})

it('accepts every engine outside of production, and where the operator accepts the network', () => {
  expect(faultsOf({ ...plain, SUMLOCK_MODE: 'local' })).toEqual([])
  expect(faultsOf({ ...plain, INSECURE_NETWORK: 'accepted' })).toEqual([])
})
