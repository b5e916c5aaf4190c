import { randomInt } from 'node:crypto'
import * as auth from '@sumlock/contracts/auth-routes'
import type { Stack } from '@sumlock/stack/services'
import { Client } from '@sumlock/testing/client'
import { adminPerson, befriend, makePremium, registerPerson, unlockedPerson } from '@sumlock/testing/people'
import type { Fixtures } from './fixtures.ts'

/** Stands in a generated body for the code that this browser was sent. */
const codeStandIn = '000000'

export interface Guest {
  headers: Record<string, string>
  body: Buffer
  answered(status: number): void
}

export interface Guests {
  /** Whoever may make this call, and what they send in its place (a body with the code they were really sent). */
  for(operation: string, body: Buffer): Promise<Guest>
}

interface Seat {
  client: Client
  body?: Buffer
}
interface Supply {
  seat(body: Buffer): Promise<Seat>
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
    register: { seat: (body) => provedPhone(stack, body) },
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
        const { client, body = sent } = await supply.seat(sent)
        client.keptToken ??= await client.csrfToken()
        const headers = {
          cookie: client.cookieHeader,
          origin: client.origin,
          'x-csrf-token': client.keptToken,
        }
        return { headers, body, answered: (status) => supply.answered?.(status) }
      },
    },
    fixtures: {
      listMessages: { id: [conversationId] },
      markRead: { id: [conversationId], seq: [1] },
      sendMessage: { conversationId: [conversationId], content: ['Hello'], messageType: ['text'] },
      startConversation: { userCode: [bob, ...strangers].map(({ user }) => user.userCode) },
      grantPremium: { userId: [ann.user.id, bob.user.id], days: [30] },
      login: { username: [bob.username], password: [bob.password] },
      verifyPhoneCode: { code: [codeStandIn] },
      verifyNumericPassword: { numericPassword: [ann.pin] },
    },
  }
}

/** The same seat until a call succeeds or `calls` were made. */
function untilSpent(create: () => Promise<Seat & { code?: string }>, { calls = Infinity }): Supply {
  let present: (Seat & { code?: string }) | undefined
  let made = 0
  return {
    async seat(sent) {
      present ??= await create()
      made += 1
      const { client, code } = present
      const text = sent.toString()
      return code && text.includes(codeStandIn)
        ? { client, body: Buffer.from(text.replaceAll(codeStandIn, code)) }
        : { client }
    },
    answered(status) {
      if (status >= 300 && made < calls) return
      present = undefined
      made = 0
    },
  }
}

/** A browser that was sent a code. */
async function awaitedCode({ gatewayUrl }: Stack): Promise<Seat & { code: string }> {
  const client = new Client({ gatewayUrl })
  const phone = `+1555${String(randomInt(10_000_000)).padStart(7, '0')}`
  const { demoCode = '' } = await client.ok(auth.requestPhoneCode, { body: { phone } })
  return { client, code: demoCode }
}

/** A browser that has proved the phone number in the body, if that is one. */
async function provedPhone({ gatewayUrl }: Stack, sent: Buffer): Promise<Seat> {
  const client = new Client({ gatewayUrl })
  const body = auth.register.body.pick({ phone: true }).strip().safeParse(parsed(sent))
  if (!body.success) return { client }
  const { status, body: answer } = await client.call(auth.requestPhoneCode, { body: body.data })
  if (status === 200) await client.ok(auth.verifyPhoneCode, { body: { code: answer.demoCode ?? '' } })
  return { client }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
