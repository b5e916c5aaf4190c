import * as auth from '@sumlock/contracts/auth-routes'
import * as lockRoutes from '@sumlock/contracts/lock-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { openOrigins } from '@sumlock/contracts/loopback'
import { listConversations, sendMessage, startConversation } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import type { ClientOptions } from '@sumlock/deployment/api-client'
import { waitUntil } from '@sumlock/deployment/wait-until'

/** The accounts are for local use only, because their passwords are published. */
export const demoAccounts = {
  premium: { username: 'ada', password: 'demo-ada', pin: '1815', fullName: 'Ada Lovelace' },
  free: { username: 'ben', password: 'demo-ben', pin: '1970', fullName: 'Ben Miller' },
  admin: { username: 'grace', password: 'demo-grace', pin: '1906', fullName: 'Grace Hopper' },
}
export type DemoAccounts = typeof demoAccounts
type DemoAccount = DemoAccounts['premium']

/** Throws when the demo accounts, whose passwords are published, could be used from another machine. */
export function refuseOpenDemo(origins: readonly string[], settingName = 'DEMO_ACCOUNTS'): void {
  const [open] = openOrigins(origins)
  if (open === undefined) return
  throw new Error(
    `The demo accounts have published passwords and are not created while ${open} may open the product: set ${settingName}=off.`,
  )
}

/** Registers the demo accounts through the public API and sets their PINs; existing accounts stay as they are. */
export async function registerDemoAccounts(options: ClientOptions) {
  const premium = await signInOrRegister(options, demoAccounts.premium)
  const free = await signInOrRegister(options, demoAccounts.free)
  return { premium, free, admin: await signInOrRegister(options, demoAccounts.admin) }
}

/** Gives the demo accounts their rights and a first conversation; existing ones stay as they are. */
export async function seedDemoAccounts(
  options: ClientOptions,
  makeAdmin: (username: string) => Promise<void>,
): Promise<DemoAccounts> {
  const { premium: ada, free: ben, admin: grace } = await registerDemoAccounts(options)
  if (!grace.user.isAdmin) {
    const { username, password } = grace.account
    await makeAdmin(username)
    await grace.client.ok(auth.login, { body: { username, password } })
  }
  if (ada.user.subscriptionType !== 'premium') {
    await unlock(grace)
    await grace.client.ok(grantPremium, { body: { userId: ada.user.id, days: 365 } })
    await waitUntil(
      'the premium subscription of the demo account',
      async () => (await readUser(ada.client)).subscriptionType === 'premium',
    )
  }
  await sayHello(ada, ben)
  return demoAccounts
}

type SignedIn = Awaited<ReturnType<typeof signInOrRegister>>

async function signInOrRegister(options: ClientOptions, account: DemoAccount) {
  const { username, password, pin, fullName } = account
  const client = new Client(options)
  const { status } = await client.call(auth.login, { body: { username, password } })
  if (status !== 200) {
    const phone = `+1555000${pin}`
    const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
    await client.ok(auth.verifyPhoneCode, { body: { code: demoCode } })
    const email = `${username}@example.com`
    await client.ok(auth.register, { body: { username, password, phone, email, fullName } })
  }
  const user = await readUser(client)
  if (!user.isSetupComplete)
    await client.ok(lockRoutes.setupNumericPassword, { body: { numericPassword: pin } })
  return { client, account, user }
}

const unlock = ({ client, account }: SignedIn) =>
  client.ok(lockRoutes.verifyNumericPassword, { body: { numericPassword: account.pin } })

async function readUser(client: Client) {
  const user = await client.ok(auth.getUser)
  if (!isWholeUser(user)) throw new Error(`${user.username} is in discreet mode: turn it off in Settings.`)
  return user
}

/** Starts a conversation between the two demo accounts, so that their lists are not empty. */
async function sayHello(ada: SignedIn, ben: SignedIn): Promise<void> {
  for (const person of [ada, ben]) await unlock(person)
  if ((await ada.client.ok(listConversations)).length > 0) return
  const { id: conversationId } = await ada.client.ok(startConversation, {
    body: { userCode: ben.user.userCode },
  })
  const say = ({ client }: SignedIn, content: string) =>
    client.ok(sendMessage, { body: { conversationId, content } })
  await say(ada, 'Hi Ben, you found it!')
  await say(ben, 'Nice. And to everybody else this is just a calculator?')
  await say(ada, 'Exactly. Go back to it with a swipe.')
}
