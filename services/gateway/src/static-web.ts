import { join } from 'node:path'
import express from 'express'
import type { Express } from 'express'

const page = { 'cache-control': 'no-store' }

/**
 * Serves the built web app: hashed assets cached without end, the page never cached (so that opening the calculator always
 * starts with empty memory), and the page also for every address that the client routes itself.
 */
export function bindStaticWeb(app: Express, root: string): void {
  const index = join(root, 'index.html')
  app.use(
    '/assets',
    express.static(join(root, 'assets'), {
      immutable: true,
      maxAge: '1y',
      index: false,
      fallthrough: true,
      setHeaders: (response) =>
        void response.setHeader('cache-control', 'public, max-age=31536000, immutable'),
    }),
  )
  app.use(
    express.static(root, {
      index: false,
      dotfiles: 'ignore',
      setHeaders: (response) => void response.setHeader('cache-control', 'no-cache'),
    }),
  )
  app.get('/{*path}', (request, response, next) => {
    const hasExtension = /\.[a-z0-9]+$/i.test(request.path)
    if (hasExtension || !request.accepts('html')) {
      next()
      return
    }
    response.set(page).sendFile(index, { cacheControl: false })
  })
}
