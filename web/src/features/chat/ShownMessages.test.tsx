import type { ConversationView } from '@sumlock/sync/conversation-view'
import { createRef } from 'react'
import { render, waitFor } from '../../../test/render.tsx'
import { coveredClass } from '../device/is-covered.ts'
import { ShownMessages } from './ShownMessages.tsx'

const cover = () => document.documentElement.classList.add(coveredClass)
const uncover = () => document.documentElement.classList.remove(coveredClass)
const openDialog = () => document.body.append(Object.assign(document.createElement('dialog'), { open: true }))
const removeDialog = () => document.querySelector('dialog')?.remove()

it.each([
  ['the cover', cover, uncover],
  ['a dialog', openDialog, removeDialog],
])('a message beneath %s was not on the screen until that is gone', async (_name, hide, show) => {
  const shown: number[] = []
  const view = { show: (seq: number) => shown.push(seq) } as Partial<ConversationView> as ConversationView
  const scroller = createRef<HTMLDivElement>()
  const rest = { scroller, view, watermark: 9, onShown: () => undefined }
  render(
    <>
      <div ref={scroller}>
        <span data-seq={3} />
      </div>
      <ShownMessages {...rest} />
    </>,
  )
  await waitFor(() => expect(shown.at(-1)).toBe(3))
  hide()
  const arrived = document.createElement('p')
  arrived.innerHTML = '<span data-seq="4"></span>'
  scroller.current?.append(arrived)
  await new Promise((resolve) => setTimeout(resolve))
  expect(shown.at(-1)).toBe(3)
  show()
  await waitFor(() => expect(shown.at(-1)).toBe(4))
})
