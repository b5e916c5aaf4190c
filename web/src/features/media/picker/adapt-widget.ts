import type { Body } from '@uppy/core'
import type Dashboard from '@uppy/dashboard'
import { isComposing } from '../../../shared/lib/is-composing.ts'
import type { PickerGrace } from '../../lock/picker-grace.ts'
import type { Picker, PickerMeta } from './sealed-uploader.ts'

/**
 * Removes the widget's second input, which is for folders, and lets the camera button open the camera on phones. Gives
 * the list of one file its missing role. Returns a function that ends this.
 */
export function adaptWidget(
  widget: HTMLElement,
  { isCamera, accept }: { isCamera: boolean; accept: string },
): () => void {
  const adapt = () => {
    widget.querySelector('input[webkitdirectory]')?.remove()
    widget.querySelector('.uppy-Dashboard-files')?.setAttribute('role', 'list')
    // Inside the cropper, a stroke moves the crop.
    widget.querySelector('.uppy-ImageCropper-container')?.setAttribute('data-swipe', 'own')
    const input = widget.querySelector('input[type=file]')
    // The system's picker shows these types first, but the bytes decide which files are taken.
    if (input?.getAttribute('accept') !== accept) input?.setAttribute('accept', accept)
    if (isCamera) input?.setAttribute('capture', 'environment')
  }
  adapt()
  // The widget renders new inputs when the last file was removed.
  const changes = new MutationObserver(adapt)
  changes.observe(widget, { childList: true, subtree: true })
  return () => changes.disconnect()
}

/** Lets the page be hidden while the system's picker or camera is open. Returns a function that ends this. */
export function watchSystemPicker(widget: HTMLElement, { arm, end }: PickerGrace): () => void {
  const onClick = ({ target }: Event) => {
    if (target instanceof HTMLInputElement && target.type === 'file') arm()
  }
  const onCancel = (event: Event) => {
    // The dialog around the input would mistake the event for its own and close.
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
 * Escape closes the editor first, then the card of a file, and only then the dialog. Returns a function that ends this.
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
