/** Addresses name a report with dots, because the `|` in its id would have to be escaped. */
export const nameOfReport = (id: string): string => id.replaceAll('|', '.')
export const idOfReport = (name: string): string => name.replaceAll('.', '|')
