import { contactsPath } from '@sumlock/contracts/contacts'
import type { Contacts } from '@sumlock/contracts/contacts'
import { createContext, use, useEffect, useState } from 'react'
import type { ReactNode } from 'react'

type Known = Partial<Contacts> | 'loading' | 'none'

const KnownContacts = createContext<Known>('loading')

async function fetchContacts(signal: AbortSignal): Promise<Known> {
  try {
    const answer = await fetch(contactsPath, { signal })
    return answer.ok ? ((await answer.json()) as Partial<Contacts>) : 'none'
  } catch {
    return 'none'
  }
}

/** Fetches the operator's addresses once for all `ContactAddress` components among its children. */
export function WithContacts({ children }: { children: ReactNode }) {
  const [known, setKnown] = useState<Known>('loading')
  useEffect(() => {
    const ended = new AbortController()
    void fetchContacts(ended.signal).then((contacts) => {
      if (!ended.signal.aborted) setKnown(contacts)
    })
    return () => ended.abort()
  }, [])
  return <KnownContacts value={known}>{children}</KnownContacts>
}

/** Shows an address of the operator as a link. */
export function ContactAddress({ to }: { to: keyof Contacts }) {
  const known = use(KnownContacts)
  if (known === 'loading') return '…'
  const address = known === 'none' ? undefined : known[to]
  if (address === undefined) return 'the address shown here while you are online'
  return (
    <a className="text-accent underline" href={`mailto:${address}`}>
      {address}
    </a>
  )
}
