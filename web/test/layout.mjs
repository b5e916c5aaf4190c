// jsdom has no layout. Every observed element has this size, so that a virtual list shows its rows.
const width = 400
const rowHeight = 50
const screenHeight = 600

class FixedSizes {
  constructor(callback) {
    this.callback = callback
  }
  observe(target) {
    const height = target.getAttribute('role') === 'log' ? screenHeight : rowHeight
    const contentRect = { width, height, top: 0, left: 0, right: width, bottom: height, x: 0, y: 0 }
    const entry = {
      target,
      isIntersecting: true,
      contentRect,
      borderBoxSize: [{ inlineSize: width, blockSize: height }],
    }
    // The callback comes later, as in a browser, because an observer is not ready before `observe` has ended.
    queueMicrotask(() => this.callback([entry], this))
  }
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= FixedSizes
// Nothing is ever scrolled out of view.
globalThis.IntersectionObserver ??= FixedSizes
Object.defineProperty(globalThis.HTMLElement.prototype, 'offsetParent', {
  configurable: true,
  get() {
    return this.parentElement
  },
})

/** The window is narrow and used by touch unless a test changes it. */
globalThis.matchMedia ??= (query) => ({
  media: query,
  matches: false,
  addEventListener() {},
  removeEventListener() {},
  // A library still uses the old names of these methods.
  addListener() {},
  removeListener() {},
})
globalThis.Element.prototype.scrollTo ??= () => undefined
globalThis.Element.prototype.scrollBy ??= () => undefined
globalThis.Element.prototype.scrollIntoView ??= () => undefined
