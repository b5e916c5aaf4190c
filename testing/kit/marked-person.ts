import { createECDH, randomUUID } from 'node:crypto'
import * as account from '@sumlock/contracts/account-routes'
import { changeMessage } from '@sumlock/contracts/act-routes'
import { listUsers, suspendUser, unsuspendUser } from '@sumlock/contracts/admin-routes'
import * as auth from '@sumlock/contracts/auth-routes'
import { grantPremium } from '@sumlock/contracts/billing-routes'
import {
  closeReport,
  listReports,
  reportConversation,
  setConversationPreferences,
  setConversationState,
  setTimer,
} from '@sumlock/contracts/conversation-state-routes'
import { exampleValues } from '@sumlock/contracts/example-values'
import { exportAccount } from '@sumlock/contracts/export-routes'
import { putIdentity } from '@sumlock/contracts/identity-routes'
import { putKnownKey } from '@sumlock/contracts/known-key-routes'
import { setDiscreetMode, verifyNumericPassword } from '@sumlock/contracts/lock-routes'
import { requestPasswordReset, verifyEmail } from '@sumlock/contracts/mail-link-routes'
import { markRead, sendMessage } from '@sumlock/contracts/messaging-routes'
import { setNotificationPreferences } from '@sumlock/contracts/notification-routes'
import { logPromoRedemption } from '@sumlock/contracts/promo-code-routes'
import { createMultipart } from '@sumlock/contracts/s3-routes'
import { giftPremium, redeemCode, upgrade } from '@sumlock/contracts/subscription-routes'
import { Client } from '@sumlock/deployment/api-client'
import { makeAdmin } from '@sumlock/dev/product/services'
import { freshPhone } from './fresh-phone.ts'
import { mailsFor } from './inbox.ts'
import { sendMedia, someBytes, upload } from './media.ts'
import { adminPerson, befriend, makePremium, readUser, unlock, unlockedPerson } from './people.ts'
import type { Person } from './people.ts'
import type { RunningStack } from './shared-stack.ts'
import { eventually } from './wait.ts'

export interface Life {
  person: Person
  friend: Person
  /** These values identify the person, by name. */
  marks: Record<string, string>
  /** The names of the person's and the friend's objects in the bucket begin with these texts. */
  objects: { own: string[]; friends: string }
}

const markOf = (name: string) => `${name}-${randomUUID().slice(0, 13)}`
const keyOf = ({ mediaUrl }: { mediaUrl: string }) => mediaUrl.slice(-24)

/**
 * Registers a person who leaves data in every collection: the person writes, sends media, blocks, reports and is
 * reported, buys, gives and is given premium, changes name, address and number, mistypes, exports, and works as an
 * administrator.
 */
export async function liveLife(stack: RunningStack): Promise<Life> {
  const fullName = markOf('Mara')
  const [person, friend, other, admin] = await Promise.all([
    unlockedPerson(stack, { fullName }),
    unlockedPerson(stack),
    unlockedPerson(stack),
    adminPerson(stack),
  ])
  await Promise.all([admin, other].map(({ client }) => client.csrfToken()))
  const marks = {
    ...{ id: person.user.id, username: person.username, fullName, phone: person.phone },
    ...{ email: person.user.email, userCode: person.user.userCode.replaceAll('-', '') },
  }
  const talked = await talk({ person, friend, other, admin })
  const paid = await pay({ person, friend, admin })
  const changed = await changeAccount(stack, person)
  await administrate(stack, { person, friend, other })
  const cookie = person.client.cookies.get('sid') ?? ''
  return {
    ...{ person, friend, objects: talked.objects },
    marks: { ...marks, ...talked.marks, ...paid, ...changed, cookie },
  }
}

type People = Record<'person' | 'friend' | 'other' | 'admin', Person>

const texts = [
  'free',
  'premium',
  'unsent',
  'former',
  'edited',
  'vanishing',
  'fileName',
  'note',
  'attached',
  'knownKey',
  'nickname',
] as const

async function talk({ person, friend, other, admin }: People) {
  const { client } = person
  const marks = Object.fromEntries(texts.map((name) => [name, markOf(name)])) as Record<
    (typeof texts)[number],
    string
  >
  const { id } = await befriend(person, friend)
  const say = (by: Person, content: string) =>
    by.client.ok(sendMessage, { body: { conversationId: id, content } })
  await say(person, marks.free)
  await makePremium(admin, person)
  const own = await say(person, marks.premium)
  const unsent = await say(person, marks.unsent)
  const edited = await say(person, marks.former)
  await vanish(person, id, marks.vanishing)
  const of = ({ clientMessageId }: typeof own) => ({
    ...{ target: { by: person.user.id, id: clientMessageId }, clientMessageId: randomUUID() },
  })
  await client.ok(changeMessage, { params: { id }, body: { act: 'unsend', ...of(unsent) } })
  await client.ok(changeMessage, {
    params: { id },
    body: { act: 'edit', ...of(edited), replaces: null, content: marks.edited },
  })
  await friend.client.ok(changeMessage, {
    params: { id },
    body: { act: 'reaction', ...of(own), replaces: null, content: '👍' },
  })
  const answer = await say(friend, 'the answer of a friend')
  await client.ok(markRead, { params: { id }, body: { seq: answer.seq } })
  const picture = await sendMedia(client, id, someBytes(1000))
  const voice = await client.ok(sendMessage, {
    body: { conversationId: id, messageType: 'voice', mediaUrl: await upload(client, someBytes(500)) },
  })
  const friends = await sendMedia(friend.client, id, someBytes(700))
  const begun = await client.ok(createMultipart, {
    body: { filename: marks.fileName, type: 'video/mp4', metadata: { name: marks.fileName } },
  })
  await client.ok(reportConversation, {
    params: { id },
    body: {
      note: marks.note,
      messageIds: [answer.id],
      contents: [{ id: answer.id, text: marks.attached }],
    },
  })
  await friend.client.ok(reportConversation, { params: { id }, body: { messageIds: [own.id] } })
  const { id: blocked } = await befriend(person, other)
  for (const { client: by } of [person, other])
    await by.ok(setConversationState, { params: { id: blocked }, body: { isBlocked: true } })
  const nickname = marks.nickname.padEnd(208, 'n')
  for (const { client: by } of [person, friend])
    await by.ok(setConversationState, { params: { id }, body: { isMuted: true, nickname } })
  await client.ok(setConversationPreferences, { body: { asksFirst: true, showsRead: false } })
  await client.ok(putKnownKey, {
    params: { name: 'n'.repeat(43) },
    body: { version: 1, box: marks.knownKey.padEnd(60, 'k') },
  })
  await client.ok(setNotificationPreferences, { body: { signInMails: false } })
  const media = [picture, voice as { mediaUrl: string }, { mediaUrl: begun.key }].map(keyOf)
  return {
    objects: { own: media, friends: keyOf(friends) },
    marks: { ...marks, picture: media[0] ?? '', voice: media[1] ?? '', video: media[2] ?? '' },
  }
}

/** Sets a timer, and sends a text that vanishes. */
async function vanish({ client }: Person, id: string, content: string): Promise<void> {
  const vanishMs = 86_400_000
  await client.ok(setTimer, { params: { id }, body: { id: randomUUID(), vanishMs, replaces: null } })
  await client.ok(sendMessage, { body: { conversationId: id, content, vanishMs } })
}

/** The person gets two gifts and gives two, and one of each is redeemed. */
async function pay({ person, friend, admin }: Pick<People, 'person' | 'friend' | 'admin'>) {
  const marks = {
    ...{ redeemedGift: markOf('redeemed'), openGift: markOf('open') },
    ...{ ownGift: markOf('own'), giftee: `${markOf('giftee')}@example.com` },
  }
  const give = async ({ client }: Person, recipientEmail: string, giftMessage: string) => {
    const answer = await client.ok(giftPremium, { body: { recipientEmail, giftMessage } })
    if (!('upgradeCode' in answer))
      throw new Error('The gift has no code: billing asked for a payment, which its sandbox never does.')
    return answer.upgradeCode
  }
  const { client, user } = person
  await client.ok(upgrade)
  const upgradeCode = await give(friend, user.email, `${marks.redeemedGift} for ${user.fullName}`)
  await client.ok(redeemCode, { body: { upgradeCode } })
  await give(friend, user.email, `${marks.openGift} for ${user.fullName}`)
  await give(person, marks.giftee, marks.ownGift)
  await friend.client.ok(redeemCode, {
    body: { upgradeCode: await give(person, `2${marks.giftee}`, marks.ownGift) },
  })
  await client.ok(logPromoRedemption, { body: { platform: 'ios', promoCode: 'SUMMER-24' } })
  await admin.client.ok(grantPremium, { body: { userId: user.id, days: 1 } })
  await admin.client.ok(listUsers, { query: { q: user.username } })
  return marks
}

async function changeAccount(stack: RunningStack, person: Person) {
  const { client, password, username } = person
  const stranger = new Client(stack)
  const wrong = { username, password: 'not the password' }
  await stranger.call(auth.login, { body: wrong })
  await client.call(verifyNumericPassword, { body: { numericPassword: '1357' } })
  const unlocked = await client.ok(verifyNumericPassword, { body: { numericPassword: person.pin } })
  if (!('keyShares' in unlocked)) throw new Error('The unlock returned no key shares.')
  const publicKey = createECDH('prime256v1').generateKeys('base64url')
  const [share] = unlocked.keyShares
  await client.ok(putIdentity, {
    body: {
      ...{ epoch: 1, pub: publicKey, box: exampleValues.box, n: 600_000 },
      ...{ sk: share?.sk ?? '', pinVersion: unlocked.pinVersion },
    },
  })
  await client.ok(requestPasswordReset, { body: { email: person.user.email } })
  const { userCode } = await client.ok(auth.rotateUserCode)
  const newName = markOf('Nora')
  await client.ok(account.changeFullName, { body: { password, fullName: newName } })
  const newEmail = `new.${username}@example.com`
  await client.ok(account.changeEmail, { body: { password, email: newEmail } })
  const token = await eventually(async () => {
    const [mail] = await mailsFor(stack.addresses.inboxUrl, newEmail)
    const found = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
    if (!found) throw new Error('No link was mailed yet.')
    return found
  })
  await client.ok(verifyEmail, { body: { token } })
  const newPhone = freshPhone()
  const sent = await client.ok(auth.requestPhoneCode, { body: { phone: newPhone } })
  await client.ok(auth.verifyPhoneCode, { body: { code: sent.demoCode ?? '' } })
  await client.ok(account.changePhone, { body: { password, phone: newPhone } })
  await client.ok(exportAccount, { body: { password } })
  await client.ok(setDiscreetMode, { body: { isDiscreet: true } })
  await client.ok(setDiscreetMode, { body: { isDiscreet: false } })
  return { publicKey, newName, newEmail, newPhone, newCode: userCode.replaceAll('-', '') }
}

async function administrate(
  stack: RunningStack,
  { person, friend, other }: Pick<People, 'person' | 'friend' | 'other'>,
): Promise<void> {
  const { client, username, password } = person
  await makeAdmin(stack.service('auth'), username)
  await client.ok(auth.login, { body: { username, password } })
  await unlock(person)
  await client.ok(listUsers, { query: { q: friend.username } })
  const params = { userId: other.user.id }
  await client.ok(suspendUser, { params })
  await client.ok(unsuspendUser, { params })
  await client.ok(grantPremium, { body: { userId: friend.user.id, days: 3 } })
  const about = (await client.ok(listReports)).find(({ reportedBy }) => reportedBy === friend.username)
  await client.ok(closeReport, { params: { reportId: about?.id ?? '' } })
  await readUser(client)
}
