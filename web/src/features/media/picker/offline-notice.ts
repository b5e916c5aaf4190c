import type { Picker } from './sealed-uploader.ts'

/** Keeps the widget's offline notice until the connection is back; Uppy itself would remove it at once. */
export function keepOfflineNotice(picker: Picker): void {
  const notice = { type: 'error', message: picker.i18n('noInternetConnection') } as const
  let isOffline = false
  // The offline notice is put last, because Uppy removes the first notice when the time of any notice is over.
  const show = () => {
    const { info } = picker.getState()
    const others = info.filter(({ message }) => message !== notice.message)
    const wanted = isOffline ? [...others, notice] : others
    if (wanted.length !== info.length || (isOffline && info.at(-1)?.message !== notice.message))
      picker.setState({ info: wanted })
  }
  picker.on('is-offline', () => (isOffline = true))
  picker.on('is-online', () => {
    isOffline = false
    show()
  })
  picker.on('info-visible', show)
  picker.on('info-hidden', show)
}
