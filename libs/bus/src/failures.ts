const awayNames =
  /^(Mongo(Network|NetworkTimeout|ServerSelection|NotConnected|TopologyClosed|PoolCleared|PoolClosed|OperationTimeout|WriteConcern|ExpiredSession)Error|MongooseServerSelectionError|KafkaJSConnectionError)$/
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])
const awayLabels = ['TransientTransactionError', 'UnknownTransactionCommitResult', 'RetryableWriteError']

/**
 * Whether a failure says "not now" (a dependency is away, a transaction collided) rather than "never". Decides between
 * retrying for ever and the dead-letter topic. An AppError says it by its kind.
 */
export function isUnavailable(error: unknown): boolean {
  const { kind, name, code, errorLabels } = (error ?? {}) as {
    kind?: unknown
    name?: string
    code?: unknown
    errorLabels?: readonly string[]
  }
  if (kind !== undefined) return kind === 'unavailable'
  return (
    (name !== undefined && awayNames.test(name)) ||
    (typeof code === 'string' && awayCodes.has(code)) ||
    awayLabels.some((label) => errorLabels?.includes(label) === true)
  )
}
