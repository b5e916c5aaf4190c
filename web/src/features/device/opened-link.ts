import { createContext, useContext } from 'react'
import type { PageLocation } from './page-location.ts'
import { codeInLink } from '../../shared/lib/code-link.ts'

/**
 * The content of the link that opened this page. The page keeps it in memory and hands it to the calculator that
 * replaces it.
 */
export interface OpenedLink {
  /** The user code in the link's fragment; null without one, and after it was offered. */
  code: () => string | null
  forget: () => void
}

/** Removes the code of the link from the address bar. */
export function takeOpenedLink(page: PageLocation): OpenedLink {
  const { pathname, search, hash } = window.location
  if (codeInLink(hash) !== null) {
    page.fragment = hash
    window.history.replaceState(window.history.state, '', pathname + search)
  }
  return { code: () => codeInLink(page.fragment), forget: () => void (page.fragment = '') }
}

/**
 * A link that is opened in a tab with this page changes only the fragment, so the page is loaded anew as in a new tab.
 */
export function watchOpenedLinks(page: PageLocation): void {
  const onLink = (event: Event) => {
    if (codeInLink(window.location.hash) === null) return
    // The router would go to the calculator at once and lose the code.
    event.stopImmediatePropagation()
    page.reload()
  }
  window.addEventListener('popstate', onLink)
  window.addEventListener('hashchange', onLink)
}

export const OpenedLinkContext = createContext<OpenedLink | null>(null)

export const useOpenedLink = (): OpenedLink | null => useContext(OpenedLinkContext)
