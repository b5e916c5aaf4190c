import { io } from 'socket.io-client'
import { askUntilAnswered } from '../../api/ask-until-answered.ts'
import type { Client } from '../../api/client.ts'
import type { Page } from '../../page.ts'
import { loadCopies } from '../sealed/key-copies.ts'
import { closeOpening } from '../session/close-opening.ts'
import { createListChanges } from './list-changes.ts'
import type { ListChanges } from './list-changes.ts'
import { openSession, openTexts } from './open-session.ts'
import type { Session, Texts } from './open-session.ts'

/** Describes a session that is being opened, or is open. */
export interface Opening {
  readonly userId: string
  readonly list: ListChanges
  readonly texts: Promise<Texts>
  /** Whether the server has sent the list. The list enters the cache once its previews are opened. */
  isListFetched?: boolean
  session?: Promise<Session>
}

/** Opens unsent texts and keys early, while an unlock is still running. */
export function prepareSession(page: Page, userId: string): void {
  // A lock replaces only a page with this flag, and opened texts must not stay in memory.
  if (page.holdsSecrets) openingOf(page, userId)
}

/**
 * Returns the session of a page, and opens it at the first call. Leaving the screens does not close it, because a lock
 * still sends unsent messages after it has shown the calculator.
 */
export function sessionOf(page: Page, userId: string): Promise<Session> {
  page.holdsSecrets = true
  const opening = openingOf(page, userId)
  opening.session ??= opening.texts.then((texts) => {
    const session = openSession(page, { ...texts, userId, list: opening.list, io })
    if (page.opening === opening) page.session = session
    // The page was locked while the session opened.
    else session.close()
    return session
  })
  return opening.session
}

function openingOf(page: Page, userId: string): Opening {
  if (page.opening?.userId === userId) return page.opening
  closeOpening(page)
  // Another tab may have signed in another person, who must get neither the keys nor the text of the former one.
  if (page.unlocked?.userId !== userId) page.unlocked = null
  const { client, unlocked } = page
  const texts = openTexts(page, {
    userId,
    // A page that did not run the unlock itself, such as after a reload, has to fetch the key.
    outboxKey: unlocked ? Promise.resolve(unlocked.outboxKey) : fetchOutboxKey(client),
    keys: unlocked?.keys ?? loadCopies(client, userId),
  })
  // `sessionOf` reports this failure. Without a handler here, the browser would log it as unhandled.
  texts.catch(() => undefined)
  page.opening = { userId, list: createListChanges(), texts }
  return page.opening
}

/** Fetches the key that encrypts unsent text. Waits until the server answers, and returns undefined if it refuses. */
async function fetchOutboxKey(client: Client): Promise<string | undefined> {
  const answer = await askUntilAnswered(client, { url: '/api/outbox-key' })
  return 'error' in answer ? undefined : (answer.data as { outboxKey: string }).outboxKey
}
