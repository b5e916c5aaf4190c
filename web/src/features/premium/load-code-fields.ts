/** The contract's rules of codes, in a chunk of their own. */
export const loadCodeFields = () => import('@sumlock/contracts/code-fields')
