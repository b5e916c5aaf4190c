import { setImmediate as turn } from 'node:timers/promises'
import { createKeyedQueue } from '@sumlock/service-kit/keyed-queue'
import { noDatabase } from '@sumlock/testing/no-database'
import type { Context } from '../context.ts'
import { setConversationState } from './set-conversation-state.ts'

it('changes of one person are stored one after the other, those of two people side by side', async () => {
  const running: string[] = []
  const seen: string[] = []
  const ctx = {
    changingStates: createKeyedQueue(() => false),
    members: { of: () => Promise.resolve(['ann', 'ben']) },
    conversations: {
      setMuted: async (_id: string, userId: string) => {
        running.push(userId)
        seen.push([...running].sort().join('+'))
        for (let count = 0; count < 10; count += 1) await turn()
        running.splice(running.indexOf(userId), 1)
      },
    },
    connection: noDatabase(),
    outbox: { add: () => Promise.resolve(), kick: () => undefined },
    entitlements: { drop: () => undefined },
  } as unknown as Context
  const mute = (userId: string, conversationId: string) =>
    setConversationState(ctx, { userId, conversationId, isMuted: true })
  await Promise.all([mute('ann', 'c1'), mute('ann', 'c2'), mute('ann', 'c3')])
  expect(seen).toEqual(['ann', 'ann', 'ann'])
  await Promise.all([mute('ann', 'c1'), mute('ben', 'c1')])
  expect(seen.at(-1)).toBe('ann+ben')
})
