/** `public`: a form that needs no session; `set-up`: the first choice of a number. */
export type PlaceKind = 'calculator' | 'inner' | 'public' | 'set-up'

/** Where the person is, by the screen that the router shows: in discreet mode every address is the calculator's. */
export function createPlace(onArrival: () => void) {
  let shown: Exclude<PlaceKind, 'set-up'> = 'calculator'
  let isLoadedInside = false
  let isBroughtBack = false
  let cancelSetUp: (() => void) | undefined
  let goToCalculator: () => void = () => undefined

  return {
    kind: (): PlaceKind => (shown === 'inner' && cancelSetUp ? 'set-up' : shown),
    /** The screen that has just been rendered. */
    enter: (kind: typeof shown): void => {
      shown = kind
      if (kind !== 'calculator') return
      isLoadedInside = false
      isBroughtBack = false
      onArrival()
    },
    /** The page was loaded at another address than the calculator's, maybe by Back or Forward. */
    loadInside: ({ isByHistory = false } = {}): void => {
      shown = 'inner'
      isLoadedInside = true
      isBroughtBack = isByHistory
    },
    /** True until the calculator is shown, on a page that Back or Forward has loaded. */
    isBroughtBack: (): boolean => isBroughtBack,
    /** True until the calculator is shown for the first time. */
    isLoadedInside: (): boolean => isLoadedInside,
    /** The set-up is shown until the returned function is called. */
    enterSetUp: (cancel: () => void): (() => void) => {
      cancelSetUp = cancel
      return () => {
        cancelSetUp = undefined
      }
    },
    cancelSetUp: (): void => cancelSetUp?.(),
    goToCalculator: (): void => goToCalculator(),
    /** How this page shows the calculator without being replaced. */
    setWay: (way: () => void): void => {
      goToCalculator = way
    },
  }
}

export type Place = ReturnType<typeof createPlace>
