import { fileKind } from '../prepare/file-kind.ts'
import { previewPicture } from '../prepare/prepare-picture.ts'
import { takePoster } from '../prepare/take-poster.ts'
import type { PickedFile, Picker } from './sealed-uploader.ts'

/** Shows small pictures of the chosen files. A file without one stays as it is; its upload reports what is wrong. */
export function showPreviews(picker: Picker): void {
  const asked = new WeakSet<object>()
  const urls = new Map<string, string>()
  const drop = (id: string) => {
    URL.revokeObjectURL(urls.get(id) ?? '')
    urls.delete(id)
  }
  const show = async ({ id, data }: PickedFile) => {
    const still = await stillOf(data as Blob)
    if (!still) return
    const preview = URL.createObjectURL(still)
    if (picker.getFile(id)?.data !== data) return URL.revokeObjectURL(preview)
    drop(id)
    urls.set(id, preview)
    picker.setFileState(id, { preview })
  }
  const showOnce = (file: PickedFile) => {
    if (!file.data || asked.has(file.data)) return
    asked.add(file.data)
    show(file).catch(() => undefined)
  }
  // The widget emits `thumbnail:request` for pictures only: on each render until there is a preview, and again after an
  // edit.
  picker.on('thumbnail:request', showOnce)
  picker.on('file-added', async (file) => {
    if ((await fileKind(file.data as Blob)) === 'film') showOnce(file)
  })
  picker.on('file-removed', ({ id }) => drop(id))
}

const stillOf = async (file: Blob): Promise<Blob | null> =>
  (await fileKind(file)) === 'film' ? ((await takePoster(file))?.thumb ?? null) : previewPicture(file)
