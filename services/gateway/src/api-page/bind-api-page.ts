import { join } from 'node:path'
import { openApiDocument } from '@sumlock/contracts/openapi/document'
import type { Express } from 'express'
import { renderPage } from './render-page.ts'

const base = '/api-docs'

/** Serves the API documentation. Local mode only, because its words reveal the product. */
export function bindApiPage(app: Express): void {
  const document = openApiDocument()
  const page = renderPage(document, base)
  app.get(base, (_request, response) => {
    response.type('html').send(page)
  })
  app.get(`${base}/openapi.json`, (_request, response) => {
    response.json(document)
  })
  app.get(`${base}/style.css`, (_request, response) => {
    response.sendFile(join(import.meta.dirname, 'style.css'), { cacheControl: false })
  })
}
