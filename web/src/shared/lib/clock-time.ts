/** Hours and minutes in the person's own way of writing them. */
export const clockTime = (iso: string): string =>
  new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
