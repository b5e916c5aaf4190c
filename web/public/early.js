/* global document, window */
// Keeps what is pressed before the calculator takes keys. The calculator then calls `endEarlyKeys(true)`, which presses it
// again; any other screen calls `endEarlyKeys(false)`, which forgets it.
{
  const slopPx = 10
  const types = ['keydown', 'pointerdown', 'pointerup']
  const kept = []
  const keep = (event) => kept.push(event)
  const tap = ({ clientX, clientY }) =>
    document.elementFromPoint(clientX, clientY)?.closest('[data-calculator] [role=group] button')?.click()
  const press = () => {
    let down
    for (const event of kept) {
      if (event.type === 'keydown') window.dispatchEvent(new window.KeyboardEvent('keydown', event))
      else if (event.type === 'pointerdown') down = event
      else if (down) {
        if (Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < slopPx) tap(event)
        down = undefined
      }
    }
    // The end of this tap makes no click, because its beginning was not on the key.
    if (down) tap(down)
  }
  for (const type of types) window.addEventListener(type, keep, true)
  window.endEarlyKeys = (mustPress) => {
    for (const type of types) window.removeEventListener(type, keep, true)
    if (mustPress) press()
    kept.length = 0
  }
}
