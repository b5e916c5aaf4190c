import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { createNicknames } from '@sumlock/sealing/nickname'
import type { OwnKeys } from './own-keys.ts'

/** A conversation whose partner is shown under a nickname has the partner's own name in `accountName`. */
export type NamedUser = Conversation['otherUser'] & { readonly accountName?: string }

/** Returns a function that opens a box; it resolves to undefined if none of the keys does. */
export async function nicknameOpener({ keys }: OwnKeys) {
  const nicknames = await Promise.all(keys.toReversed().map(createNicknames))
  return async (id: string, box: string): Promise<string | undefined> => {
    for (const { open } of nicknames)
      try {
        return await open(id, box)
      } catch {
        // The box belongs to another key.
      }
    return undefined
  }
}

/** Puts the nicknames in place of the user names. A nickname that does not open here is left out. */
export async function withNicknames(rows: readonly Conversation[], own: OwnKeys): Promise<Conversation[]> {
  const open = await nicknameOpener(own)
  return Promise.all(
    rows.map(async (row) => {
      const nickname = row.nickname && (await open(row.id, row.nickname))
      if (!nickname) return row
      const { otherUser } = row
      const named: NamedUser = { ...otherUser, username: nickname, accountName: otherUser.username }
      return { ...row, otherUser: named }
    }),
  )
}

/** Seals a nickname under the newest own key. */
export async function sealNickname(id: string, nickname: string, { keys }: OwnKeys): Promise<string> {
  const key = keys.at(-1)
  if (!key) throw new Error('No key is open on this page. Please lock and enter your number.')
  return (await createNicknames(key)).seal(id, nickname)
}
