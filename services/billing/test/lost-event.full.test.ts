import { transact } from '@sumlock/service-kit/transact'
import { bounds } from '@sumlock/testing/bounds'
import { withDatabase } from '@sumlock/testing/database'
import { adminPerson, makePremium, registerPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { waitUntil } from '@sumlock/deployment/wait-until'
import { removeGrant } from '../src/use-cases/change-ledger.ts'
import { openBilling } from './open-billing.ts'

it('messaging learns of removed premium within two seconds, although its event never comes', async () => {
  const stack = await sharedStack()
  const billing = await openBilling(stack)
  try {
    const person = await registerPerson(stack)
    await makePremium(await adminPerson(stack), person)
    const premiumUntil = () =>
      withDatabase(stack, 'messaging', async (database) => {
        const rows = database.collection<{ _id: string; premiumUntil: Date | null }>('entitlements')
        return (await rows.findOne({ _id: person.user.id }))?.premiumUntil
      })
    await waitUntil('the projection of messaging', async () => (await premiumUntil()) !== null)
    const [grant] = await billing.ctx.ledger.grantsOf(person.user.id)
    const silent = { ...billing.ctx, outbox: { ...billing.ctx.outbox, add: () => Promise.resolve() } }
    await transact(billing.ctx.connection, (session) =>
      removeGrant(silent, session, grant?._id ?? '', 'refunded'),
    )
    await waitUntil('the removal in messaging', async () => (await premiumUntil()) === null, {
      timeoutMs: bounds.premiumMs,
    })
  } finally {
    await billing.close()
  }
})
