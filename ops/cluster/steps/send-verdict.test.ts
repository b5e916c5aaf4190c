import { judgeSends, requireExact } from './send-verdict.ts'
import type { SendRecord } from './send-verdict.ts'

const record: SendRecord = {
  accepted: new Map([
    ['a', '1'],
    ['b', '2'],
  ]),
  stored: [
    { id: '0', clientMessageId: 'earlier' },
    { id: '1', clientMessageId: 'a' },
    { id: '2', clientMessageId: 'b' },
  ],
  events: ['1', '2', '1'],
}
const verdictOf = (more: Partial<SendRecord>) => () => requireExact(judgeSends({ ...record, ...more }))

describe('judgeSends', () => {
  it('accepts messages that are stored once, and counts repeated events', () => {
    const verdict = judgeSends(record)
    expect(() => requireExact(verdict)).not.toThrow()
    expect(verdict).toMatchObject({ written: 2, announced: 2, announcedAgain: 1 })
  })

  it('names an accepted message that is not stored', () => {
    expect(verdictOf({ stored: [{ id: '1', clientMessageId: 'a' }], events: [] })).toThrow(
      'Of 2 messages 1 lost (b).',
    )
  })

  it('names a message that was never accepted', () => {
    expect(verdictOf({ accepted: new Map([...record.accepted, ['c', undefined]]) })).toThrow('1 lost (c)')
  })

  it('names a message that is stored twice', () => {
    expect(verdictOf({ stored: [...record.stored, { id: '3', clientMessageId: 'b' }] })).toThrow(
      'Of 2 messages 1 doubled (b).',
    )
  })

  it('names an announced message that is not stored', () => {
    expect(verdictOf({ events: ['9'] })).toThrow('Of 2 messages 1 invented (9).')
  })

  it('refuses a load that wrote nothing', () => {
    expect(verdictOf({ accepted: new Map() })).toThrow('The load wrote no message.')
  })
})
