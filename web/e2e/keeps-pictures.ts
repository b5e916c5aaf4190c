/** Pictures are for people to look at, and take time: `E2E_PICTURES=1` keeps them. */
export const keepsPictures = Boolean(process.env['E2E_PICTURES'])
