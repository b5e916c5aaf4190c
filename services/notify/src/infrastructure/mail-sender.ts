import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import type { Letter } from '../domain/templates.ts'

export interface MailSenderOptions {
  url: string
  from: string
  /** If true, sending fails before the password or the letter is transmitted, unless the server supports TLS. */
  requireTLS: boolean
}

/**
 * Sends a letter over its own connection, with a Message-ID made from `noticeId`. An abort closes the connection and rejects
 * with ETIMEDOUT; the server may still have accepted the letter.
 */
export type SendMail = (letter: Letter & { noticeId: string }, signal: AbortSignal) => Promise<void>

export const createMailSender =
  ({ url, from, requireTLS }: MailSenderOptions): SendMail =>
  ({ noticeId, ...letter }, signal) =>
    new Promise((resolve, reject) => {
      let socket: Socket | undefined
      const transport = createTransport(
        {
          url,
          requireTLS,
          // nodemailer only has timeouts for single steps. The socket is therefore opened here, where an abort can close it.
          getSocket({ host, port, secure }, done) {
            if (signal.aborted) return
            const opening = connect({ host: host ?? 'localhost', port: Number(port) || (secure ? 465 : 587) })
            opening.once('error', done)
            opening.once('connect', () => {
              opening.off('error', done)
              done(null, { connection: opening })
            })
            socket = opening
          },
        },
        { from },
      )
      const end = () => {
        socket?.destroy()
        reject(Object.assign(new Error('The mail server did not answer in time.'), { code: 'ETIMEDOUT' }))
      }
      if (signal.aborted) return end()
      signal.addEventListener('abort', end, { once: true })
      transport
        .sendMail({ ...letter, messageId: `<${noticeId}@calculator.local>` })
        .then(() => resolve(), reject)
        .finally(() => signal.removeEventListener('abort', end))
    })
