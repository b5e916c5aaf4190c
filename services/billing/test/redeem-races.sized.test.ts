import { randomUUID } from 'node:crypto'
import { giftPremium, redeemCode } from '@sumlock/contracts/subscription-routes'
import { sized } from '@sumlock/testing/config'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { openBilling } from './open-billing.ts'
import type { OpenBilling } from './open-billing.ts'

const yearMs = 365 * 86_400_000
const crowd = sized({ small: 10, full: 100 })
const crowdedCodes = sized({ small: 2, full: 10 })
const pairedCodes = sized({ small: 10, full: 1000 })

let replicas: OpenBilling[]
beforeAll(async () => {
  const stack = await sharedStack()
  replicas = await Promise.all([openBilling(stack), openBilling(stack)])
})
afterAll(() => Promise.all((replicas ?? []).map((replica) => replica.close())))

const replicaOf = (index: number) => replicas[index % replicas.length] as OpenBilling
const newCode = async (index: number) => {
  const body = { recipientEmail: `friend${index}@example.com` }
  return (await replicaOf(index).call(giftPremium, { userId: randomUUID(), body })).body.upgradeCode
}
/** Every person tries the code at once, over both replicas; the one who got it. */
async function raceFor(upgradeCode: string, people: readonly string[]): Promise<string> {
  const answers = await Promise.all(
    people.map((userId, index) => replicaOf(index).call(redeemCode, { userId, body: { upgradeCode } })),
  )
  const statuses = answers.map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, ...Array<number>(people.length - 1).fill(409)])
  return people[statuses.indexOf(200)] ?? ''
}
const grantsOf = (people: readonly string[]) => replicaOf(0).ctx.ledger.grantsOfAll(people)

it(`${crowd} people race for each of ${crowdedCodes} codes: as many years as codes`, async () => {
  const people = Array.from({ length: crowd }, () => randomUUID())
  const winners: string[] = []
  for (let index = 0; index < crowdedCodes; index += 1)
    winners.push(await raceFor(await newCode(index), people))
  const grants = await grantsOf(people)
  expect(grants).toHaveLength(crowdedCodes)
  expect(grants.map(({ userId }) => userId).sort()).toEqual(winners.toSorted())
  for (const { startsAt, endsAt } of grants) expect(endsAt.getTime() - startsAt.getTime()).toBe(yearMs)
  for (const userId of new Set(winners)) {
    const own = grants.filter((grant) => grant.userId === userId)
    const [first, last] = [
      own.map(({ startsAt }) => startsAt.getTime()),
      own.map(({ endsAt }) => endsAt.getTime()),
    ]
    expect(Math.max(...last) - Math.min(...first)).toBe(own.length * yearMs)
  }
})

it(`${pairedCodes} codes are each raced for by two people: as many years as codes`, async () => {
  const people: string[] = []
  const batch = 10
  for (let from = 0; from < pairedCodes; from += batch) {
    const races = Array.from({ length: Math.min(batch, pairedCodes - from) }, async (_, index) => {
      const pair = [randomUUID(), randomUUID()]
      people.push(...pair)
      await raceFor(await newCode(from + index), pair)
    })
    await Promise.all(races)
  }
  expect(await grantsOf(people)).toHaveLength(pairedCodes)
})
