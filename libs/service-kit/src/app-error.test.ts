import { toAppError, toErrorBody, unavailable } from './app-error.ts'

describe('toAppError', () => {
  it('keeps an AppError as it is', () => {
    const error = unavailable('x')
    expect(toAppError(error)).toBe(error)
  })

  it.each([
    [{ name: 'MongoServerSelectionError' }],
    [{ code: 'ECONNREFUSED' }],
    [{ name: 'MongoServerError', errorLabels: ['UnknownTransactionCommitResult'] }],
    [new Error('fetch failed', { cause: { code: 'ECONNRESET' } })],
  ])('maps the error of an unreachable dependency to unavailable: %o', (thrown) => {
    expect(toAppError(thrown)).toMatchObject({ kind: 'unavailable', status: 503 })
  })

  it.each([[new TypeError('x is not a function')], [undefined], ['text'], [null]])(
    'calls a bug internal: %o',
    (thrown) => {
      expect(toAppError(thrown)).toMatchObject({ kind: 'internal', status: 500 })
    },
  )

  it('sends nothing of the cause to the client', () => {
    const body = toErrorBody(toAppError(new Error('secret detail')), 'request-1')
    expect(JSON.stringify(body)).not.toContain('secret detail')
    expect(body).toMatchObject({ code: 'internal_error', requestId: 'request-1' })
  })
})
