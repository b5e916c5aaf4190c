import { createLedger } from './ledger.js'

const message = (seq: number, senderId = 'other', clientMessageId = `run-${seq}`) => ({
  seq,
  senderId,
  clientMessageId,
})
const ledger = (lastSeq = 10) =>
  createLedger({ userId: 'me', lastSeq, isOurs: (id: string) => id.startsWith('run-') })

describe('a ledger', () => {
  it('tells the messages of the other that arrived by socket from those only the history had', () => {
    const mine = ledger()
    expect(mine.see(message(12))).toBe(true)
    expect(mine.see(message(11, 'me'))).toBe(false)
    const history = [message(11, 'me'), message(12), message(13)]
    expect(mine.settle(history)).toEqual({
      stored: [history[0]],
      delivered: [history[1], history[2]],
      bySocket: 1,
      byFetch: 1,
      doubled: 0,
      gaps: 0,
      altered: 0,
    })
  })

  it('finds what was announced twice', () => {
    const mine = ledger()
    mine.see(message(11))
    expect(mine.see(message(11))).toBe(false)
    expect(mine.settle([message(11)])).toMatchObject({ doubled: 1, bySocket: 1 })
  })

  it('finds what was stored twice', () => {
    const twice = [message(11), message(12, 'other', 'run-11')]
    expect(ledger().settle(twice)).toMatchObject({ doubled: 1, delivered: twice })
  })

  it('finds a hole, also at the beginning', () => {
    expect(ledger().settle([message(12), message(14)])).toMatchObject({ gaps: 2 })
  })

  it('counts an announced message that is not stored, or stored with another id, as altered', () => {
    const mine = ledger()
    mine.see(message(11, 'other', 'run-a'))
    mine.see(message(12))
    expect(mine.settle([message(11, 'other', 'run-b')])).toMatchObject({ altered: 2 })
  })

  it('leaves the messages of other runs alone', () => {
    const mine = ledger()
    expect(mine.see(message(11, 'other', 'foreign'))).toBe(false)
    expect(mine.settle([message(11, 'other', 'foreign')])).toMatchObject({
      delivered: [],
      altered: 0,
      gaps: 0,
    })
  })
})
