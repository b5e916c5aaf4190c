// These constants have a file of their own because the first page needs them and a bundle keeps the names of an object.
export const pinMinLength = 4
export const pinMaxLength = 12
