import { openApiDocument } from '@sumlock/contracts/openapi/document'
import { renderPage } from './render-page.ts'
import { style } from './style.ts'

/** The OpenAPI document, and a page that shows it, whose own files are below `base`. */
export function makeApiPage(base: string) {
  const document = openApiDocument()
  return { document, page: renderPage(document, base), style }
}
