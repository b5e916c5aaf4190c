/** Requests are read by service-kit's parse-body.ts. The package would bring tables of characters (iconv-lite) to each service. */
const refuse = () => {
  throw new Error('Bundled services read requests with parse-body.ts')
}
module.exports = { json: refuse, raw: refuse, text: refuse, urlencoded: refuse }
