import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { registerActors } from '../kit/access/actors.ts'
import type { Actors } from '../kit/access/actors.ts'
import { changesSessions, orderedRoutes as routes } from '../kit/access/ordered-routes.ts'
import { readyCall } from '../kit/access/ready-call.ts'
import type { NamedRoute } from '../kit/access/ready-call.ts'
import { expectedAnswer, handshakeVerdicts, sessionNames, tokenNames } from '../kit/access/verdicts.ts'
import type { SessionName } from '../kit/access/verdicts.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import type { Person } from '../kit/people.ts'
import { connect, nextState } from '../kit/socket.ts'

const words = {
  owner: 'canary of the owner: the key is under the mat',
  friend: 'canary of the friend: I know',
}

let stack: RunningStack
let actors: Actors
const opened: { close(): void }[] = []
const openAll = () => Promise.all(sessionNames.map((session) => actors.open(session)))
/** The sessions of all calls that change none. */
let shared: Promise<Person[]> | undefined

beforeAll(async () => {
  stack = await sharedStack()
  actors = await registerActors(stack)
  const { owner, friend, conversationId } = actors
  for (const [{ client }, content] of [[owner, words.owner] as const, [friend, words.friend] as const])
    await client.ok(sendMessage, { body: { conversationId, content } })
})
afterEach(async () => {
  if (!shared) await actors.closeOpened()
})
afterAll(() => {
  for (const { close } of opened) close()
})

describe('the access table', () => {
  it.each(routes)('decides every call of %s, by session and CSRF token', async (...route: NamedRoute) => {
    // All are open before the first call, which may lock the other sessions of its account.
    const people = await (changesSessions(route[1]) ? openAll() : (shared ??= openAll()))
    const rows = await Promise.all(
      sessionNames.map(async (session, index) => {
        const { client } = people[index] as Person
        const call = await readyCall(route, client, actors.friend.client, actors.namedBy(session))
        const answers: [SessionName, string, string, string][] = []
        // The order matters: if a refused call had changed something, the last one would fail.
        for (const token of tokenNames) {
          const { outcome } = await call(token)
          answers.push([session, token, outcome, expectedAnswer(route, session, token)])
        }
        return answers
      }),
    )
    const table = rows.flat()
    const actual = table.map(([session, token, outcome]) => [session, token, outcome])
    expect(actual).toEqual(table.map(([session, token, , expected]) => [session, token, expected]))
  })
})

describe('the access table of socket handshakes', () => {
  const refusalOf = async (person: Pick<Person, 'client' | 'user'>, query: Parameters<typeof connect>[1]) => {
    const live = connect(person, query)
    opened.push(live)
    const { refusal } = await nextState(live, ({ connected, refusal }) => connected || refusal !== null)
    return refusal
  }

  it.each(sessionNames)('decides the handshakes of the session %s', async (session) => {
    const person = await actors.open(session)
    const { conversationId } = actors
    expect(await refusalOf(person, {})).toBe(handshakeVerdicts.plain[session])
    expect(await refusalOf(person, { conversationId })).toBe(handshakeVerdicts.conversation[session])
  })

  it.each(['other', 'unlocked'] as const)(
    'refuses a handshake of the session %s with another user id',
    async (session) => {
      const person = await actors.open(session)
      const { user } = session === 'other' ? actors.owner : actors.other
      expect(await refusalOf({ client: person.client, user }, {})).toBe('not_allowed')
    },
  )
})
