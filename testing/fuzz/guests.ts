import { randomUUID } from 'node:crypto'
import * as auth from '@sumlock/contracts/auth-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { Client } from '@sumlock/deployment/api-client'
import { freshPhone } from '../kit/fresh-phone.ts'
import { adminPerson, befriend, makePremium, registerPerson, unlockedPerson } from '../kit/people.ts'
import type { Fixtures } from './fixtures.ts'

/** What stands in a generated body for what has to be new, or is known only when the call is made. */
const standIns = { code: '000000', phone: '+15550000000', newcomer: 'newcomer' }

const newcomer = {
  username: [standIns.newcomer],
  email: [`${standIns.newcomer}@example.com`],
  phone: [standIns.phone],
  password: ['correct horse'],
  fullName: ['New Comer'],
}

export interface Guest {
  headers: Record<string, string>
  body: Buffer
  answered(status: number): void
}

export interface Guests {
  /** Whoever may make this call, and the body they send, with real values where stand-ins stood. */
  for(operation: string, body: Buffer): Promise<Guest>
}

interface Seat {
  client: Client
  /** By stand-in. */
  instead?: Record<string, string>
}
interface Supply {
  seat(): Promise<Seat>
  answered?(status: number): void
}

/** Registers everybody the calls need, and tells which of their ids and codes lead somewhere. */
export async function inviteGuests(stack: Stack): Promise<{ guests: Guests; fixtures: Fixtures }> {
  const admin = await adminPerson(stack)
  const [ann, bob, locker, ...strangers] = await Promise.all(
    Array.from({ length: 7 }, () => unlockedPerson(stack)),
  )
  if (!ann || !bob || !locker) throw new Error('Nobody came.')
  await makePremium(admin, ann)
  const { id: conversationId } = await befriend(ann, bob)

  const anonymous = new Client({ gatewayUrl: stack.gatewayUrl })
  const always = (client: Client): Supply => ({ seat: () => Promise.resolve({ client }) })
  const signedInAgain = async () => {
    const client = new Client({ gatewayUrl: stack.gatewayUrl })
    await client.ok(auth.login, { body: { username: bob.username, password: bob.password } })
    return { client }
  }
  const supplies: Record<string, Supply> = {
    getCsrfToken: always(anonymous),
    requestPhoneCode: always(anonymous),
    login: always(anonymous),
    register: { seat: () => provedPhone(stack) },
    verifyPhoneCode: untilSpent(() => awaitedCode(stack), { calls: 4 }),
    setupNumericPassword: untilSpent(() => registerPerson(stack), {}),
    // A paused account would answer wrong_pin to the right entry as well.
    verifyNumericPassword: untilSpent(() => unlockedPerson(stack), { calls: 6 }),
    logout: untilSpent(signedInAgain, {}),
    lock: always(locker.client),
    grantPremium: always(admin.client),
  }

  return {
    guests: {
      async for(operation, sent) {
        const supply = supplies[operation] ?? always(ann.client)
        const { client, instead = {} } = await supply.seat()
        client.keptToken ??= await client.csrfToken()
        const headers = {
          cookie: client.cookieHeader,
          origin: client.origin,
          'x-csrf-token': client.keptToken,
        }
        return { headers, body: withInstead(sent, instead), answered: (status) => supply.answered?.(status) }
      },
    },
    fixtures: {
      listMessages: { id: [conversationId] },
      markRead: { id: [conversationId], seq: [1] },
      sendMessage: { conversationId: [conversationId], content: ['Hello'], messageType: ['text'] },
      startConversation: { userCode: [bob, ...strangers].map(({ user }) => user.userCode) },
      grantPremium: { userId: [ann.user.id, bob.user.id], days: [30] },
      login: { username: [bob.username], password: [bob.password] },
      verifyPhoneCode: { code: [standIns.code] },
      register: newcomer,
      verifyNumericPassword: { numericPassword: [ann.pin] },
    },
  }
}

/** The same seat until a call succeeds or `calls` were made. */
function untilSpent(create: () => Promise<Seat>, { calls = Infinity }): Supply {
  let present: Seat | undefined
  let made = 0
  return {
    async seat() {
      made += 1
      return (present ??= await create())
    },
    answered(status) {
      if (status >= 300 && made < calls) return
      present = undefined
      made = 0
    },
  }
}

/** A browser that was sent a code. */
async function awaitedCode({ gatewayUrl }: Stack) {
  const client = new Client({ gatewayUrl })
  const phone = freshPhone()
  const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
  return { client, phone, instead: { [standIns.code]: demoCode } }
}

/** A browser that has proved a phone number nobody else has. */
async function provedPhone(stack: Stack): Promise<Seat> {
  const { client, phone, instead } = await awaitedCode(stack)
  await client.ok(auth.verifyPhoneCode, { body: { code: instead[standIns.code] ?? '' } })
  const name = `n${randomUUID().slice(0, 12)}`
  return { client, instead: { [standIns.phone]: phone, [standIns.newcomer]: name } }
}

/** Byte for byte the same where no stand-in stands. */
function withInstead(body: Buffer, instead: Record<string, string>): Buffer {
  let replaced = body
  for (const [standIn, value] of Object.entries(instead)) {
    if (replaced.includes(standIn)) replaced = Buffer.from(replaced.toString().replaceAll(standIn, value))
  }
  return replaced
}
