import { AsYouType } from 'libphonenumber-js/min'

/** A phone number as its country groups it, as far as it is typed. `00` stands for `+`. */
export const formatPhone = (text: string): string => new AsYouType().input(text.replace(/^\s*00/, '+'))
