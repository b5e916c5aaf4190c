const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** Makes the client message ids of one run: UUIDs that contain the name of the run and the number of the message. */
export function messageIds(run: string) {
  const middle = `-${run.slice(0, 4)}-4${run.slice(4, 7)}-8${run.slice(7, 10)}-${run.slice(10, 14)}`
  return {
    idOf: (number: number) => `${hex(number, 8)}${middle}00000000`,
    isOurs: (id: string) => id.slice(8, 28) === middle,
  }
}

/** Returns the name of a run, 14 random hexadecimal digits. */
export const newRun = () => hex(Math.floor(Math.random() * 2 ** 53), 14)
