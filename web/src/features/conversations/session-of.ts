import { io } from 'socket.io-client'
import { askUntilAnswered } from '../../api/ask-until-answered.ts'
import type { Client } from '../../api/client.ts'
import type { Page } from '../../page.ts'
import { loadCopies } from '../sealed/key-copies.ts'
import { createListChanges } from './list-changes.ts'
import type { ListChanges } from './list-changes.ts'
import { openSession, openTexts } from './open-session.ts'
import type { Session, Texts } from './open-session.ts'

/** A session that is being opened, or open. */
export interface Opening {
  readonly userId: string
  readonly list: ListChanges
  readonly texts: Promise<Texts>
  /** The list has come, and enters the cache once it is opened. */
  isListFetched?: boolean
  session?: Promise<Session>
}

/** Opens the texts during the pauses of an unlock. */
export function openAhead(page: Page, userId: string): void {
  // A lock must replace this page.
  if (page.holdsSecrets) openingOf(page, userId)
}

/**
 * The session of a page. It outlives the screens, because a lock still sends unsent messages after the calculator is shown;
 * it ends with the lock, and with the page.
 */
export function sessionOf(page: Page, userId: string): Promise<Session> {
  page.holdsSecrets = true
  const opening = openingOf(page, userId)
  opening.session ??= opening.texts.then((texts) => {
    const session = openSession(page, { ...texts, userId, list: opening.list, io })
    if (page.opening === opening) page.session = session
    // Locked in the meantime.
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
    // Not known to a page that saw no unlock, such as after a reload.
    outboxKey: unlocked ? Promise.resolve(unlocked.outboxKey) : fetchOutboxKey(client),
    keys: unlocked?.keys ?? loadCopies(client, userId),
  })
  // Reported when the session is opened.
  texts.catch(() => undefined)
  page.opening = { userId, list: createListChanges(), texts }
  return page.opening
}

/** The key that encrypts unsent text. Waits until the server answers; undefined when it refuses. */
async function fetchOutboxKey(client: Client): Promise<string | undefined> {
  const answer = await askUntilAnswered(client, { url: '/api/outbox-key' })
  return 'error' in answer ? undefined : (answer.data as { outboxKey: string }).outboxKey
}
