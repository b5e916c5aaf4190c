/** The two ways in which a page leaves itself; an object, so that a test can watch them. */
export const page = {
  replace: (address: string): void => window.location.replace(address),
}
