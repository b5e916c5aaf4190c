// jsdom has no animations.
globalThis.Element.prototype.animate ??= () => undefined
