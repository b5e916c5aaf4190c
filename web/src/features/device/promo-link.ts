import { tabStorage } from './safe-storage.ts'

/** The tab's storage keeps a promo code under this key, because the person may have to sign in before redeeming it. */
const key = 'pendingPromoCode'

/** Returns the code of a link whose host or path is `redeem`, and null for any other link. */
export function codeIn(link: string): string | null {
  if (!URL.canParse(link, 'https://app.invalid')) return null
  const url = new URL(link, 'https://app.invalid')
  const code = url.searchParams.get('code')?.trim().toUpperCase() ?? ''
  const isRedeem = url.host === 'redeem' || url.pathname.replace(/^\/+|\/+$/g, '') === 'redeem'
  return isRedeem && /^[A-Z0-9-]{1,32}$/.test(code) ? code : null
}

export const pendingPromoCode = {
  keep: (code: string): void => void tabStorage.set(key, code),
  get: (): string | null => tabStorage.get(key),
  forget: (): void => tabStorage.remove(key),
}
