/** Replaces the page; an object, so that a test can watch it. */
export const page = {
  replace: (address: string): void => window.location.replace(address),
  /** Opens a page of someone else in the place of the app. */
  leaveFor: (address: string): void => window.location.assign(address),
}
