import type { PickerGrace } from '../../lock/picker-grace.ts'

/** Returns a sentence that tells the person why the microphone could not be opened, and what to do. */
export function microphoneSentence(error: unknown): string {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'The microphone is not allowed here. Allow it in the settings of your browser and try again.'
    case 'NotFoundError':
      return 'No microphone was found. Connect one and try again.'
    case 'NotReadableError':
    case 'AbortError':
      return 'The microphone cannot be used right now. Close other apps that use it and try again.'
    default:
      return 'The recording has failed. Please try again.'
  }
}

/**
 * Requests the microphone. The browser's prompt may hide the page until the person answers it, which must not lock the
 * page.
 */
export async function openMicrophone(pickerGrace: PickerGrace): Promise<MediaStream> {
  pickerGrace.arm()
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true })
  } finally {
    pickerGrace.end()
  }
}
