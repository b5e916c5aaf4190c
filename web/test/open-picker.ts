import type { Draft } from '@sumlock/sync/ports'
import { createPicker } from '../src/features/media/picker/create-picker.ts'
import type { PickerOptions } from '../src/features/media/picker/create-picker.ts'
import { media } from './page.ts'
import type { Picker } from '../src/features/media/picker/sealed-uploader.ts'

/** A file whose bytes begin like a picture. */
export const photo = (name = 'holiday.jpg') =>
  new File(['GIF89a.'], name, { type: 'image/jpeg', lastModified: 1 })

let opened: { picker: Picker; target: HTMLElement }[] = []

/** Shows the upload widget in the page of a chat that sends plain text. */
export function openPicker(options: Partial<PickerOptions> = {}) {
  const target = document.createElement('div')
  document.body.append(target)
  const sent: Draft[] = []
  const picker = createPicker({
    ...{ target, conversationId: 'c', onDone: () => undefined },
    ...{ media, willSeal: () => Promise.resolve(false) },
    send: (draft) => Promise.resolve(void sent.push(draft)),
    ...options,
  })
  opened.push({ picker, target })
  const add = (file = photo()) => picker.addFile(file)
  const messages = () => picker.getState().info.map(({ message }) => message)
  const shows = (selector: string) => target.querySelector(selector) !== null
  return { picker, target, sent, add, messages, shows }
}

export function closePickers(): void {
  for (const { picker, target } of opened) {
    picker.destroy()
    target.remove()
  }
  opened = []
}
