let suppressed = false

/** 'Cancel' in the set-up keeps the calculator usable until the next page load. */
export const suppressSetupRedirect = (): void => {
  suppressed = true
}
export const isSetupRedirectSuppressed = (): boolean => suppressed
