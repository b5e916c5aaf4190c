/** The only place that writes dates, so that they look the same everywhere: day, month as a word, year. */
const language = 'en-GB'
const dayAndMonth = { day: 'numeric', month: 'short' } as const

type Moment = string | number | Date

/** Such as "27 Nov 2026". */
export const dateText = (moment: Moment): string =>
  new Date(moment).toLocaleDateString(language, { ...dayAndMonth, year: 'numeric' })

/** Such as "27 Nov", and with the year where it is not that of `now`. */
export const shortDateText = (moment: Moment, now: Date): string =>
  isSameYear(moment, now) ? new Date(moment).toLocaleDateString(language, dayAndMonth) : dateText(moment)

/** Such as "Fri, 27 Nov", and "27 Nov 2025" in another year. */
export const dayText = (moment: Moment, now: Date): string =>
  isSameYear(moment, now) ? `${weekdayText(moment)}, ${shortDateText(moment, now)}` : dateText(moment)

/** Such as "Fri". */
export const weekdayText = (moment: Moment): string =>
  new Date(moment).toLocaleDateString(language, { weekday: 'short' })

/** Hours and minutes in the format of the device. */
export const clockText = (moment: Moment): string =>
  new Date(moment).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

/** Such as "27 Nov 2026, 14:05". */
export const dateAndTimeText = (moment: Moment): string => `${dateText(moment)}, ${clockText(moment)}`

const isSameYear = (moment: Moment, now: Date): boolean =>
  new Date(moment).getFullYear() === now.getFullYear()
