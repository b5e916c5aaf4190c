/** Renders a calculator that takes keys into this element; returns a function that removes it. */
export type MountCalculator = (box: HTMLElement) => () => void

/** Shows a calculator on the cover: a picture made of `markup`, or a live one that takes keys. */
export function createCoverFace(markup: string, mount?: MountCalculator) {
  const cover = document.createElement('div')
  cover.className = 'cover'
  const showPicture = () => {
    cover.innerHTML = `<div role="img" aria-label="Calculator"><div inert aria-hidden="true">${markup}</div></div>`
  }
  showPicture()
  return {
    cover,
    /** Returns a function that shows the picture again. */
    goLive() {
      const unmount = mount?.(cover)
      return () => {
        unmount?.()
        showPicture()
      }
    },
  }
}
