import type { Express } from 'express'
import type { makeApiPage } from './api-page.ts'

const base = '/api-docs'

/**
 * Serves the API documentation, which is made when it is first asked for. Local mode only, because its words reveal the
 * product.
 */
export function bindApiPage(app: Express): void {
  let made: Promise<ReturnType<typeof makeApiPage>> | undefined
  const load = () => (made ??= import('./api-page.ts').then((module) => module.makeApiPage(base)))
  app.get(base, async (_request, response) => {
    response.type('html').send((await load()).page)
  })
  app.get(`${base}/openapi.json`, async (_request, response) => {
    response.json((await load()).document)
  })
  app.get(`${base}/style.css`, async (_request, response) => {
    response.type('css').send((await load()).style)
  })
}
