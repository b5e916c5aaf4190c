// jsdom has <dialog> but not its methods. As in a browser, only close() returns the focus.
const openers = new WeakMap()
globalThis.HTMLDialogElement.prototype.showModal = function showModal() {
  openers.set(this, globalThis.document.activeElement)
  this.open = true
  this.querySelector('a[href], button, input, [tabindex]')?.focus()
}
globalThis.HTMLDialogElement.prototype.close = function close() {
  this.open = false
  openers.get(this)?.focus()
}
