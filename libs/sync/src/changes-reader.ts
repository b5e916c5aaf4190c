import type { Changes } from '@sumlock/contracts/changes-routes'

const firstPollAfterMs = 3000

export interface ChangesReader {
  /** The server has chosen this wait between two polls. */
  readonly pollAfterMs: number
  /**
   * Fetches the changes since the last call and passes those to `apply` that the previous answer did not contain.
   * Rejects when the server did not answer or `apply` failed; the next call then fetches the same changes again.
   */
  read(apply: (changes: Changes, isFirst: boolean) => Promise<void>): Promise<void>
}

/** Returns a reader of the changes of a list. `fetch` calls the server; without a time it fetches the whole list. */
export function createChangesReader(fetch: (since: string | undefined) => Promise<Changes>): ChangesReader {
  let since: string | undefined
  let pollAfterMs = firstPollAfterMs
  let answered = new Map<string, string>()
  return {
    get pollAfterMs() {
      return pollAfterMs
    },
    async read(apply) {
      const changes = await fetch(since)
      // The server repeats each change for some seconds, so unchanged rows are left out.
      const rows = new Map(changes.conversations.map((row) => [row.id, JSON.stringify(row)]))
      const isNew = ({ id }: { id: string }) => changes.isWhole || rows.get(id) !== answered.get(id)
      await apply({ ...changes, conversations: changes.conversations.filter(isNew) }, since === undefined)
      answered = rows
      since = changes.now
      pollAfterMs = changes.pollAfterMs
    },
  }
}
