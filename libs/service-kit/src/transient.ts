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
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoClientClosedError',
  'MongoPoolClearedError',
  'MongoPoolClearedOnNetworkError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoStalePrimaryError',
  // After this error it is unknown whether the write was stored, so the caller has to try again as well.
  'MongoWriteConcernError',
  'MongoExpiredSessionError',
  // ioredis throws these for a command without a connection, or whose connection broke.
  'MaxRetriesPerRequestError',
  'AbortError',
  'InterruptError',
  'ClusterAllFailedError',
  // kafkajs marks these as not retriable, because it has already retried.
  'KafkaJSNumberOfRetriesExceeded',
  'KafkaJSTimeout',
  'KafkaJSLockTimeout',
  'KafkaJSGroupCoordinatorNotFound',
  // A signal of `AbortSignal.timeout` aborts with this name.
  'TimeoutError',
])

const systemCodes = new Set(
  (
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH EHOSTDOWN ENETUNREACH ' +
    'ENETDOWN EADDRNOTAVAIL EMFILE ENFILE ENOSPC UND_ERR_SOCKET UND_ERR_CONNECT_TIMEOUT UND_ERR_HEADERS_TIMEOUT ' +
    'UND_ERR_BODY_TIMEOUT UND_ERR_CLOSED UND_ERR_DESTROYED'
  ).split(' '),
)

/** The codes are MongoDB's, grouped by cause. */
const mongoCodes = new Set(
  Object.values({
    unreachable: [6, 7, 89, 9001],
    shuttingDown: [91, 11600, 11602],
    notPrimary: [189, 10107, 10058, 13435, 13436, 133, 134],
    outOfTime: [24, 46, 50, 202, 262],
    writeConcern: [64, 79, 100],
    collision: [112, 251, 290],
    disk: [14031],
    ownCredentials: [13, 18, 391],
  }).flat(),
)

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
 * Returns whether an error of a driver is transient: a dependency is away, overloaded or electing a leader, or a
 * transaction collided. An error also counts when its `cause` or all its `errors` are transient.
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
