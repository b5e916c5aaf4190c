/** Where this page is, and what replaces it. */
export function createPageLocation() {
  const location = {
    replace: (address: string): void => window.location.replace(location.addressFor(address)),
    /** Goes along to a calculator in the place of this page; see `takeOpenedLink`. */
    fragment: '',
    addressFor: (address: string): string => (address === '/' ? `/${location.fragment}` : address),
    /** False when the browser would show an error page instead of the calculator. */
    canReplace: (): boolean => navigator.onLine || Boolean(navigator.serviceWorker?.controller),
    /** Whether Back or Forward has loaded it. */
    isByHistory: (): boolean =>
      performance
        .getEntriesByType('navigation')
        .some((entry) => (entry as PerformanceNavigationTiming).type === 'back_forward'),
    reload: (): void => window.location.reload(),
    /** Opens a page of someone else in the place of the app. */
    leaveFor: (address: string): void => window.location.assign(address),
  }
  return location
}

export type PageLocation = ReturnType<typeof createPageLocation>
