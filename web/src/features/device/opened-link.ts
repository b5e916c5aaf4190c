import { createContext, useContext } from 'react'
import type { PageLocation } from './page-location.ts'
import { codeInLink } from '../../shared/lib/code-link.ts'

/**
 * Holds the user code of the link that opened this page. The code stays in memory and is handed to the calculator that
 * replaces the page.
 */
export interface OpenedLink {
  /** Returns the user code in the link's fragment; null if there is none, or after `forget`. */
  code: () => string | null
  forget: () => void
}

/** Moves the link's code from the address bar, where others could read it, into memory. */
export function takeOpenedLink(page: PageLocation): OpenedLink {
  const { pathname, search, hash } = window.location
  if (codeInLink(hash) !== null) {
    page.fragment = hash
    window.history.replaceState(window.history.state, '', pathname + search)
  }
  return { code: () => codeInLink(page.fragment), forget: () => void (page.fragment = '') }
}

/**
 * Reloads the page when a link with a code is opened in its tab. Such a link changes only the fragment, which alone
 * would load nothing.
 */
export function watchOpenedLinks(page: PageLocation): void {
  const onLink = (event: Event) => {
    if (codeInLink(window.location.hash) === null) return
    // The router would navigate to the calculator at once and lose the code.
    event.stopImmediatePropagation()
    page.reload()
  }
  window.addEventListener('popstate', onLink)
  window.addEventListener('hashchange', onLink)
}

export const OpenedLinkContext = createContext<OpenedLink | null>(null)

export const useOpenedLink = (): OpenedLink | null => useContext(OpenedLinkContext)
