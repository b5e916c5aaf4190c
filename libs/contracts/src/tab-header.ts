/**
 * The id that a tab has given itself in the handshake of its socket: that socket is not told of the message, because the tab
 * has the answer.
 */
export const tabHeader = 'x-tab-id'
