import { deleteAccount, keepAccount } from '@sumlock/contracts/account-routes'
import { login, resetApp, rotateUserCode } from '@sumlock/contracts/auth-routes'
import { putIdentity } from '@sumlock/contracts/identity-routes'
import { listPersonChanges as changesContract } from '@sumlock/contracts/internal-routes'
import type { ServiceName } from '@sumlock/contracts/route'
import { createUsers, databaseUrl, removeDatabases } from '@sumlock/deployment/provision'
import { systemClock } from '@sumlock/service-kit/clock'
import { createLogger } from '@sumlock/service-kit/logger'
import { runMigrations } from '@sumlock/service-kit/migrations'
import { connectMongo } from '@sumlock/service-kit/mongo'
import { readUser } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { randomNamespace, testEngines } from '@sumlock/testing/test-engines'
import { migrations } from '../src/migrations.ts'
import { createUserStore } from '../src/stores/user-store.ts'
import { listPersonChanges } from '../src/use-cases/list-person-changes.ts'
import { newKey, newPerson, unlock } from './own-keys.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})

async function ask(since: Date, caller: ServiceName = 'messaging') {
  const url = `${stack.service('auth').internalUrl}${changesContract.path}?since=${since.toISOString()}`
  const authorization = `Internal ${caller}:${stack.secrets.internalSecrets[caller]}`
  return fetch(url, { headers: { authorization } })
}
/** Returns auth's entries for a person since a time, over all pages. */
async function changeOf({ user }: Person, since: Date) {
  for (;;) {
    const page = changesContract.responses[200].parse(await (await ask(since)).json())
    const found = page.find(({ person }) => person.userId === user.id)
    const last = page.at(-1)
    if (found || !last || Date.parse(last.changedAt) <= since.getTime()) return found
    since = new Date(last.changedAt)
  }
}

it('a person is listed from the registration on, with each change of what others may know, since the time of that change', async () => {
  let since = new Date()
  const person = await newPerson(stack)
  const registered = await changeOf(person, since)
  expect(registered?.person).toMatchObject({ username: person.username, version: 1 })
  since = new Date(Date.parse(registered?.changedAt ?? '') + 1)
  const next = async (change: () => Promise<unknown>) => {
    await change()
    const listed = await changeOf(person, since)
    since = new Date(Date.parse(listed?.changedAt ?? '') + 1)
    expect(await changeOf(person, since)).toBeUndefined()
    return listed?.person
  }
  const unlocked = await unlock(person)
  const { body } = await newKey(person, unlocked)
  expect(await next(() => person.client.ok(putIdentity, { body }))).toEqual({
    userId: person.user.id,
    username: person.username,
    userCode: person.user.userCode,
    version: 2,
    keys: [{ epoch: 1, pub: body.pub }],
  })
  expect((await next(() => person.client.ok(rotateUserCode)))?.version).toBe(3)
  const { userCode } = await readUser(person.client)
  const reset = await next(() => person.client.ok(resetApp, { body: { password: person.password } }))
  expect(reset?.userCode).not.toBe(userCode)
  const { username, password } = person
  const leaving = await next(() => person.client.ok(deleteAccount, { body: { password } }))
  expect(leaving).toMatchObject({ version: 5, isLeaving: true })
  await person.client.ok(login, { body: { username, password } })
  expect(await next(() => person.client.ok(keepAccount))).toMatchObject({ version: 6, isLeaving: false })
})

it('changed people are listed for messaging and for no other service', async () => {
  expect((await ask(new Date())).status).toBe(200)
  expect((await ask(new Date(), 'billing')).status).toBe(403)
  expect((await ask(new Date(), 'gateway')).status).toBe(403)
})

it('changed people come oldest change first in pages of 200, by an index, and without accounts that never changed', async () => {
  const { addresses, secrets } = await testEngines()
  const namespace = randomNamespace()
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  await createUsers(addresses, secrets, namespace)
  const connection = await connectMongo(databaseUrl(addresses, secrets, namespace, 'auth'), logger)
  try {
    await runMigrations(connection, migrations, { clock: systemClock(), logger })
    const at = (number: number) => new Date(Date.parse('2026-11-24T12:00:00.000Z') + number)
    const row = (number: number, more = {}) => ({
      _id: `u${number}` as never,
      username: `n${number}`,
      usernameKey: `n${number}`,
      emailKey: `n${number}`,
      userCode: `n${number}`,
      version: 2,
      ...more,
    })
    const changed = Array.from({ length: 250 }, (_, number) => row(number, { changedAt: at(number) }))
    await connection.collection('users').insertMany([row(999), ...changed.reverse()])
    const list = async (since: Date) =>
      (await listPersonChanges({ users: createUserStore(connection) }, since)).map(
        ({ person }) => person.username,
      )
    const names = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `n${from + index}`)
    expect(await list(at(-1))).toEqual(names(0, 200))
    expect(await list(at(199))).toEqual(names(199, 250))
    expect(await list(at(250))).toEqual([])
    const plan = await connection
      .collection('users')
      .find({ changedAt: { $gte: at(0) } })
      .sort({ changedAt: 1, _id: 1 })
      .explain('queryPlanner')
    expect(JSON.stringify(plan)).toContain('"indexName":"changedAt"')
    expect(JSON.stringify(plan)).not.toContain('"SORT"')
  } finally {
    await connection.close()
    await removeDatabases(addresses, namespace)
  }
})
