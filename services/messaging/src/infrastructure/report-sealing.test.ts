import { randomBytes } from 'node:crypto'
import { createReportSealing } from './report-sealing.ts'

const former = { id: 'k1', secret: randomBytes(32) }
const present = { id: 'k2', secret: randomBytes(32) }
const texts = [{ id: 'm1', text: 'what it says, ünd 🔐' }]

describe('the texts attached to a report', () => {
  it('open with the key they were sealed with, also after a new one was put first', () => {
    const sealed = createReportSealing([former]).seal(texts, 'r1')
    const rotated = createReportSealing([present, former])
    expect(rotated.open(sealed, 'r1')).toEqual(texts)
    expect(rotated.seal(texts, 'r1').keyId).toBe('k2')
  })

  it('do not contain what they say', () => {
    const sealed = createReportSealing([present]).seal(texts, 'r1')
    expect(Buffer.from(sealed.ciphertext, 'base64').toString('utf8')).not.toContain('what it says')
  })

  it('do not open in another report, with another key, or without the key', () => {
    const { seal, open } = createReportSealing([present])
    const sealed = seal(texts, 'r1')
    expect(() => open(sealed, 'r2')).toThrow()
    expect(() => createReportSealing([{ ...present, secret: former.secret }]).open(sealed, 'r1')).toThrow()
    expect(() => createReportSealing([former]).open(sealed, 'r1')).toThrow('REPORT_KEYS has no key k2')
  })

  it('do not open with a changed byte or a shortened tag', () => {
    const { seal, open } = createReportSealing([present])
    const sealed = seal(texts, 'r1')
    const changed = Buffer.from(sealed.ciphertext, 'base64')
    changed[0] = (changed[0] as number) ^ 1
    expect(() => open({ ...sealed, ciphertext: changed.toString('base64') }, 'r1')).toThrow()
    const short = Buffer.from(sealed.tag, 'base64').subarray(0, 4).toString('base64')
    expect(() => open({ ...sealed, tag: short }, 'r1')).toThrow()
  })
})
