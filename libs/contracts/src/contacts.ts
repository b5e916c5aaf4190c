/** The path of the operator's addresses, next to the files of the web client. */
export const contactsPath = '/contacts.json'

/** The operator's e-mail addresses, by what they are for. */
export interface Contacts {
  support: string
  privacy: string
  legal: string
}
