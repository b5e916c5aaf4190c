import { on } from '@sumlock/bus/handler'
import { messageSent } from '@sumlock/contracts/messaging-events'
import type { MessageDelivery } from '../deliver-message.ts'

/** Delivers stored messages. A message that a Redis hint delivered before is not delivered again. */
export const onMessageSent = (deliver: MessageDelivery) =>
  on(messageSent, ({ data }) => {
    // guard: kafka-carries
    deliver('kafka', data)
    return Promise.resolve()
  })
