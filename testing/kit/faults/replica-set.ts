import { createMongod } from '@sumlock/dev/engines/mongo'
import type { Child } from '@sumlock/dev/processes/child'
import { silent } from '@sumlock/dev/processes/progress'
import { connectDirectly } from '@sumlock/deployment/initiate-set'
import { waitUntil } from '@sumlock/deployment/wait-until'
import mongoose from 'mongoose'
import type { Connection } from 'mongoose'
import type { Place } from './places.ts'

export interface ReplicaSet {
  readonly members: readonly Child[]
  /** The address names only one member, because `URL` accepts no list; clients find the others through it. */
  readonly adminUrl: string
  /** Returns an address that lists all members, as services have it in production. */
  withAllMembers(url: string): string
  primary(): Promise<number>
  /** Resolves to the index of the member that accepts writes, once it is another one than `old`. */
  elected(old: number): Promise<number>
  /** Resolves once there is a primary and both other members follow it. */
  whole(): Promise<unknown>
  stop(): Promise<void>
}

/**
 * Starts a replica set of three with MongoDB's default times. It has no access control, because MongoDB's exception for
 * localhost does not reach into a network namespace.
 */
export async function startReplicaSet(
  dataDir: string,
  places: readonly Place[],
  adminPassword: string,
): Promise<ReplicaSet> {
  const members = await Promise.all(
    places.map(({ host, mongoPort, within }, index) =>
      createMongod({ dataDir, progress: silent, name: `mongo-${index + 1}`, host, port: mongoPort, within }),
    ),
  )
  const stop = async () => {
    await Promise.all(members.map((member) => member.stop()))
  }
  try {
    await Promise.all(members.map((member) => member.start()))
    await initiate(places, adminPassword)
  } catch (error) {
    await stop()
    throw error
  }
  const addresses = places.map(addressOf)
  const seed = addresses[0] as string
  const isPrimary = async (index: number) => {
    const answer = await commandOn(addresses[index] as string, { hello: 1 })
    return answer['isWritablePrimary'] === true
  }
  const primaryOf = (candidates: readonly number[]) =>
    waitUntil('a primary', () => Promise.any(candidates.map((index) => indexIf(index, isPrimary))), {
      timeoutMs: 60_000,
    })
  const all = addresses.map((_, index) => index)
  return {
    members,
    adminUrl: `mongodb://admin:${adminPassword}@${seed}/admin?replicaSet=rs0&authSource=admin`,
    withAllMembers: (url) => url.replace(seed, addresses.join()),
    primary: () => primaryOf(all),
    elected: (old) => primaryOf(all.filter((index) => index !== old)),
    whole: () =>
      waitUntil(
        'the replica set to be whole',
        async () => {
          const index = await primaryOf(all)
          const status = await commandOn(addresses[index] as string, { replSetGetStatus: 1 })
          const states = (status['members'] as { stateStr: string }[]).map(({ stateStr }) => stateStr).sort()
          return states.join() === 'PRIMARY,SECONDARY,SECONDARY'
        },
        { timeoutMs: 120_000, everyMs: 500 },
      ),
    stop,
  }
}

const addressOf = ({ host, mongoPort }: Place) => `${host}:${mongoPort}`

async function indexIf(index: number, holds: (index: number) => Promise<boolean>): Promise<number> {
  if (!(await holds(index))) throw new Error(`Member ${index + 1} is not the primary.`)
  return index
}

async function commandOn(
  address: string,
  command: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const url = `mongodb://${address}/admin?directConnection=true`
  const connection = await mongoose
    .createConnection(url, { serverSelectionTimeoutMS: 1000, connectTimeoutMS: 1000, socketTimeoutMS: 1000 })
    .asPromise()
  try {
    return await adminOf(connection).command(command)
  } finally {
    await connection.close()
  }
}

const adminOf = (connection: Connection) => connection.getClient().db('admin')

async function initiate(places: readonly Place[], adminPassword: string): Promise<void> {
  const [first = ''] = places.map(addressOf)
  const connection = await connectDirectly(`mongodb://${first}/admin?directConnection=true`)
  try {
    const members = places.map((place, index) => ({ _id: index, host: addressOf(place) }))
    await adminOf(connection).command({ replSetInitiate: { _id: 'rs0', members } })
  } finally {
    await connection.close()
  }
  const url = `mongodb://${places.map(addressOf).join()}/admin?replicaSet=rs0`
  const set = await mongoose.createConnection(url, { serverSelectionTimeoutMS: 60_000 }).asPromise()
  try {
    await adminOf(set).command({ createUser: 'admin', pwd: adminPassword, roles: ['root'] })
  } finally {
    await set.close()
  }
}
