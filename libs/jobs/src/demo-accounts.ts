import { login, setupNumericPassword, verifyNumericPassword } from '@sumlock/contracts/auth-routes'
import { openOrigins } from '@sumlock/contracts/loopback'
import { listConversations, sendMessage } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/testing/client'
import type { ClientOptions } from '@sumlock/testing/client'
import { befriend, makePremium, readUser, registerPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'

export interface DemoAccount {
  username: string
  password: string
  pin: string
}

export interface DemoAccounts {
  premium: DemoAccount
  free: DemoAccount
  admin: DemoAccount
}

/** For one's own machine only. */
export const demoAccounts: DemoAccounts = {
  premium: { username: 'ada', password: 'demo-ada', pin: '1815' },
  free: { username: 'ben', password: 'demo-ben', pin: '1970' },
  admin: { username: 'grace', password: 'demo-grace', pin: '1906' },
}
const fullNames: Record<string, string> = { ada: 'Ada Lovelace', ben: 'Ben Miller', grace: 'Grace Hopper' }

/** Throws a sentence where the demo accounts, whose passwords are published, could be used from another machine. */
export function refuseOpenDemo(origins: readonly string[], settingName = 'DEMO_ACCOUNTS'): void {
  const [open] = openOrigins(origins)
  if (open === undefined) return
  throw new Error(
    `The demo accounts have published passwords and are not made while ${open} may open the product: set ${settingName}=off.`,
  )
}

/** Registers the demo accounts through the public door, with their PINs; who is there already is left alone. */
export async function registerDemoAccounts(door: ClientOptions): Promise<Record<keyof DemoAccounts, Person>> {
  const premium = await signInOrRegister(door, demoAccounts.premium)
  const free = await signInOrRegister(door, demoAccounts.free)
  return { premium, free, admin: await signInOrRegister(door, demoAccounts.admin) }
}

/** Makes the demo accounts with their rights and a first conversation; what is there already is left alone. */
export async function seedDemoAccounts(
  door: ClientOptions,
  makeAdmin: (username: string) => Promise<void>,
): Promise<DemoAccounts> {
  const { premium: ada, free: ben, admin: grace } = await registerDemoAccounts(door)
  if (!grace.user.isAdmin) {
    await makeAdmin(grace.username)
    await grace.client.ok(login, { body: { username: grace.username, password: grace.password } })
  }
  if (ada.user.subscriptionType !== 'premium') await makePremium(grace, ada)
  await sayHello(ada, ben)
  return demoAccounts
}

async function signInOrRegister(door: ClientOptions, account: DemoAccount): Promise<Person> {
  const { username, password, pin } = account
  const client = new Client(door)
  const answer = await client.call(login, { body: { username, password } })
  const person: Person =
    answer.status === 200
      ? { client, user: answer.body, username, password, pin, phone: answer.body.phone }
      : await registerPerson(door, { username, password, pin, fullName: fullNames[username] ?? username })
  if (!person.user.isSetupComplete)
    await person.client.ok(setupNumericPassword, { body: { numericPassword: pin } })
  return { ...person, user: await readUser(person.client) }
}

/** A first conversation, so that the list is not empty when somebody looks around. */
async function sayHello(ada: Person, ben: Person): Promise<void> {
  for (const person of [ada, ben])
    await person.client.ok(verifyNumericPassword, { body: { numericPassword: person.pin } })
  if ((await ada.client.ok(listConversations)).length > 0) return
  const { id: conversationId } = await befriend(ada, ben)
  const lines = [
    [ada, 'Hi Ben, you found it!'],
    [ben, 'Nice. And to everybody else this is just a calculator?'],
    [ada, 'Exactly. Go back to it with a swipe.'],
  ] as const
  for (const [{ client }, content] of lines)
    await client.ok(sendMessage, { body: { conversationId, content } })
}
