/** Answers ranges of an object as the server does, until the test ends. Returns the requested ranges. */
export function storeOf(object: () => Uint8Array<ArrayBuffer>): { ranges: string[] } {
  const ranges: string[] = []
  globalThis.fetch = (_url, init) => {
    const { range = '' } = init?.headers as { range?: string }
    ranges.push(range)
    const [first = 0, last = 0] = range.replace('bytes=', '').split('-').map(Number)
    const stored = object()
    const part = stored.slice(first, last + 1)
    const headers = { 'content-range': `bytes ${first}-${first + part.length - 1}/${stored.length}` }
    return Promise.resolve(new Response(part, { status: 206, headers }))
  }
  return { ranges }
}
const real = globalThis.fetch
afterEach(() => {
  globalThis.fetch = real
})
