/** Node has the same classes; the package reads tables of Unicode that take 2 MB in memory. */
export { URL, URLSearchParams } from 'node:url'
