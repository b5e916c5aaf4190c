import { createNicknames } from './nickname.ts'
import { createKey, importKey } from './own-key.ts'

const bytes = (fill: number) => new Uint8Array(32).fill(fill)
async function nicknamesOf(userId: string) {
  const { stored, pkcs8 } = await createKey({ userId, epoch: 1 }, bytes(1), bytes(2))
  return createNicknames(await importKey(stored, pkcs8))
}

it('every nickname has a box of the same size, and opens for its owner and its conversation alone', async () => {
  const [ann, ben] = await Promise.all([nicknamesOf('ann'), nicknamesOf('ben')])
  const longest = '漢'.repeat(40)
  for (const nickname of ['B', 'Bär 🐻', longest]) {
    const box = await ann.seal('c', nickname)
    expect(box).toHaveLength(208)
    expect(await ann.open('c', box)).toBe(nickname)
    await expect(ann.open('d', box)).rejects.toThrow()
    await expect(ben.open('c', box)).rejects.toThrow()
  }
  await expect(ann.seal('c', '漢'.repeat(43))).rejects.toThrow('too long')
})
