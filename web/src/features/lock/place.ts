/** `public` is a form that needs no session, `set-up` is the first choice of a number. */
export type PlaceKind = 'calculator' | 'inner' | 'public' | 'set-up'

/**
 * Follows which screen the router shows. The address does not help, because in discreet mode every address is the
 * calculator's.
 */
export function createPlace(onArrival: () => void) {
  let shown: Exclude<PlaceKind, 'set-up'> = 'calculator'
  let isLoadedInside = false
  let isBroughtBack = false
  let cancelSetUp: (() => void) | undefined
  let goToCalculator: () => void = () => undefined

  return {
    kind: (): PlaceKind => (shown === 'inner' && cancelSetUp ? 'set-up' : shown),
    /** Is called when the router has rendered a screen. */
    enter: (kind: typeof shown): void => {
      shown = kind
      if (kind !== 'calculator') return
      isLoadedInside = false
      isBroughtBack = false
      onArrival()
    },
    /** Is called if the page was loaded at another address than the calculator's, perhaps by Back or Forward. */
    loadInside: ({ isByHistory = false } = {}): void => {
      shown = 'inner'
      isLoadedInside = true
      isBroughtBack = isByHistory
    },
    /** Returns whether Back or Forward loaded this page and the calculator was not shown since. */
    isBroughtBack: (): boolean => isBroughtBack,
    /**
     * Returns whether the page was loaded at an address behind the calculator and the calculator was not shown since.
     */
    isLoadedInside: (): boolean => isLoadedInside,
    /** Marks the set-up as shown until the returned function is called. */
    enterSetUp: (cancel: () => void): (() => void) => {
      cancelSetUp = cancel
      return () => {
        cancelSetUp = undefined
      }
    },
    cancelSetUp: (): void => cancelSetUp?.(),
    goToCalculator: (): void => goToCalculator(),
    /** `way` shows the calculator on this page without replacing the page. */
    setWay: (way: () => void): void => {
      goToCalculator = way
    },
  }
}

export type Place = ReturnType<typeof createPlace>
