import { createEncryptedOutboxStore } from './encrypted-outbox-store.ts'

const key = btoa('k'.repeat(32))
const unsent = { clientMessageId: 'c1', conversationId: 'v1', content: 'hello' } as never

it('keeps what is unsent in memory where the browser offers no encryption', async () => {
  const real = crypto.subtle
  Object.defineProperty(crypto, 'subtle', { configurable: true, value: undefined })
  try {
    const store = createEncryptedOutboxStore(key)
    await store.save([unsent])
    expect(await store.load()).toEqual([unsent])
    expect(sessionStorage).toHaveLength(0)
  } finally {
    Object.defineProperty(crypto, 'subtle', { configurable: true, value: real })
  }
})
