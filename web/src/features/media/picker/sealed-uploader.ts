import { BasePlugin, EventManager } from '@uppy/core'
import type { Body, PluginOpts, Uppy, UppyFile } from '@uppy/core'
import type { VanishMs } from '@sumlock/contracts/primitives'
import { keepOwn } from '../own-files.ts'
import { outgoingMedia } from '../outgoing-media.ts'
import { mediaDraft } from '../chosen-media.ts'
import type { SendMediaOptions } from '../chosen-media.ts'
import { MediaRefusedError } from '../prepare/media-refused-error.ts'
import { registerFile, storeFile } from '../upload-file.ts'
import { followUpload } from './follow-upload.ts'

/** The receiver can open a file once that has `isOnce`; then its caption is not sent. */
export type PickerMeta = { caption?: string; isOnce?: boolean }
export type Picker = Uppy<PickerMeta, Body>
export type PickedFile = UppyFile<PickerMeta, Body>

/** The shown progress stops at this share until the server has answered, because the widget treats 100 % as the end. */
const mostProgress = 0.99

interface Options extends SendMediaOptions {
  /**
   * Receives the sentence about a file that can never be sent and was removed. Without this function, such a file fails
   * and can be retried.
   */
  onRefused?: (sentence: string) => void
  /** Receives the sentence about an upload that does not go on, and null when it goes on. */
  onDelay?: ((delay: string | null) => void) | undefined
}

/**
 * Prepares and seals a chosen file, uploads it, and puts its message into the outbox. Pausing aborts the request;
 * resuming sends the file again from its beginning.
 */
export class SealedUploader extends BasePlugin<Options & PluginOpts, PickerMeta, Body> {
  /** Maps each chosen file to the address at which it was stored. */
  readonly #stored = new WeakMap<object, string>()
  /** The times after which the sent files vanish, taken when the person sent them. */
  readonly #vanishMs = new WeakMap<object, VanishMs | undefined>()
  readonly #prepare = this.#forEach((file) => this.#prepareOne(file))
  readonly #upload = this.#forEach((file) => this.#uploadOne(file))
  readonly #send = this.#forEach((file) => this.#sendOne(file))

  constructor(uppy: Picker, options: Options) {
    super(uppy, options)
    this.id = 'SealedUploader'
    this.type = 'uploader'
  }

  override install(): void {
    const { capabilities } = this.uppy.getState()
    this.uppy.setState({ capabilities: { ...capabilities, resumableUploads: true } })
    this.uppy.addPreProcessor(this.#prepare)
    this.uppy.addUploader(this.#upload)
    this.uppy.addPostProcessor(this.#send)
  }

  override uninstall(): void {
    this.uppy.removePreProcessor(this.#prepare)
    this.uppy.removeUploader(this.#upload)
    this.uppy.removePostProcessor(this.#send)
  }

  /** Runs a stage for each file, except for files that failed in an earlier stage. */
  #forEach(stage: (file: PickedFile) => Promise<void>) {
    return async (ids: string[]): Promise<void> => {
      const files = this.uppy.getFilesByIds(ids).filter((file) => file && !file.error)
      await Promise.all(
        files.map(async (file) => {
          try {
            await stage(file)
          } catch (error) {
            if (this.#isHere(file)) this.#fail(file, error as Error)
          }
        }),
      )
    }
  }

  #fail(file: PickedFile, error: Error): void {
    const { onRefused } = this.opts
    if (!onRefused || !(error instanceof MediaRefusedError) || !error.isFinal)
      return void this.uppy.emit('upload-error', file, error)
    this.uppy.removeFile(file.id)
    onRefused(error.message)
  }

  /**
   * Returns whether the file is still in the widget. The data are compared, because another file may have the same id
   * by now.
   */
  #isHere = ({ id, data }: PickedFile): boolean => this.uppy.getFile(id)?.data === data

  #outgoing = ({ data }: PickedFile) => outgoingMedia(data as Blob, this.opts)

  #seal = (file: PickedFile) => {
    const { seal, sealOnce } = this.#outgoing(file)
    return file.meta.isOnce ? sealOnce() : seal()
  }

  async #prepareOne(file: PickedFile): Promise<void> {
    const data = file.data as Blob
    if (!this.#vanishMs.has(data)) this.#vanishMs.set(data, this.opts.vanishMs?.())
    this.uppy.emit('preprocess-progress', file, { mode: 'indeterminate', message: 'Preparing…' })
    try {
      await this.#seal(file)
    } finally {
      this.uppy.emit('preprocess-complete', file)
    }
  }

  async #uploadOne(file: PickedFile): Promise<void> {
    this.uppy.emit('upload-start', [file])
    const url = await this.#store(file)
    if (url === undefined) return
    this.#stored.set(file.data as Blob, url)
    this.uppy.emit('upload-success', file, { status: 200 })
  }

  /** Uploads the sealed file. Resolves to its address, or to undefined if the file was removed from the widget. */
  async #store(file: PickedFile): Promise<string | undefined> {
    const { file: sealed } = await this.#seal(file)
    let stop = new AbortController()
    let resume = () => {}
    const setPaused = (isPaused: boolean) => (isPaused ? stop.abort() : resume())
    const events = new EventManager(this.uppy)
    events.onPause(file.id, setPaused)
    events.onPauseAll(file.id, () => setPaused(true))
    events.onResumeAll(file.id, () => setPaused(false))
    events.onFileRemove(file.id, () => {
      stop.abort()
      resume()
    })
    const report = (share: number) => {
      const bytesUploaded = Math.floor(sealed.size * Math.min(share, mostProgress))
      const progress = { uploadStarted: Date.now(), bytesUploaded, bytesTotal: sealed.size }
      this.uppy.emit('upload-progress', file, progress)
    }
    try {
      while (this.#isHere(file)) {
        stop = new AbortController()
        const { conversationId, media } = this.opts
        const followed = followUpload(this.uppy, this.opts)
        const onProgress = (share: number) => {
          report(share)
          followed.advance(share)
        }
        try {
          return await storeFile(sealed, { conversationId, media, signal: stop.signal, onProgress })
        } catch (error) {
          if (!stop.signal.aborted) throw error
        } finally {
          followed.end()
        }
        if (this.uppy.getFile(file.id)?.isPaused) await new Promise<void>((resolve) => (resume = resolve))
      }
      return undefined
    } finally {
      events.remove()
    }
  }

  async #sendOne(file: PickedFile): Promise<void> {
    const url = this.#stored.get(file.data as Blob)
    if (url === undefined) return
    this.uppy.emit('postprocess-progress', file, { mode: 'indeterminate', message: 'Sending…' })
    const stop = new AbortController()
    const events = new EventManager(this.uppy)
    events.onFileRemove(file.id, () => stop.abort())
    try {
      const mediaUrl = await registerFile(this.opts.media, url, stop.signal)
      stop.signal.throwIfAborted()
      const { messageType, media } = await this.#seal(file)
      const { caption, isOnce } = file.meta
      if (!isOnce) keepOwn(this.opts.media.own, mediaUrl, await this.#outgoing(file).prepare())
      const re = this.opts.takeReply?.()
      const vanishMs = this.#vanishMs.get(file.data as Blob)
      await this.opts.send(mediaDraft(messageType, mediaUrl, { caption, media, re, vanishMs, isOnce }))
      this.uppy.emit('postprocess-complete', file)
    } catch (error) {
      this.#reopen(file)
      throw error
    } finally {
      events.remove()
    }
  }

  /** Marks an upload as incomplete, because the widget offers no retry for a complete one. */
  #reopen(file: PickedFile): void {
    if (!this.#isHere(file)) return
    this.uppy.emit('postprocess-complete', file)
    const { complete: _, ...progress } = this.uppy.getFile(file.id).progress
    this.uppy.setFileState(file.id, { progress: { ...progress, uploadComplete: false, percentage: 0 } })
  }
}
