import { randomBytes } from 'node:crypto'
import { sealNotice } from '@sumlock/service-kit/seal-notice'
import { openNotice } from './open-notice.ts'

const key = randomBytes(32)
const notice = { channel: 'sms', template: 'phone-code', to: '+15550001234', code: '123456' } as const

const seal = (noticeId: string) => sealNotice(notice, noticeId, { id: 'k1', secret: key })

describe('a sealed notice', () => {
  it('opens with its key and its id', () => {
    expect(openNotice(seal('n1'), 'n1', { k1: key })).toEqual(notice)
  })

  it('opens with the key of its sender only', () => {
    const sealedWith = (id: string) => sealNotice(notice, 'n1', { id, secret: key })
    expect(openNotice(sealedWith('auth-1'), 'n1', { 'auth-1': key })).toEqual(notice)
    for (const id of ['billing-1', 'authority-1', '-1'])
      expect(() => openNotice(sealedWith(id), 'n1', { [id]: key })).toThrow(`the owner of key ${id} may not`)
  })

  it('does not open under another id, with another key, or with a byte changed', () => {
    const sealed = seal('n1')
    expect(() => openNotice(sealed, 'n2', { k1: key })).toThrow()
    expect(() => openNotice(sealed, 'n1', { k1: randomBytes(32) })).toThrow()
    expect(() => openNotice(sealed, 'n1', {})).toThrow(/NOTICE_KEYS has no key k1/)
    const changed = Buffer.from(sealed.ciphertext, 'base64')
    changed[0] = (changed[0] as number) ^ 1
    expect(() =>
      openNotice({ ...sealed, ciphertext: changed.toString('base64') }, 'n1', { k1: key }),
    ).toThrow()
  })
})
