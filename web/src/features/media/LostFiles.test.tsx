import { cleanup, render, waitFor } from '../../../test/render.tsx'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { media, uploads } from '../../../test/page.ts'
import { beginUpload } from './begin-upload.ts'
import { LostFiles } from './LostFiles.tsx'

it('a file that this page is sending is not lost, even if the browser has no locks', async () => {
  expect(navigator.locks).toBeUndefined()
  const messaging = await fakeMessaging()
  const look = { messageType: 'image' as const, still: null, width: 0, height: 0 }
  const options = {
    conversationId: 'c',
    media,
    willSeal: () => Promise.resolve(false),
    send: () => Promise.resolve(),
  }
  void beginUpload({ file: new Blob() }, look, options, new Promise(() => undefined))
  await waitFor(async () => expect((await media.unsent.read()).files).toHaveLength(1))
  const read = media.unsent.read
  let reads = 0
  media.unsent.read = () => ((reads += 1), read())
  render(<LostFiles conversationId="c" onFiles={() => undefined} />, { wrapper: messaging.Wrapper })
  await waitFor(() => expect(reads).toBe(1))
  await new Promise((resolve) => setTimeout(resolve))
  expect(uploads.get()).toMatchObject([{ isLost: false }])
  cleanup()
  expect(uploads.get()).toHaveLength(1)
  uploads.get()[0]?.cancel()
  messaging.close()
})
