// The first page needs these two constants. As fields of an object, their names would be in its bundle.
export const pinMinLength = 4
export const pinMaxLength = 12
