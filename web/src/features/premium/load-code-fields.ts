/** Loads the contract's rules for codes, which are in a chunk of their own. */
export const loadCodeFields = () => import('@sumlock/contracts/code-fields')
