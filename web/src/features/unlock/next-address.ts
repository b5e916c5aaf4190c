/** Where an unlock leads. Loaded only then: the calculator's own modules say no such word. */
export const nextAddress = '/messaging'
