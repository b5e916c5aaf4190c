import type { Page } from '@playwright/test'

declare global {
  interface Window {
    playedMedia: HTMLMediaElement[]
    heldUrls: Set<string>
  }
}

/** Runs in a page: keeps the media elements that it plays, which then play for good, and the object URLs that it holds. */
export function watchMedia(): void {
  window.playedMedia = []
  window.heldUrls = new Set()
  const keep = (media: HTMLMediaElement) => {
    if (!window.playedMedia.includes(media)) window.playedMedia.push(media)
    media.loop = true
  }
  const { play } = HTMLMediaElement.prototype
  HTMLMediaElement.prototype.play = function () {
    keep(this)
    return play.call(this)
  }
  // A film plays by itself.
  document.addEventListener('play', ({ target }) => keep(target as HTMLMediaElement), true)
  const [create, revoke] = [URL.createObjectURL.bind(URL), URL.revokeObjectURL.bind(URL)]
  URL.createObjectURL = (blob) => {
    const url = create(blob)
    window.heldUrls.add(url)
    return url
  }
  URL.revokeObjectURL = (url) => {
    window.heldUrls.delete(url)
    revoke(url)
  }
}

export const playingIn = (page: Page) =>
  page.evaluate(() => window.playedMedia.map(({ paused, currentTime }) => !paused && currentTime > 0))

export const leftIn = (page: Page) =>
  page.evaluate(() => ({
    playing: window.playedMedia.filter(({ paused, src }) => !paused || src !== '').length,
    urls: [...window.heldUrls],
  }))
