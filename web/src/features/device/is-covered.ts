export const coveredClass = 'is-covered'

/** Whether the calculator's face hides the page. */
export const isCovered = (): boolean => document.documentElement.classList.contains(coveredClass)
