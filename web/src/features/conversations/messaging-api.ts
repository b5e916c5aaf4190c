import type { Conversation } from '@sumlock/contracts/messaging-routes'
import { emptyConversation } from '@sumlock/sync/known-messages'
import type { ConversationState } from '@sumlock/sync/known-messages'
import type { ConversationView } from '@sumlock/sync/conversation-view'
import type { Cell, Draft } from '@sumlock/sync/ports'
import { api } from '../../api/base-api.ts'
import type { ApiAnswer, ApiError } from '../../api/client.ts'
import type { AppDispatch, RootState } from '../../api/store.ts'
import { pageOf } from '../../page.ts'
import type { Page } from '../../page.ts'
import { conversationOpened, messagesRead, toListed, unopened } from './conversation-list.ts'
import type { ConversationList, ListChange, ListEntry } from './conversation-list.ts'
import { openView } from './conversation-views.ts'
import { cellOf } from './messages-cell.ts'
import { followList } from './follow-list.ts'
import type { Session } from './open-session.ts'
import { withLaterPages } from './page-cursor.ts'
import { withTimer } from './with-timer.ts'

/** Calls on a page without an open session fail with this error. */
const locked: ApiError = { status: 423, code: 'locked', message: '423: locked' }

/**
 * The fetch of the list fails with this error if another system has answered, such as the sign-in page of a network.
 */
const notAList: ApiError = {
  status: 0,
  code: 'no_connection',
  sentence: 'No connection. Please try again.',
  message: '0: not a list',
}

export const listUrl = '/api/conversations'

/**
 * Returns the list that was fetched early, while the unlock was running, and removes it from the page, because it soon
 * becomes outdated.
 */
function takePrefetchedList({ unlocked }: Page): Promise<ApiAnswer> | undefined {
  const taken = unlocked?.list
  if (unlocked) delete unlocked.list
  return taken
}

/**
 * Returns the list with opened previews and with the changes since the request. The list is fetched unless the unlock
 * has already done so.
 */
async function fetchList(
  page: Page,
  ask: () => PromiseLike<ListAnswer> | ListAnswer,
  known: () => ListEntry | undefined,
): Promise<{ data: ListEntry } | { error: ApiError }> {
  const { opening } = page
  const endRecording = opening?.list.record()
  const prefetched = takePrefetchedList(page)
  const early = prefetched && (await prefetched)
  const isEarly = early !== undefined && 'data' in early
  const { data, error } = isEarly ? { ...early, error: undefined } : await ask()
  const fetched = Array.isArray(data) ? (data as Conversation[]).map(unopened) : undefined
  if (opening && fetched) opening.isListFetched = true
  const session = page.session ?? (await opening?.session)
  const opened = (await session?.text.openList(fetched ?? [])) ?? fetched ?? []
  if (page.opening !== opening) return { error: locked }
  const before = known()
  const rows = listed(opened, before)
  const changed = endRecording?.(fetched && rows) ?? rows
  return fetched ? { data: withLaterPages(changed, fetched, before) } : { error: error ?? notAList }
}

interface ListAnswer {
  data?: unknown
  error?: ApiError
}

interface SendMessageArgs {
  conversationId: string
  clientMessageId: string
  draft: Draft
  /** Whether the message was written in the composer, so that its draft ends. */
  endsDraft: boolean
}

export const messagingApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** The list is fetched rarely. Between fetches, events change it while it is in the cache. */
    listConversations: build.query<ListEntry, void>({
      queryFn: (_argument, { getState, extra }, _options, baseQuery) =>
        // The store's type lists only the endpoints of the entry chunk, so a cast is needed here.
        fetchList(
          pageOf({ extra }),
          () => baseQuery({ url: listUrl }),
          () => entryOf(getState() as RootState),
        ),
      onCacheEntryAdded: async (
        _argument,
        { dispatch, getState, getCacheEntry, cacheEntryRemoved, extra },
      ) => {
        const page = pageOf({ extra })
        const session = page.session ?? (await page.opening?.session)
        if (!session) return
        const stop = followList(page, session, {
          rows: () => getCacheEntry().data?.rows,
          change: (change) => dispatch(changeList(change)),
          held: (id) => heldOf(getState() as RootState, id),
        })
        await cacheEntryRemoved
        stop()
      },
      onQueryStarted: async (_argument, { getCacheEntry, queryFulfilled, extra }) => {
        const before = getCacheEntry().data?.rows ?? []
        await queryFulfilled.catch(() => undefined)
        followRows(pageOf({ extra }).session, before, getCacheEntry().data?.rows ?? [])
      },
    }),
    startConversation: build.mutation<Conversation, string>({
      query: (userCode) => ({ url: listUrl, method: 'POST', body: { userCode } }),
      onQueryStarted: async (_userCode, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }))
        if (data) await dispatch(addStarted(unopened(data)))
      },
    }),
    deleteConversation: build.mutation<unknown, string>({
      query: (id) => ({ url: `${listUrl}/${id}`, method: 'DELETE' }),
    }),
    /**
     * Holds the stored messages of one conversation from the first screen that shows it until the entry leaves the
     * cache. The sync engine uses the entry as its cell. Its states are immutable, share unchanged messages and are
     * frozen, because immer would otherwise visit every message after each change.
     */
    getMessages: build.query<ConversationState, string>({
      queryFn: () => ({ data: emptyConversation }),
      structuralSharing: false,
      onCacheEntryAdded: async (conversationId, { dispatch, updateCachedData, getCacheEntry, ...entry }) => {
        const isInCache = await entry.cacheDataLoaded.then(
          () => true,
          () => false,
        )
        const { session } = pageOf(entry)
        if (!session || !isInCache) return
        const cell = cellOf({ getCacheEntry, updateCachedData }, session, conversationId)
        const view = dispatch(openListed(session, conversationId, cell))
        await entry.cacheEntryRemoved
        view.close()
      },
    }),
    /** Resolves when the message is in the outbox, which keeps it until the server has stored it. */
    sendMessage: build.mutation<null, SendMessageArgs>({
      queryFn: async ({ conversationId, clientMessageId, draft, endsDraft }, { getState, extra }) => {
        const { session } = pageOf({ extra })
        if (!session) return { error: locked }
        const { outbox, drafts } = session
        const row = listOf(getState() as RootState)?.find(({ id }) => id === conversationId)
        // Outbox and draft change without a pause between them, so both are stored together, and a reload finds the
        // text in one of them.
        outbox.add(conversationId, withTimer(draft, row), clientMessageId)
        if (endsDraft) drafts.set(conversationId, '')
        await outbox.whenAdded(clientMessageId)
        return { data: null }
      },
    }),
  }),
})

export const {
  useListConversationsQuery,
  useStartConversationMutation,
  useDeleteConversationMutation,
  useGetMessagesQuery,
} = messagingApi

const selectList = messagingApi.endpoints.listConversations.select()

/** Returns the cached entry of the list; undefined before its first answer. */
export const entryOf = (state: RootState): ListEntry | undefined => selectList(state).data

/** Returns the rows of the cached list; undefined before its first answer. */
export const listOf = (state: RootState): ConversationList | undefined => entryOf(state)?.rows

/** Returns the cached messages of a conversation; undefined if they are not in the cache. */
export const messagesOf = (state: RootState, conversationId: string): ConversationState | undefined =>
  messagingApi.endpoints.getMessages.select(conversationId)(state).data

/** Returns the cached messages of a conversation up to the first gap. */
function heldOf(state: RootState, conversationId: string) {
  const { messages, watermark } = messagesOf(state, conversationId) ?? emptyConversation
  return messages.filter(({ seq }) => seq <= watermark)
}

/** Opens a conversation where its row says that the person has read up to. */
const openListed =
  (session: Session, conversationId: string, cell: Cell<ConversationState>) =>
  (dispatch: AppDispatch, getState: () => RootState): ConversationView => {
    const { userId } = session
    const row = listOf(getState())?.find(({ id }) => id === conversationId)
    const { unreadCount = 0, readSeq, version } = row ?? {}
    return openView(session, conversationId, {
      cell,
      version,
      readSeq: unreadCount > 0 ? readSeq : undefined,
      onRead: (seq) => {
        const read = { conversationId, readerId: userId, seq }
        dispatch(changeList(messagesRead(read, userId, heldOf(getState(), conversationId))))
      },
    })
  }

/** Adds a conversation at once, because its screen looks for it in the list. Only a nickname is opened before. */
const addStarted =
  (started: Conversation) =>
  async (dispatch: AppDispatch, _getState: () => RootState, { session }: Page): Promise<void> => {
    const rows = (started.nickname && (await session?.text.openList([started]))) || [started]
    for (const row of rows) dispatch(changeList(conversationOpened(row)))
  }

/** Turns fetched conversations into rows of the list. Known keys are kept. */
export const listed = (fetched: readonly Conversation[], known: ListEntry | undefined): ConversationList => {
  const rows = new Map(known?.rows.map((row) => [row.id, row]))
  return fetched.map((conversation) => toListed(conversation, rows.get(conversation.id)))
}

/**
 * Opens what new rows contain, lets previews vanish, and gives an open conversation what was read on another device and
 * the changes that it lacks.
 */
function followRows(session: Session | null, before: ConversationList, after: ConversationList): void {
  session?.text.followRows(before, after)
  session?.vanishing.look()
  for (const [id, view] of session?.views ?? []) {
    const row = after.find((one) => one.id === id)
    const former = before.find((one) => one.id === id)
    if (row && row.readSeq > (former?.readSeq ?? 0)) view.readTo(row.readSeq)
    // A lower version than before is news, too, because the server may have been restored.
    if (row && row.version !== former?.version) view.refresh(row.version ?? 0)
  }
}

/** Changes the cached list without a fetch. */
export const changeList =
  (change: ListChange) =>
  (dispatch: AppDispatch, getState: () => RootState, { opening, session }: Page): void => {
    const before = entryOf(getState())
    const rows = opening?.list.apply(change, before?.rows)
    if (!before || rows === undefined || rows === before.rows) return
    dispatch(messagingApi.util.updateQueryData('listConversations', undefined, () => ({ ...before, rows })))
    followRows(session, before.rows, rows)
  }
