import { Redis } from 'ioredis'
import mongoose from 'mongoose'
import { toAppError } from './app-error.ts'
import { isTransient } from './transient.ts'

const { mongo } = mongoose
const server = (code: number, errorLabels: string[] = []) =>
  new mongo.MongoServerError({ message: 'no', code, errorLabels })
const named = (name: string, more: object = {}) => Object.assign(new Error('no'), { name, ...more })
const system = (code: string) => Object.assign(new Error(code), { code, syscall: 'connect' })
const reply = (message: string) => named('ReplyError', { message })

describe('a transient failure', () => {
  it.each<[string, unknown]>([
    ['MongoDB: the connection broke', new mongo.MongoNetworkError('broke')],
    ['MongoDB: no answer in time', new mongo.MongoNetworkTimeoutError('late')],
    ['MongoDB: no server available', new mongo.MongoServerSelectionError('none', {} as never)],
    ['mongoose: no server available', named('MongooseServerSelectionError')],
    ['MongoDB: the pool was cleared', named('MongoPoolClearedError')],
    ['MongoDB: the pool was cleared by a network failure', named('MongoPoolClearedOnNetworkError')],
    ['MongoDB: the pool is closed', named('MongoPoolClosedError')],
    ['MongoDB: no connection became free', named('MongoWaitQueueTimeoutError')],
    ['MongoDB: not connected', new mongo.MongoNotConnectedError('not')],
    ['MongoDB: the client is closed', new mongo.MongoTopologyClosedError('closed')],
    ['MongoDB: the server is closed', new mongo.MongoServerClosedError('closed')],
    ['MongoDB: a primary of the past', named('MongoStalePrimaryError')],
    ['MongoDB: out of time', named('MongoOperationTimeoutError')],
    ['MongoDB: the session ended', new mongo.MongoExpiredSessionError('ended')],
    [
      'MongoDB: the majority did not acknowledge',
      new mongo.MongoWriteConcernError({ ok: 1, writeConcernError: { code: 64, errmsg: 'waiting' } }),
    ],
    ['MongoDB: not the primary', server(10107)],
    ['MongoDB: neither primary nor secondary', server(13436)],
    ['MongoDB: the primary stepped down', server(189)],
    ['MongoDB: interrupted by a change of state', server(11602)],
    ['MongoDB: shutting down', server(91)],
    ['MongoDB: maxTimeMS', server(50)],
    ['MongoDB: transactions collided', server(112, ['TransientTransactionError'])],
    ['MongoDB: the transaction was ended', server(251, ['TransientTransactionError'])],
    ['MongoDB: unknown whether committed', server(0, ['UnknownTransactionCommitResult'])],
    ['MongoDB: may be written again', server(0, ['RetryableWriteError'])],
    ['MongoDB: the disk is full', server(14031)],
    ['MongoDB: our own credentials', server(18)],
    [
      'a bulk write whose majority did not acknowledge',
      named('MongoBulkWriteError', { result: { getWriteConcernError: () => ({}) } }),
    ],
    ['Redis: tried often enough', named('MaxRetriesPerRequestError')],
    ['Redis: aborted', named('AbortError')],
    ['Redis: loading', reply('LOADING Redis is loading the dataset in memory')],
    ['Redis: a replica', reply('READONLY You can’t write against a read only replica.')],
    ['Redis: full', reply('OOM command not allowed')],
    ['Kafka: the connection broke', named('KafkaJSConnectionError', { retriable: true })],
    ['Kafka: no answer in time', named('KafkaJSRequestTimeoutError', { retriable: true })],
    [
      'Kafka: the leader moved',
      named('KafkaJSProtocolError', { retriable: true, type: 'NOT_LEADER_FOR_PARTITION' }),
    ],
    ['Kafka: tried often enough', named('KafkaJSNumberOfRetriesExceeded', { retriable: false })],
    ['Kafka: no coordinator', named('KafkaJSGroupCoordinatorNotFound', { retriable: false })],
    ['refused', system('ECONNREFUSED')],
    ['reset', system('ECONNRESET')],
    ['no such host yet', system('ENOTFOUND')],
    ['no route', system('EHOSTUNREACH')],
    ['fetch: reset', new TypeError('fetch failed', { cause: system('ECONNRESET') })],
    [
      'fetch: every address refused',
      new TypeError('fetch failed', {
        cause: new AggregateError([system('ECONNREFUSED'), system('ECONNREFUSED')]),
      }),
    ],
    [
      'fetch: no headers in time',
      new TypeError('fetch failed', { cause: system('UND_ERR_HEADERS_TIMEOUT') }),
    ],
    ['fetch: AbortSignal.timeout', new DOMException('late', 'TimeoutError')],
  ])('%s', (_, error) => {
    expect(isTransient(error)).toBe(true)
    expect(toAppError(error)).toMatchObject({ kind: 'unavailable', status: 503 })
  })

  it('Redis: the error of an ioredis connection that is not open', async () => {
    const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false })
    const error: unknown = await redis.get('x').catch((thrown: unknown) => thrown)
    redis.disconnect()
    expect(isTransient(error)).toBe(true)
  })
})

describe('a permanent failure', () => {
  it.each<[string, unknown]>([
    ['a duplicate key', server(11000)],
    ['a document that does not pass', server(121)],
    ['a bad query', server(2)],
    [
      'a bulk write with a duplicate',
      named('MongoBulkWriteError', { code: 11000, result: { getWriteConcernError: () => undefined } }),
    ],
    ['a number that is MongoDB’s only in MongoDB’s errors', Object.assign(new Error('no'), { code: 91 })],
    ['Redis: a wrong command', reply('ERR unknown command')],
    ['Kafka: too large', named('KafkaJSProtocolError', { retriable: false, type: 'MESSAGE_TOO_LARGE' })],
    ['one of many that is a bug', new AggregateError([system('ECONNREFUSED'), new TypeError('bug')])],
    ['a file that does not exist', system('ENOENT')],
    ['a bug', new TypeError('x is not a function')],
    [
      'an error that is its own cause',
      (() => {
        const e = new Error('loop')
        e.cause = e
        return e
      })(),
    ],
    ['no error at all', undefined],
    ['null', null],
    ['many of which there is none', new AggregateError([])],
    ['text', 'ECONNREFUSED'],
  ])('%s', (_, error) => {
    expect(isTransient(error)).toBe(false)
    expect(toAppError(error)).toMatchObject({ kind: 'internal', status: 500 })
  })
})
