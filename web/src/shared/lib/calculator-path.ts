/** Returns whether the calculator is at this path. */
export const isCalculatorPath = (path: string): boolean => path === '/' || path === '/calculator'

export const isAtCalculator = (): boolean => isCalculatorPath(window.location.pathname)
