import { randomUUID } from 'node:crypto'
import { userRegistered } from '@sumlock/contracts/auth-events'
import { legalVersion } from '@sumlock/contracts/legal-version'
import { transact } from '@sumlock/service-kit/transact'
import type { Context } from '../context.ts'
import { passwordEasyToGuess, phoneNotVerified, usernameTaken } from '../domain/errors.ts'
import { hashOpaque } from '../domain/opaque.ts'
import { emailKey, usernameKey } from '../domain/user.ts'
import type { User } from '../domain/user.ts'
import { isEasyToGuess } from '../domain/weak-password.ts'
import { duplicateField } from '../stores/duplicate-field.ts'
import { drawUserCode } from './draw-user-code.ts'
import { requestMailLink } from './request-mail-link.ts'
import { mayMail } from './request-notice.ts'

export interface RegisterInput {
  username: string
  email: string
  password: string
  phone: string
  fullName: string
  proof: string | undefined
}

/**
 * Creates a user with a verified phone number. The proof, the user, the event and the request for a mail are stored in one
 * transaction; call `writeMailsSoon` after the answer. The work is the same whether another account has the e-mail address
 * or not.
 */
export async function register(ctx: Context, input: RegisterInput): Promise<User> {
  if (!input.proof) throw phoneNotVerified()
  const proofId = hashOpaque(input.proof)
  // The proof is checked before hashing, because an invented cookie must not cost a hash.
  if (!(await ctx.phoneVerifications.hasProof(proofId, input.phone, ctx.clock.now())))
    throw phoneNotVerified()
  if (isEasyToGuess(input.password, input.username)) throw passwordEasyToGuess('password')
  const passwordHash = await ctx.limitHashing(() => ctx.passwords.hash(input.password))
  if (!(await ctx.phoneVerifications.takeName(proofId, input.phone, ctx.clock.now())))
    throw phoneNotVerified()
  const user = newUser(input, passwordHash, await drawUserCode(ctx), ctx.clock.now())
  try {
    await transact(ctx.connection, async (session) => {
      if (!(await ctx.phoneVerifications.consume(proofId, input.phone, ctx.clock.now(), session)))
        throw phoneNotVerified()
      await ctx.users.insert(user, session)
      await ctx.outbox.add(session, userRegistered, { userId: user._id })
      // The mail is only counted here: as the first of the account, it is always allowed.
      await mayMail(ctx, 'verify-email', user._id)
      await requestMailLink(ctx, 'verify-email', { email: user.email, user }, session)
    })
  } catch (error) {
    // The aborted transaction did not use up the proof, so the person can try another username at once.
    if (duplicateField(error) === 'usernameKey') throw usernameTaken()
    throw error
  }
  ctx.outbox.kick()
  return user
}

function newUser(input: RegisterInput, passwordHash: string, userCode: string, now: Date): User {
  return {
    _id: randomUUID(),
    username: input.username,
    usernameKey: usernameKey(input.username),
    email: input.email,
    emailKey: emailKey(input.email),
    phone: input.phone,
    fullName: input.fullName,
    passwordHash,
    userCode,
    isPhoneVerified: true,
    isEmailVerified: false,
    isAdmin: false,
    pinMac: null,
    pinVersion: 0,
    isDiscreet: false,
    silentHits: 0,
    legalVersion,
    version: 1,
    createdAt: now,
  }
}
