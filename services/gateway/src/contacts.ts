import type { Contacts } from '@sumlock/contracts/contacts'
import { contactsPath } from '@sumlock/contracts/contacts'
import type { Express } from 'express'
import type { Config } from './config.ts'

type ContactSettings = Pick<Config, 'CONTACT_SUPPORT' | 'CONTACT_PRIVACY' | 'CONTACT_LEGAL'>

/** Answers with the operator's addresses, which need no session. */
export function bindContacts(app: Express, config: ContactSettings): void {
  const contacts: Contacts = {
    support: config.CONTACT_SUPPORT,
    privacy: config.CONTACT_PRIVACY,
    legal: config.CONTACT_LEGAL,
  }
  app.get(contactsPath, (_request, response) => {
    response.set('cache-control', 'no-cache').json(contacts)
  })
}
