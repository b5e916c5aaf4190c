import type { Logger } from '@sumlock/service-kit/logger'
import type { StoredMessage } from '../domain/message.ts'

export interface RowMover {
  /** Updates the members' rows for a message. Resolves with false when that failed and is left to the sweep. */
  move(message: StoredMessage): Promise<boolean>
}

interface Waiting {
  message: StoredMessage
  resolve: (isMoved: boolean) => void
}

/**
 * Updates the members' rows for stored messages. All sends that continue in the same tick share one command, as the
 * messages of one insert do.
 */
export function createRowMover(
  run: (messages: readonly StoredMessage[]) => Promise<void>,
  logger: Logger,
): RowMover {
  let waiting: Waiting[] = []

  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    const isMoved = await run(batch.map(({ message }) => message)).then(
      () => true,
      (error: unknown) => {
        logger.warn(
          { err: error, records: batch.length },
          'the rows of members could not be updated for new messages; the sweep will update them',
        )
        return false
      },
    )
    for (const { resolve } of batch) resolve(isMoved)
  }

  return {
    move: (message) =>
      new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(() => void flush())
        waiting.push({ message, resolve })
      }),
  }
}
