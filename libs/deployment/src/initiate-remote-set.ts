import mongoose from 'mongoose'
import { waitUntil } from './wait-until.ts'

export interface RemoteSet {
  /** The value is `host:port`, which the clients use as well. */
  member: string
  /** The database created the administrator `admin` with this password at its first start. */
  adminPassword: string
}

/** Returns the administrator's address, which works before and after the set is initiated. */
export const remoteAdminUrl = ({ member, adminPassword }: RemoteSet): string =>
  `mongodb://admin:${encodeURIComponent(adminPassword)}@${member}/admin?directConnection=true&authSource=admin`

/** Turns a remote MongoDB into a replica set of one, and waits until it accepts writes. Safe to repeat. */
export async function initiateRemoteSet(set: RemoteSet): Promise<void> {
  const connection = await mongoose
    .createConnection(remoteAdminUrl(set), { serverSelectionTimeoutMS: 5000 })
    .asPromise()
  try {
    const admin = connection.getClient().db('admin')
    const members = [{ _id: 0, host: set.member }]
    await admin
      .command({ replSetInitiate: { _id: 'rs0', members } })
      .catch((error: { codeName?: string }) => {
        if (error.codeName !== 'AlreadyInitialized') throw error as Error
      })
    await waitUntil(
      `MongoDB at ${set.member} to become primary`,
      async () => (await admin.command({ hello: 1 }))['isWritablePrimary'] === true,
    )
  } finally {
    await connection.close()
  }
}
