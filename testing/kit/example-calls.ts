import { randomUUID } from 'node:crypto'
import type { RouteName } from '@sumlock/contracts/all-routes'
import { requestPhoneCode, verifyPhoneCode } from '@sumlock/contracts/auth-routes'
import { exampleValues } from '@sumlock/contracts/example-values'
import type { ExampleValues } from '@sumlock/contracts/example-values'
import type { RouteContract } from '@sumlock/contracts/route'
import type { Client } from '@sumlock/deployment/api-client'
import { freshPhone } from './fresh-phone.ts'

export interface ExampleCall {
  path: string
  /** The query begins with `?`, unless it is empty. */
  search: string
  body?: Record<string, unknown>
}

/** Returns the example call of a route. Values given here replace the example values of the same names. */
export function exampleCall(route: RouteContract, values: Partial<ExampleValues> = {}): ExampleCall {
  const replacements = new Map(Object.entries(values).map(([name, value]) => [exampleValueOf(name), value]))
  const replaced = (fields: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]: [string, unknown]) => [
        name,
        isObject(value) ? replaced(value) : (replacements.get(value) ?? value),
      ]),
    )
  const { params = {}, query = {}, body } = route.example ?? {}
  const search = new URLSearchParams(replaced(query) as Record<string, string>).toString()
  return {
    path: fillPath(route.path, replaced(params) as Record<string, string>),
    search: search && `?${search}`,
    ...(body && { body: replaced(body) }),
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const exampleValueOf = (name: string): unknown => exampleValues[name as keyof ExampleValues]

/** Fills in the parameters of a path. */
export const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')

/**
 * Makes the calls without which the example of a route would not succeed, as the client that will call it. Resolves to
 * the values for the example.
 */
export async function prepareExample(name: RouteName, client: Client): Promise<Partial<ExampleValues>> {
  const phone = freshPhone()
  if (name !== 'verifyPhoneCode' && name !== 'register') return { phone }
  const { demoCode: phoneCode = '' } = await client.ok(requestPhoneCode, { body: { phone } })
  if (name === 'verifyPhoneCode') return { phoneCode }
  await client.ok(verifyPhoneCode, { body: { code: phoneCode } })
  const username = `n${randomUUID().slice(0, 12)}`
  return { phone, username, email: `${username}@example.com`, fullName: username, password: 'correct horse' }
}
