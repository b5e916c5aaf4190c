/** The web client loads the operator's addresses from this path. */
export const contactsPath = '/contacts.json'

/** The operator's e-mail addresses are listed by purpose. */
export interface Contacts {
  support: string
  privacy: string
  legal: string
}
