import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import express from 'express'
import { networksOf } from '@sumlock/service-kit/client-address'
import type { Express, RequestHandler, Response } from 'express'
import expressStaticGzip from 'express-static-gzip'
import { createUnreadAnswers } from './infrastructure/unread-answers.ts'

/** At most this many files wait in memory for slow readers. A browser loads six at once, and an address may belong to a whole office. */
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
 * Serves the built web app. Hashed assets are cached for a year. The page is never stored, so that opening the calculator
 * always starts with empty memory; it is also the answer for every address that the client routes itself.
 */
export function bindStaticWeb(app: Express, root: string): void {
  app.use((request, response, next) => {
    // express.static would answer an address that cannot be decoded with a text of its own.
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

/** Answers that a file does not exist in the words of nginx, so that the answer reveals nothing about this app. */
export const sendPlain404 = (response: Response): void => {
  response.status(404).type('text/plain').send('Not Found')
}

export function bindPlain404(app: Express): void {
  app.use((_request, response) => sendPlain404(response))
}

/** Serves the files of a folder. A file that the build compressed is sent in the best form that the client accepts. */
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
  // A request for a range gets the uncompressed file, because a range counts the bytes of that file.
  return (request, response, next) =>
    void (request.headers.range === undefined ? compressed : plain)(request, response, next)
}
