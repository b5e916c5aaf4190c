import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { allRoutes } from '@sumlock/contracts/all-routes'
import type { RouteName } from '@sumlock/contracts/all-routes'
import { login } from '@sumlock/contracts/auth-routes'
import { exampleValues } from '@sumlock/contracts/example-values'
import type { ExampleValues } from '@sumlock/contracts/example-values'
import { Client } from '@sumlock/deployment/api-client'
import type { Stack } from '@sumlock/dev/product/services'
import { prepareExample } from '../kit/example-calls.ts'
import {
  administrateOn,
  adminPerson,
  befriend,
  makePremium,
  registerPerson,
  unlockedPerson,
} from '../kit/people.ts'

/** An actor is a session that makes the calls of one operation. */
interface Actor {
  headers: Record<string, string>
  /** The keys are example values. A call contains the value of a key instead of the key. */
  values: Record<string, string>
  /** True if a successful call uses up the data of the operation. */
  endsWithSuccess: boolean
  callsLeft: number
}

const endWithSuccess: readonly RouteName[] = [
  'register',
  'verifyPhoneCode',
  'setupNumericPassword',
  'verifyNumericPassword',
  'logout',
]
/**
 * An actor makes at most this many calls. More wrong entries would cause a pause, in which the right entry is refused
 * as well.
 */
const maxCalls: Partial<Record<RouteName, number>> = { verifyPhoneCode: 4, verifyNumericPassword: 6 }

/** Registers people, and resolves to a function that makes a new actor for an operation. */
async function createActors(stack: Stack): Promise<(name: RouteName) => Promise<Actor>> {
  const admin = await adminPerson(stack)
  const [ann, bob, locker] = await Promise.all([
    unlockedPerson(stack),
    unlockedPerson(stack),
    unlockedPerson(stack),
  ])
  await makePremium(admin, ann)
  const { id: conversationId } = await befriend(ann, bob)

  const clientFor = async (name: RouteName): Promise<Client> => {
    const client = new Client({ gatewayUrl: stack.gatewayUrl })
    if (name === 'setupNumericPassword') return (await registerPerson(stack)).client
    if (name === 'verifyNumericPassword') return (await unlockedPerson(stack)).client
    if (name === 'lock') return locker.client
    if (name === 'logout')
      await client.ok(login, { body: { username: bob.username, password: bob.password } })
    if (name === 'logout' || allRoutes[name].access === 'public') return client
    if (allRoutes[name].access !== 'admin') return ann.client
    await administrateOn(admin)
    return admin.client
  }
  return async (name) => {
    const client = await clientFor(name)
    const real: Partial<ExampleValues> = {
      conversationId,
      userId: bob.user.id,
      userCode: bob.user.userCode,
      username: bob.username,
      password: bob.password,
      numericPassword: bob.pin,
      ...(await prepareExample(name, client)),
    }
    const csrfToken = await client.csrfToken()
    return {
      headers: { cookie: client.cookieHeader, origin: client.origin, 'x-csrf-token': csrfToken },
      values: Object.fromEntries(
        Object.entries(real).map(([field, value]) => [exampleValues[field as keyof ExampleValues], value]),
      ),
      endsWithSuccess: endWithSuccess.includes(name),
      callsLeft: maxCalls[name] ?? -1,
    }
  }
}

/** Serves new actors to the hooks of the fuzzer at `GET <url>/<operation id>`. Resolves to the URL. */
export async function serveActors(stack: Stack): Promise<string> {
  const createActor = await createActors(stack)
  const server = createServer((request, response) => {
    createActor((request.url ?? '').slice(1) as RouteName).then(
      (actor) => response.end(JSON.stringify(actor)),
      (error: unknown) => response.destroy(error as Error),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
