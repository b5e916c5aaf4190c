import mongoose from 'mongoose'
import { waitUntil } from './wait-until.ts'

export interface SetOptions {
  /** An address on the database's own loopback: its localhost exception allows the first user to be created. */
  address: string
  /** The name under which clients reach it. */
  member: string
  adminPassword: string
}

/** Turns a new MongoDB into a replica set of one with an administrator; does nothing if it is one already. */
export async function initiateSet({ address, member, adminPassword }: SetOptions): Promise<void> {
  const anonymous = await connectDirectly(`mongodb://${address}/admin?directConnection=true`)
  try {
    const admin = anonymous.getClient().db('admin')
    const members = [{ _id: 0, host: member }]
    const isNew = await admin
      .command({ replSetInitiate: { _id: 'rs0', members } })
      .then(() => true, unlessAlreadyDone)
    const knowsUs = isNew || (await moveTo(address, member, adminPassword))
    await waitUntil(
      'MongoDB to become primary',
      async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true,
    )
    // Without users, the localhost exception allows the first one to be created.
    const isFirst = await admin
      .command({ createUser: 'admin', pwd: adminPassword, roles: ['root'] })
      .then(() => true, unlessAlreadyDone)
    if (!knowsUs && !isFirst) {
      throw new Error(
        'MongoDB refuses the password in secrets.json: its data were made with another one. Put that file back, or remove the data folder.',
      )
    }
  } finally {
    await anonymous.close()
  }
}

/**
 * A set stores its own address; on another port it would wait endlessly for its old address. Returns false when the
 * administrator does not exist: the previous start may have ended before creating it.
 */
async function moveTo(address: string, host: string, adminPassword: string): Promise<boolean> {
  const connection = await connectDirectly(
    `mongodb://admin:${adminPassword}@${address}/admin?directConnection=true`,
  ).catch((error: { codeName?: string }) => {
    if (error.codeName === 'AuthenticationFailed') return null
    throw error as Error
  })
  if (!connection) return false
  try {
    const admin = connection.getClient().db('admin')
    const { config } = (await admin.command({ replSetGetConfig: 1 })) as { config: SetConfig }
    if (config.members[0]?.host === host) return true
    const moved = { ...config, version: config.version + 1, members: [{ ...config.members[0], host }] }
    await admin.command({ replSetReconfig: moved, force: true })
    return true
  } finally {
    await connection.close()
  }
}

interface SetConfig {
  version: number
  members: { host: string }[]
}

/** A direct connection to one member, without discovering its set. */
export const connectDirectly = (url: string) =>
  mongoose.createConnection(url, { serverSelectionTimeoutMS: 5000 }).asPromise()

function unlessAlreadyDone(error: { codeName?: string }): false {
  if (['AlreadyInitialized', 'Unauthorized', 'Location51003'].includes(error.codeName ?? '')) return false
  throw error as Error
}
