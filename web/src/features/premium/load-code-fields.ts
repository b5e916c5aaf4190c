/** Loads the contract's rules of codes, which are a chunk of their own. */
export const loadCodeFields = () => import('@sumlock/contracts/code-fields')
