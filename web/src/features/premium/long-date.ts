/** `22 Nov 2027`, in the order of the device's language. */
export const longDate = (date: string): string =>
  new Date(date).toLocaleDateString(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
