import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { Composer } from './Composer.tsx'

function show(draft: string) {
  const drafts: string[] = []
  const sent: string[] = []
  render(
    <Composer
      canSend
      unlimited
      draft={draft}
      onDraft={(text) => drafts.push(text)}
      onSend={(content) => sent.push(content)}
    />,
  )
  return { drafts, sent, field: screen.getByLabelText<HTMLTextAreaElement>('Message') }
}

it('the composer starts with the draft and reports every change', async () => {
  const { drafts, field } = show('so f')
  expect(field.value).toBe('so f')
  await userEvent.type(field, 'ar')
  expect(drafts).toEqual(['so fa', 'so far'])
})

it('the composer is empty when the message is sent, and leaves the draft to whoever sends it', async () => {
  const { drafts, sent, field } = show('whole')
  await userEvent.type(field, '{Enter}')
  expect(sent).toEqual(['whole'])
  expect(drafts).toEqual([])
  expect(field.value).toBe('')
})

it('the composer moves the focus to the note when the last message of the day closes the field', async () => {
  const props = { unlimited: false, draft: '', onDraft: () => undefined, onSend: () => undefined }
  const { rerender } = render(<Composer canSend {...props} />, { wrapper: MemoryRouter })
  await userEvent.click(screen.getByLabelText('Message'))
  rerender(<Composer canSend={false} {...props} />)
  const wayOut = await screen.findByRole('link', { name: 'Upgrade to Premium' })
  expect(document.activeElement?.textContent).toMatch(/^Daily message limit reached/)
  expect(wayOut.getAttribute('href')).toBe('/settings')
  expect(screen.getByLabelText<HTMLTextAreaElement>('Message').disabled).toBe(true)
})
