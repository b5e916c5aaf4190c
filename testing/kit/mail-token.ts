import { waitUntil } from '@sumlock/deployment/wait-until'
import { mailsFor } from '@sumlock/testing/inbox'

/**
 * Waits for the `count`th mail with a link to this page, `/verify-email` or `/reset-password`, and resolves to the
 * token in the newest link.
 */
export function readMailToken(inboxUrl: string, address: string, page: string, count = 1): Promise<string> {
  return waitUntil(`${count} mails to ${address} that lead to ${page}`, async () => {
    const links = (await mailsFor(inboxUrl, address)).flatMap(({ text }) => text.match(/https?:\S+/) ?? [])
    const tokens = links.map((link) => new URL(link)).filter(({ pathname }) => pathname === page)
    return tokens.length < count ? undefined : (tokens.at(-1)?.searchParams.get('token') ?? undefined)
  })
}
