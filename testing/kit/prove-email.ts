import { verifyEmail } from '@sumlock/contracts/mail-link-routes'
import { Client } from '@sumlock/deployment/api-client'
import { readMailToken } from './mail-token.ts'
import type { Person } from './people.ts'
import type { RunningStack } from './shared-stack.ts'

/** Opens the link that was mailed at the registration. From then on, notices are mailed to the account's address. */
export async function proveEmail(stack: RunningStack, { user }: Person): Promise<void> {
  const token = await readMailToken(stack.addresses.inboxUrl, user.email, '/verify-email')
  await new Client(stack).ok(verifyEmail, { body: { token } })
}
