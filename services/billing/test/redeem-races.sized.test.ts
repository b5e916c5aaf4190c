import { limits } from '@sumlock/contracts/limits'
import { giftPremium, redeemCode } from '@sumlock/contracts/subscription-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { nameOfSize, sized } from '@sumlock/testing/config'
import { withDatabase } from '@sumlock/testing/database'
import { startTestStack } from '@sumlock/testing/engines'
import { registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'

const yearMs = 365 * 86_400_000
const crowdSize = sized({ small: 10, full: 100 })
const crowdedCodes = sized({ small: 2, full: 10 })
const pairs = sized({ small: 5, full: 50 })
/** A person may try at most this often within an hour. */
const codesPerPair = sized({ small: 2, full: limits.redeemTriesPerPerson })

/** A small machine has to answer all of them in time. */
const madeAtOnce = 5

let stack: Stack
beforeAll(async () => {
  // One proxy before the gateway is trusted, and an address has few tries: everyone comes from an address of their own.
  stack = await startTestStack({
    replicas: { billing: 2 },
    env: { gateway: { TRUSTED_HOPS: '1' }, billing: { REDEEM_TRIES_PER_ADDRESS: '30' } },
  })
})
afterAll(() => stack?.stop())

let addresses = 0
async function newPerson(): Promise<Person> {
  const address = `198.18.${Math.floor((addresses += 1) / 250)}.${addresses % 250}`
  const headers = { 'x-forwarded-for': address }
  const person = await registerPerson({ gatewayUrl: stack.gatewayUrl, headers })
  person.client.keptToken = await person.client.csrfToken()
  return person
}
async function newPeople(count: number): Promise<Person[]> {
  const people: Person[] = []
  while (people.length < count) {
    const some = Math.min(madeAtOnce, count - people.length)
    people.push(...(await Promise.all(Array.from({ length: some }, newPerson))))
  }
  return people
}
async function newCode(buyer: Person, index: number): Promise<string> {
  const gift = await buyer.client.ok(giftPremium, { body: { recipientEmail: `friend${index}@example.com` } })
  if (!('upgradeCode' in gift)) throw new Error('The gift has to be paid first.')
  return gift.upgradeCode
}
/** Repeats a request when the service asks for it, as a person does: a transaction gives up after three seconds. */
async function redeem({ client }: Person, upgradeCode: string) {
  for (let tries = 0; ; tries += 1) {
    const answer = await client.call(redeemCode, { body: { upgradeCode } })
    if (answer.status !== 503 || tries === 4) return answer
  }
}
/** All people try the code at once. Returns the id of the winner. */
async function raceFor(upgradeCode: string, people: readonly Person[]): Promise<string> {
  const answers = await Promise.all(people.map((person) => redeem(person, upgradeCode)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, ...Array<number>(people.length - 1).fill(409)])
  return people[statuses.indexOf(200)]?.user.id ?? ''
}

interface Grant {
  userId: string
  startsAt: Date
  endsAt: Date
}
const grantsOf = (people: readonly Person[]) =>
  withDatabase(stack, 'billing', (database) =>
    database
      .collection<Grant>('grants')
      .find({ userId: { $in: people.map(({ user }) => user.id) } })
      .toArray(),
  )
/** Each won code is a year, and the years of a person follow each other without a gap. */
function expectYears(grants: readonly Grant[], winners: readonly string[]): void {
  expect(grants.map(({ userId }) => userId).sort()).toEqual(winners.toSorted())
  for (const userId of new Set(winners)) {
    const own = grants.filter((grant) => grant.userId === userId)
    for (const { startsAt, endsAt } of own) expect(endsAt.getTime() - startsAt.getTime()).toBe(yearMs)
    const from = Math.min(...own.map(({ startsAt }) => startsAt.getTime()))
    const until = Math.max(...own.map(({ endsAt }) => endsAt.getTime()))
    expect(until - from).toBe(own.length * yearMs)
  }
}

describe(`codes raced for over two replicas, by people with addresses of their own (${nameOfSize})`, () => {
  it(`${crowdSize} people race for each of ${crowdedCodes} codes: as many years as codes`, async () => {
    const people = await newPeople(crowdSize)
    const winners: string[] = []
    const buyer = await newPerson()
    for (let index = 0; index < crowdedCodes; index += 1)
      winners.push(await raceFor(await newCode(buyer, index), people))
    expectYears(await grantsOf(people), winners)
  }, 300_000)

  it(`${pairs * codesPerPair} codes are each raced for by two people: as many years as codes`, async () => {
    const buyer = await newPerson()
    const people = await newPeople(2 * pairs)
    const winners: string[] = []
    for (let pair = 0; pair < pairs; pair += 1) {
      const two = people.slice(2 * pair, 2 * pair + 2)
      const codes = await Promise.all(
        Array.from({ length: codesPerPair }, (_, index) => newCode(buyer, pair * codesPerPair + index)),
      )
      winners.push(...(await Promise.all(codes.map((code) => raceFor(code, two)))))
    }
    expectYears(await grantsOf(people), winners)
  }, 600_000)
})
