export const coveredClass = 'is-covered'

/** Returns whether the cover, a picture of the calculator, hides the page. */
export const isCovered = (): boolean => document.documentElement.classList.contains(coveredClass)
