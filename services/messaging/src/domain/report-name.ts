/** The name of a report in addresses, in which its id has a character that must be escaped. */
export const nameOfReport = (id: string): string => id.replaceAll('|', '.')
export const idOfReport = (name: string): string => name.replaceAll('.', '|')
