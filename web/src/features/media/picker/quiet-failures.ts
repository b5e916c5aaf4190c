import type { Picker } from './sealed-uploader.ts'

/**
 * Drops the widget's notice of a failed file, which has an empty text in `pickerStrings`. A sentence next to the widget
 * describes the failure instead.
 */
export function dropFailureNotices(picker: Picker): void {
  picker.on('info-visible', () => {
    const { info } = picker.getState()
    const told = info.filter(({ message }) => message !== '')
    if (told.length < info.length) picker.setState({ info: told })
  })
}
