import type { Body } from '@uppy/core'
import type Dashboard from '@uppy/dashboard'
import { isComposing } from '../../../shared/lib/is-composing.ts'
import type { PickerGrace } from '../../lock/picker-grace.ts'
import type { Picker, PickerMeta } from './sealed-uploader.ts'

/**
 * Removes the widget's input for folders, and gives the list of files the role that screen readers need. Returns a function that stops this.
 */
export function adaptWidget(widget: HTMLElement, accept = ''): () => void {
  const adapt = () => {
    widget.querySelector('input[webkitdirectory]')?.remove()
    widget.querySelector('.uppy-Dashboard-files')?.setAttribute('role', 'list')
    // The library gives this role to a label, which may have none.
    widget.querySelector('label[role=tooltip]')?.removeAttribute('role')
    // In the cropper, a finger moves the cut, and the same stroke must not leave the chat.
    widget.querySelector('.uppy-ImageCropper-container')?.setAttribute('data-swipe', 'own')
    const input = widget.querySelector('input[type=file]')
    // This attribute only puts such files first in the system's picker; the bytes decide which files are taken.
    if (input?.getAttribute('accept') !== accept) input?.setAttribute('accept', accept)
  }
  adapt()
  // The widget creates new inputs after its last file was removed, and these have to be adapted as well.
  const changes = new MutationObserver(adapt)
  changes.observe(widget, { childList: true, subtree: true })
  return () => changes.disconnect()
}

/**
 * Gives the page more time before it locks, while the system's picker or camera hides it. Returns a function that stops
 * this.
 */
export function watchSystemPicker(widget: HTMLElement, { arm, end }: PickerGrace): () => void {
  const onClick = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.type === 'file') arm()
  }
  const onCancel = (event: Event) => {
    // The event would reach the dialog around the input, which would close as if it had been cancelled itself.
    event.stopPropagation()
    end()
  }
  const listeners = { click: onClick, change: end, cancel: onCancel }
  for (const [name, listener] of Object.entries(listeners)) widget.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(listeners)) widget.removeEventListener(name, listener)
  }
}

/**
 * Lets Escape close the editor first, then the card of a file, and only then the dialog. Returns a function that stops
 * this.
 */
export function closePanelsFirst(picker: Picker): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const dashboard = picker.getPlugin<Dashboard<PickerMeta, Body>>('Dashboard')
    const { fileCardFor, showFileEditor } = dashboard?.getPluginState() ?? {}
    if (event.key !== 'Escape' || isComposing(event) || !dashboard || !fileCardFor) return
    event.preventDefault()
    if (showFileEditor) dashboard.closeFileEditor()
    else dashboard.hideAllPanels()
  }
  document.addEventListener('keydown', onKeyDown, { capture: true })
  return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
}
