/** The pictures are for people to look at and take time, so only `E2E_PICTURES=1` keeps them. */
export const keepsPictures = Boolean(process.env['E2E_PICTURES'])
