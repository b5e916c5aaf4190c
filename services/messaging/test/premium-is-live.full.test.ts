import { grantPremium } from '@sumlock/contracts/billing-routes'
import { listConversations, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import type { LiveConnection } from '@sumlock/sync/ports'
import { bounds } from '@sumlock/testing/bounds'
import { withDatabase } from '@sumlock/testing/database'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { adminPerson, befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { createSockets, nextEvent } from '@sumlock/testing/socket'

let stack: RunningStack
const sockets = createSockets()
beforeAll(async () => {
  stack = await sharedStack()
})
afterAll(sockets.close)

const limitsChanged = (live: LiveConnection): Promise<ServerEvent> =>
  nextEvent(live, ({ type }) => type === 'limits_changed', bounds.premiumMs)
const row = async ({ client }: Person) => (await client.ok(listConversations))[0]

it('notifies both sides of a grant within two seconds, with the same payload, once the list allows sending', async () => {
  const [payer, partner, admin] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    adminPerson(stack),
  ])
  const { id: conversationId } = await befriend(payer, partner)
  await partner.client.ok(sendMessage, { body: { conversationId, content: 'my free message' } })
  expect(await row(partner)).toMatchObject({ canSend: false, unlimited: false })
  const lives = await Promise.all([sockets.open(payer), sockets.open(partner)])

  const heard = Promise.all(lives.map(limitsChanged))
  await admin.client.ok(grantPremium, { body: { userId: payer.user.id, days: 1 } })

  const [toPayer, toPartner] = await heard
  expect(toPayer).toEqual({ type: 'limits_changed', data: {} })
  expect(toPartner).toEqual(toPayer)
  expect(await row(partner)).toMatchObject({ canSend: true, unlimited: true })
})

it('notifies both sides within two seconds of the expiry of premium', async () => {
  const [payer, partner] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  const { id: conversationId } = await befriend(payer, partner)
  await partner.client.ok(sendMessage, { body: { conversationId, content: 'my free message' } })
  const lives = await Promise.all([sockets.open(payer), sockets.open(partner)])

  const heard = Promise.all(lives.map(limitsChanged))
  await withDatabase(stack, 'messaging', (database) =>
    database
      .collection<{ _id: string; premiumUntil: Date; version: number }>('entitlements')
      .updateOne(
        { _id: payer.user.id },
        { $set: { premiumUntil: new Date(), version: 1 } },
        { upsert: true },
      ),
  )

  await heard
  expect(await row(partner)).toMatchObject({ canSend: false, unlimited: false })
})
