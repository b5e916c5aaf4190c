import { createLedger } from './ledger.ts'

const message = (seq: number, senderId = 'other', clientMessageId = `run-${seq}`) => ({
  seq,
  senderId,
  clientMessageId,
})
const ledger = () => createLedger('me', 10, (id) => id.startsWith('run-'))

describe('the ledger of a load test', () => {
  it('tells messages that arrived by socket from those that only the history has', () => {
    const mine = ledger()
    expect(mine.see(message(12))).toBe(true)
    expect(mine.see(message(11, 'me'))).toBe(false)
    expect(mine.settle([message(11, 'me'), message(12), message(13)])).toEqual({
      stored: 1,
      delivered_by_socket: 1,
      delivered_by_fetch: 1,
      doubled: 0,
      gaps: 0,
      altered: 0,
    })
  })

  it('finds a message that was announced twice', () => {
    const mine = ledger()
    mine.see(message(11))
    expect(mine.see(message(11))).toBe(false)
    expect(mine.settle([message(11)])).toMatchObject({ doubled: 1, delivered_by_socket: 1 })
  })

  it('finds a message that was stored twice', () => {
    const twice = [message(11), message(12, 'other', 'run-11')]
    expect(ledger().settle(twice)).toMatchObject({ doubled: 1, delivered_by_fetch: 2 })
  })

  it('finds gaps in the sequence numbers, also at the beginning', () => {
    expect(ledger().settle([message(12), message(14)])).toMatchObject({ gaps: 2 })
  })

  it('counts an announced message that is not stored, or stored with another id, as altered', () => {
    const mine = ledger()
    mine.see(message(11, 'other', 'run-a'))
    mine.see(message(12))
    expect(mine.settle([message(11, 'other', 'run-b')])).toMatchObject({ altered: 2 })
  })

  it('ignores the messages of other runs', () => {
    const mine = ledger()
    expect(mine.see(message(11, 'other', 'foreign'))).toBe(false)
    const found = mine.settle([message(11, 'other', 'foreign')])
    expect(found).toMatchObject({
      stored: 0,
      delivered_by_socket: 0,
      delivered_by_fetch: 0,
      gaps: 0,
      altered: 0,
    })
  })
})
