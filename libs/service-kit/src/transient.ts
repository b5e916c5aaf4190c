interface Thrown {
  name?: unknown
  code?: unknown
  message?: unknown
  retriable?: unknown
  errorLabels?: unknown
  errors?: unknown
  cause?: unknown
  result?: { getWriteConcernError?: () => unknown }
}

const names = new Set([
  ...[
    'MongoNetworkError',
    'MongoNetworkTimeoutError',
    'MongoServerSelectionError',
    'MongooseServerSelectionError',
  ],
  ...[
    'MongoNotConnectedError',
    'MongoTopologyClosedError',
    'MongoServerClosedError',
    'MongoClientClosedError',
  ],
  ...['MongoPoolClearedError', 'MongoPoolClearedOnNetworkError', 'MongoPoolClosedError'],
  ...['MongoWaitQueueTimeoutError', 'MongoOperationTimeoutError', 'MongoStalePrimaryError'],
  // Whether it was written is not known, which is for the caller the same as "not now".
  ...['MongoWriteConcernError', 'MongoExpiredSessionError'],
  // ioredis; a command whose connection broke off, or that found none.
  ...['MaxRetriesPerRequestError', 'AbortError', 'InterruptError', 'ClusterAllFailedError'],
  // kafkajs; these say "not retriable" of themselves, because they have retried already.
  ...[
    'KafkaJSNumberOfRetriesExceeded',
    'KafkaJSTimeout',
    'KafkaJSLockTimeout',
    'KafkaJSGroupCoordinatorNotFound',
  ],
  // AbortSignal.timeout
  'TimeoutError',
])

const systemCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE', 'ENFILE', 'ENOSPC'],
  ...['UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
  ...['UND_ERR_CLOSED', 'UND_ERR_DESTROYED'],
])

/** MongoDB's codes for: unreachable, shutting down, not primary, out of time, write concern, collision, disk, our own credentials. */
const mongoCodes = new Set([
  ...[6, 7, 89, 9001, 91, 11600, 11602, 189, 10107, 10058, 13435, 13436, 133, 134],
  ...[24, 46, 50, 202, 262, 64, 79, 100, 112, 251, 290, 14031, 13, 18, 391],
])

const labels = [
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'RetryableWriteError',
  'RetryableError',
]

const redisReply =
  /^(LOADING|READONLY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|BUSY|NOREPLICAS|MISCONF|OOM|NOAUTH|WRONGPASS)\b/
const redisClosed = new Set([
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Command timed out',
])

/**
 * Whether a failure of a driver says "not now" (a dependency is away, overloaded or changing its leader; a transaction
 * collided) and not "never". What it wraps counts, too.
 */
export function isTransient(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false
  const error = thrown as Thrown
  const name = typeof error.name === 'string' ? error.name : ''
  const message = typeof error.message === 'string' ? error.message : ''
  return (
    names.has(name) ||
    (typeof error.code === 'string' && systemCodes.has(error.code)) ||
    (name.startsWith('Mongo') && isMongoAway(error)) ||
    (name.startsWith('KafkaJS') && error.retriable === true) ||
    (name === 'ReplyError' && redisReply.test(message)) ||
    redisClosed.has(message) ||
    (Array.isArray(error.errors) && error.errors.length > 0 && error.errors.every(isTransient)) ||
    (error.cause !== undefined && error.cause !== thrown && isTransient(error.cause))
  )
}

function isMongoAway({ code, errorLabels, result }: Thrown): boolean {
  return (
    (typeof code === 'number' && mongoCodes.has(code)) ||
    (Array.isArray(errorLabels) && labels.some((label) => errorLabels.includes(label))) ||
    result?.getWriteConcernError?.() !== undefined
  )
}
