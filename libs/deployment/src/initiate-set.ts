import mongoose from 'mongoose'
import { waitUntil } from './wait-until.ts'

export interface SetOptions {
  /**
   * The address must be on the database's own loopback, because MongoDB's localhost exception allows the first user
   * to be created from there only.
   */
  address: string
  /** Clients reach the database under this name. */
  member: string
  adminPassword: string
}

/**
 * Turns a new MongoDB into a replica set of one with an administrator. A set that exists keeps its data and gets the
 * address `member`. Throws when it has an administrator with another password.
 */
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
    // The localhost exception allows this only while the database has no user, so an existing administrator stays.
    const isFirst = await admin
      .command({ createUser: 'admin', pwd: adminPassword, roles: ['root'] })
      .then(() => true, unlessAlreadyDone)
    if (!knowsUs && !isFirst) {
      throw new Error(
        'MongoDB refuses the password in secrets.json: the administrator in its data has another one. Put back the secrets.json with which the data were made, or remove the data folder to start without data.',
      )
    }
  } finally {
    await anonymous.close()
  }
}

/**
 * Writes the present address into a set, which would otherwise wait for its old one endlessly. Returns false when
 * MongoDB refuses the administrator: the password is another one, or the previous start ended before it created the
 * administrator.
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

/** Connects to one member of a set and ignores the others. */
export const connectDirectly = (url: string) =>
  mongoose.createConnection(url, { serverSelectionTimeoutMS: 5000 }).asPromise()

function unlessAlreadyDone(error: { codeName?: string }): false {
  if (['AlreadyInitialized', 'Unauthorized', 'Location51003'].includes(error.codeName ?? '')) return false
  throw error as Error
}
