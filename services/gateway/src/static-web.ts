import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { networksOf } from '@sumlock/service-kit/client-address'
import type { Express, RequestHandler, Response } from 'express'
import expressStaticGzip from 'express-static-gzip'
import { createUnreadAnswers } from './infrastructure/unread-answers.ts'

/** Files that wait in memory for slow readers. A browser loads six at once; an office may stand behind one address. */
export const unreadFileBounds = { perOwner: 64, total: 128 }

/** Cuts off the oldest files when too many are unread. */
export function limitUnreadFiles(onCutOff: () => void): RequestHandler {
  const unreadFiles = createUnreadAnswers(unreadFileBounds, onCutOff)
  return ({ ip = '' }, response, next) => {
    response.once('close', unreadFiles.add(networksOf(ip)[0] ?? ip, response))
    next()
  }
}

/**
 * Serves the built web app: hashed assets cached without end, the page never cached (so that opening the calculator always
 * starts with empty memory), and the page also for every address that the client routes itself.
 */
export function bindStaticWeb(app: Express, root: string): void {
  app.use((request, response, next) => {
    // The static files would answer these with a sentence of their own.
    if (isDecodable(request.path)) next()
    else sendPlain404(response)
  })
  app.use('/assets', files(join(root, 'assets'), 'public, max-age=31536000, immutable'))
  app.use(files(root, 'no-cache'))
  const page = files(root, 'no-store')
  app.get('/{*path}', (request, response, next) => {
    const hasExtension = /\.[a-z0-9]+$/i.test(request.path)
    if (hasExtension || !request.accepts('html')) {
      next()
      return
    }
    request.url = '/index.html'
    page(request, response, next)
  })
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Answers for a file that does not exist, without a sentence that belongs to an app; nginx gives the same answer. */
export const sendPlain404 = (response: Response): void => {
  response.status(404).type('text/plain').send('Not Found')
}

export function bindPlain404(app: Express): void {
  app.use((_request, response) => sendPlain404(response))
}

/** The files of a folder, in the best of the forms that the build compressed and the client accepts. */
function files(root: string, cacheControl: string): RequestHandler {
  const serveStatic = {
    index: false,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders: (response: ServerResponse) => void response.setHeader('cache-control', cacheControl),
  } as const
  const compressed = expressStaticGzip(root, {
    index: false,
    enableBrotli: true,
    orderPreference: ['br', 'gzip'],
    serveStatic,
  })
  const plain = express.static(root, serveStatic)
  // A range counts the bytes of the file itself.
  return (request, response, next) =>
    void (request.headers.range === undefined ? compressed : plain)(request, response, next)
}
