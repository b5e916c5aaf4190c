import type { Changes } from '@sumlock/contracts/changes-routes'
import { createChangesReader } from '@sumlock/sync/changes-reader'
import { api } from '../../api/base-api.ts'
import type { Client } from '../../api/client.ts'
import type { AppDispatch, RootState } from '../../api/store.ts'
import type { Page } from '../../page.ts'
import { conversationDeleted, conversationOpened } from './conversation-list.ts'
import type { ListEntry } from './conversation-list.ts'
import { leaveDeleted } from './conversation-views.ts'
import { entryOf, listed, messagingApi } from './messaging-api.ts'
import { withLaterPages } from './page-cursor.ts'
import type { Session } from './open-session.ts'

/**
 * `list` means that the caller has to fetch the whole list: single changes do not suffice, or the call got no answer,
 * and only the list's error makes the connection bar say so.
 */
export type PollOutcome = 'done' | 'failed' | 'list'

type PolledSession = Pick<Session, 'live' | 'list' | 'text' | 'views'>

export interface ChangesPoller {
  readonly pollAfterMs: number
  poll(): Promise<PollOutcome>
}

/** Fetches changes and brings the list and open conversations up to date. This code is loaded after the chat. */
export function createChangesPoller(
  page: Page,
  session: PolledSession,
  dispatch: AppDispatch,
): ChangesPoller {
  const { live, list: listChanges, text } = session
  const reader = createChangesReader((since) => fetchChanges(page.client, since))
  const apply = async (changes: Changes, isFirst: boolean): Promise<ListEntry | undefined> => {
    const conversations = await text.openList(changes.conversations)
    if (changes.isWhole && !isFirst) dispatch(api.util.invalidateTags(['User']))
    for (const id of changes.removed) void leaveDeleted(page, id)
    // With a working live connection, the open conversations receive their messages by themselves.
    if (!live.state.connected || live.state.degraded) refreshViews(session, changes)
    return changedEntry({ ...changes, conversations }, dispatch(presentEntry))
  }
  return {
    get pollAfterMs() {
      return reader.pollAfterMs
    },
    async poll() {
      const endRecording = listChanges.record()
      let entry: ListEntry | undefined
      try {
        await reader.read(async (changes, isFirst) => {
          entry = await apply(changes, isFirst)
        })
      } catch (error) {
        endRecording()
        return (error as { status?: number }).status === 0 ? 'list' : 'failed'
      }
      const rows = endRecording(entry?.rows)
      if (page.opening?.list !== listChanges) return 'done'
      if (!entry) return 'list'
      void dispatch(messagingApi.util.upsertQueryData('listConversations', undefined, { ...entry, rows }))
      return 'done'
    },
  }
}

const presentEntry = (_dispatch: AppDispatch, getState: () => RootState) => entryOf(getState())

async function fetchChanges({ request }: Client, since: string | undefined): Promise<Changes> {
  const query = since === undefined ? '' : `?${new URLSearchParams({ since })}`
  const answer = await request({ url: `/api/changes${query}` })
  if ('error' in answer) throw Object.assign(new Error(answer.error.message), answer.error)
  return answer.data as Changes
}

/**
 * Fetches new messages of those open conversations that have changed, or of all open ones if the answer holds the whole
 * list instead of single changes.
 */
function refreshViews({ views }: PolledSession, { isWhole, conversations }: Changes): void {
  const isChanged = (id: string) => conversations.some((row) => row.id === id)
  for (const [id, view] of views) if (isWhole || isChanged(id)) view.refresh()
}

function changedEntry(
  { isWhole, conversations, removed }: Changes,
  known: ListEntry | undefined,
): ListEntry | undefined {
  if (isWhole) return withLaterPages(listed(conversations, known), conversations, known)
  if (!known) return undefined
  const changes = [...conversations.map(conversationOpened), ...removed.map(conversationDeleted)]
  return { ...known, rows: changes.reduce((list, change) => change(list).list, known.rows) }
}
