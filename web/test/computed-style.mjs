// jsdom compares each element with every rule of its own style sheet, which took a third of the time of some suites. Tests
// have no style sheet of ours: what hides an element, its own style and what it inherits are all there is.
const undisplayed = new Set(['HEAD', 'LINK', 'META', 'SCRIPT', 'STYLE', 'TEMPLATE', 'TITLE'])
const isDisplayed = (element) =>
  !element.hidden && !undisplayed.has(element.tagName) && (element.tagName !== 'DIALOG' || element.open)

/** The nearest value of a property that children inherit. */
const inherited = (element, name) =>
  element === null ? '' : element.style?.getPropertyValue(name) || inherited(element.parentElement, name)

const valueOf = (element, name) => {
  if (name === 'display' && !isDisplayed(element)) return 'none'
  if (name === 'visibility') return inherited(element, name) || 'visible'
  if (name === 'direction') return inherited(element, name) || 'ltr'
  return element.style?.getPropertyValue(name) ?? ''
}

globalThis.getComputedStyle = (element) => ({
  getPropertyValue: (name) => valueOf(element, name),
  get display() {
    return valueOf(element, 'display') || 'block'
  },
  get visibility() {
    return valueOf(element, 'visibility')
  },
  get pointerEvents() {
    return valueOf(element, 'pointer-events') || 'auto'
  },
  get direction() {
    return valueOf(element, 'direction')
  },
})
