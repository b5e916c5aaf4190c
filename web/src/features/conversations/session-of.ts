import { io } from 'socket.io-client'
import { askUntilAnswered } from '../../api/ask-until-answered.ts'
import type { Client } from '../../api/client.ts'
import type { Page } from '../../page.ts'
import { loadCopies } from '../sealed/key-copies.ts'
import { createListChanges } from './list-changes.ts'
import type { ListChanges } from './list-changes.ts'
import { openSession, openTexts } from './open-session.ts'
import type { Session, Texts } from './open-session.ts'

/** A session that is being opened, or is open. */
export interface Opening {
  readonly userId: string
  readonly list: ListChanges
  readonly texts: Promise<Texts>
  /** Whether the list has arrived. It enters the cache once it is opened. */
  isListFetched?: boolean
  session?: Promise<Session>
}

/** Opens the texts during the pauses of an unlock. */
export function prepareSession(page: Page, userId: string): void {
  // The page may open texts only if a lock will replace it.
  if (page.holdsSecrets) openingOf(page, userId)
}

/**
 * The session of a page. It outlives the screens, because a lock still sends unsent messages after the calculator is
 * shown. It ends with the lock and with the page.
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
  page.session?.close()
  page.session = null
  const { client, unlocked } = page
  const texts = openTexts(page, {
    userId,
    // A page without an unlock of its own, such as after a reload, has to fetch the key.
    outboxKey: unlocked ? Promise.resolve(unlocked.outboxKey) : fetchOutboxKey(client),
    keys: unlocked?.keys ?? loadCopies(client, userId),
  })
  // The failure is reported when the session is opened.
  texts.catch(() => undefined)
  page.opening = { userId, list: createListChanges(), texts }
  return page.opening
}

/** Fetches the key that encrypts unsent text. Waits until the server answers; undefined if it refuses. */
async function fetchOutboxKey(client: Client): Promise<string | undefined> {
  const answer = await askUntilAnswered(client, { url: '/api/outbox-key' })
  return 'error' in answer ? undefined : (answer.data as { outboxKey: string }).outboxKey
}
