import { productProcesses } from './product-processes.ts'

const kafka = { name: 'kafka', pid: 10 }

describe('the processes of a product', () => {
  it('are its engines and its services', () => {
    expect(productProcesses([kafka, { name: 'auth-1', pid: 11 }])).toEqual([
      { ...kafka, isService: false },
      { name: 'auth-1', pid: 11, isService: true },
    ])
  })

  it('are counted once when services share one', () => {
    expect(productProcesses([kafka, { name: 'auth-1', pid: 11 }, { name: 'notify-1', pid: 11 }])).toEqual([
      { ...kafka, isService: false },
      { name: '2 services in one process', pid: 11, isService: true },
    ])
  })
})
