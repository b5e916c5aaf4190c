/** Reads the address of this page and replaces the page with another one. */
export function createPageLocation() {
  const location = {
    replace: (address: string): void => window.location.replace(location.addressFor(address)),
    /**
     * This fragment is added to the calculator's address, so that the calculator receives a link's code; see
     * `takeOpenedLink`.
     */
    fragment: '',
    addressFor: (address: string): string => (address === '/' ? `/${location.fragment}` : address),
    /** Returns false if the browser would show an error page instead of the calculator. */
    canReplace: (): boolean => navigator.onLine || Boolean(navigator.serviceWorker?.controller),
    /** Returns whether Back or Forward loaded this page. */
    isByHistory: (): boolean =>
      performance
        .getEntriesByType('navigation')
        .some((entry) => (entry as PerformanceNavigationTiming).type === 'back_forward'),
    reload: (): void => window.location.reload(),
    /** Replaces the app with a page of another site. */
    leaveFor: (address: string): void => window.location.assign(address),
  }
  return location
}

export type PageLocation = ReturnType<typeof createPageLocation>
