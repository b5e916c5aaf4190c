import { cleanup, fireEvent, render, waitFor } from '../../../test/render.tsx'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { photo } from '../../../test/open-picker.ts'
import { media, uploads } from '../../../test/page.ts'
import type { ChosenFiles } from './choose-files.ts'
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

it('a file that opens once stays one when it has to be chosen again', async () => {
  const messaging = await fakeMessaging()
  const stub = { id: 'u', conversationId: 'c', kind: 'image' as const, caption: '', isOnce: true }
  await media.unsent.update((text) => ({ ...text, files: [stub] }), 'file u')
  const chosen: ChosenFiles[] = []
  const { container } = render(<LostFiles conversationId="c" onFiles={(files) => chosen.push(files)} />, {
    wrapper: messaging.Wrapper,
  })
  await waitFor(() => expect(uploads.get()).toMatchObject([{ isLost: true, isOnce: true }]))
  uploads.get()[0]?.retry()
  fireEvent.change(container.querySelector('input') as Element, { target: { files: [photo()] } })
  expect(chosen).toMatchObject([{ isOnce: true }])
  uploads.get()[0]?.cancel()
  messaging.close()
})
