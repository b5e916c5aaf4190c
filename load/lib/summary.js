import { figures, lines } from './figures.js'

/**
 * What k6 calls at the end: a page for a person, and the figures for whoever asked for them (`-e FIGURES=<file>`).
 * @param {any} data
 */
export function handleSummary(data) {
  const found = figures(data)
  return {
    stdout: `\n${lines(found).join('\n')}\n\n`,
    ...(__ENV.FIGURES ? { [__ENV.FIGURES]: JSON.stringify(found, null, 2) } : {}),
  }
}
