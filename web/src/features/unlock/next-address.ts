/** The address after an unlock. Loaded only then, because the calculator's chunks must not name it. */
export const nextAddress = '/messaging'
