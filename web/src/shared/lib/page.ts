/** Replaces the page; an object, so that a test can watch it. */
export const page = {
  replace: (address: string): void => window.location.replace(address),
}
