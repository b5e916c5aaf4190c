import { userRegistered, userUpdated } from '@sumlock/contracts/auth-events'
import { subscriptionActivated, subscriptionEnded } from '@sumlock/contracts/billing-events'
import { createRepeater } from '@sumlock/service-kit/repeater'
import { peopleHandlers } from './people.ts'
import { subscriptionHandlers } from './subscriptions.ts'

/** A reader whose reads end when the test decides. */
function reader() {
  const ends: (() => void)[] = []
  const repeater = createRepeater({
    ...{ name: 'reading', everyMs: 3_600_000, startsAtOnce: false },
    logger: { warn: () => undefined },
    run: () => new Promise<void>((resolve) => void ends.push(resolve)),
  })
  const handlers = [
    ...peopleHandlers({ jobs: undefined as never }, repeater.kick),
    ...subscriptionHandlers(repeater.kick),
  ]
  const handle = async (type: string) =>
    handlers.find(({ event }) => event.type === type)?.handle(undefined as never)
  return { ends, repeater, handle }
}

it.each([userRegistered, userUpdated, subscriptionActivated, subscriptionEnded])(
  'fifty events of $type cost two readings, and none waits for a reading that hangs',
  async ({ type }) => {
    const { ends, repeater, handle } = reader()
    await Promise.all(Array.from({ length: 50 }, () => handle(type)))
    expect(ends).toHaveLength(1)
    const stopped = repeater.stop()
    ends[0]?.()
    await new Promise(setImmediate)
    expect(ends).toHaveLength(2)
    ends[1]?.()
    await stopped
    expect(ends).toHaveLength(2)
  },
)
