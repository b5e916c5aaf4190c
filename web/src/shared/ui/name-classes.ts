/** Every name wraps in this way where it does not fit. */
export const nameClass = 'line-clamp-2 wrap-anywhere'
/** Every code wraps in this way where it does not fit. */
export const codeClass = 'tracking-[0.06em] wrap-anywhere tabular-nums'
