// jsdom does not animate.
globalThis.Element.prototype.animate ??= () => undefined
