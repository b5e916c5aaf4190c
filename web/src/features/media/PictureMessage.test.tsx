import { render, screen } from '../../../test/render.tsx'
import { png } from '../../../test/picture-fixtures.ts'
import { storeOf } from '../../../test/store-of.ts'
import { PictureMessage } from './PictureMessage.tsx'

it.each([
  ['The cat', 'The cat', 'Open photo: The cat'],
  ['', 'Photo', 'Open photo'],
])('a picture with the caption "%s" is named %s', async (caption, name, button) => {
  storeOf(() => png(4, 3))
  URL.createObjectURL = () => 'blob:picture'
  URL.revokeObjectURL = () => undefined
  const mediaUrl = '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3'
  render(<PictureMessage id="m1" mediaUrl={mediaUrl} media={undefined} caption={caption} />)
  expect(await screen.findByRole('img', { name })).toBeTruthy()
  expect(screen.getByRole('button', { name: button })).toBeTruthy()
})
