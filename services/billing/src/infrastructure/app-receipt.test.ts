import { ReceiptUtility } from '@apple/app-store-server-library'
import { limits } from '@sumlock/contracts/limits'
import { appReceipt, attribute } from '@sumlock/testing/app-receipt'
import { transactionIdsIn } from './app-receipt.ts'

describe('an app receipt', () => {
  it('names all its transactions, of which Apple’s ReceiptUtility finds the first', () => {
    const receipt = appReceipt(['2000000000000001', '2000000000000002'])
    expect(transactionIdsIn(receipt)).toEqual(['2000000000000001', '2000000000000002'])
    expect(new ReceiptUtility().extractTransactionIdFromAppReceipt(receipt)).toBe('2000000000000001')
  })

  it('without purchases names none, and neither does an id that is no number', () => {
    expect(transactionIdsIn(appReceipt([]))).toEqual([])
    expect(transactionIdsIn(appReceipt(['../2000000000000001']))).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['no base64', '????'],
    ['text', Buffer.from('a receipt').toString('base64')],
    ['half of it', appReceipt(['2000000000000001']).slice(0, 40)],
    ['a length without an end', Buffer.from([0x30, 0x80, 0x00, 0x00]).toString('base64')],
  ])('is refused as %s', (_what, text) => {
    expect(() => transactionIdsIn(text)).toThrow()
  })

  it('of the greatest length takes at most a second of processor time, whatever it is filled with', () => {
    const empty = attribute(2, Buffer.alloc(0))
    const count = Math.floor((limits.receiptMaxLength * 0.74) / empty.length)
    const receipt = appReceipt(
      [],
      Array.from({ length: count }, () => empty),
    )
    expect(receipt.length).toBeGreaterThan(limits.receiptMaxLength * 0.95)
    const before = process.cpuUsage()
    expect(transactionIdsIn(receipt)).toEqual([])
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(1000)
  })
})
