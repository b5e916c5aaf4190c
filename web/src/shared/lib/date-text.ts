/** Only this file formats dates, so that they look the same everywhere: day, month as a word, year. */
const language = 'en-GB'
const dayAndMonth = { day: 'numeric', month: 'short' } as const

type Moment = string | number | Date

/** Returns a date such as "27 Nov 2026". */
export const dateText = (moment: Moment): string =>
  new Date(moment).toLocaleDateString(language, { ...dayAndMonth, year: 'numeric' })

/** Returns a date such as "27 Nov", or "27 Nov 2025" if the year is not the present one. */
export const shortDateText = (moment: Moment, now: Date): string =>
  isSameYear(moment, now) ? new Date(moment).toLocaleDateString(language, dayAndMonth) : dateText(moment)

/** Returns a date such as "Fri, 27 Nov", or "27 Nov 2025" in another year. */
export const dayText = (moment: Moment, now: Date): string =>
  isSameYear(moment, now) ? `${weekdayText(moment)}, ${shortDateText(moment, now)}` : dateText(moment)

/** Returns a month such as "November 2026". */
export const monthText = (moment: Moment): string =>
  new Date(moment).toLocaleDateString(language, { month: 'long', year: 'numeric' })

/** Returns a day such as "Fri". */
export const weekdayText = (moment: Moment): string =>
  new Date(moment).toLocaleDateString(language, { weekday: 'short' })

/** Returns hours and minutes in the format of the device. */
export const clockText = (moment: Moment): string =>
  new Date(moment).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

/** Returns a time such as "27 Nov 2026, 14:05". */
export const dateAndTimeText = (moment: Moment): string => `${dateText(moment)}, ${clockText(moment)}`

const isSameYear = (moment: Moment, now: Date): boolean =>
  new Date(moment).getFullYear() === now.getFullYear()
