// What `npm run load` (or `k6 run -e NAME=value`) says.

/** A number of the environment. */
export function numberSetting(name, otherwise) {
  const value = Number(__ENV[name] ?? otherwise)
  if (!(value > 0)) throw new Error(`${name} wants a positive number, not ${__ENV[name]}.`)
  return value
}

/** Base URL of the gateway under load. */
export const gateway = (__ENV.GATEWAY ?? 'http://127.0.0.1:4000').replace(/\/$/, '')
