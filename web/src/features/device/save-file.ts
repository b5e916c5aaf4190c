/** Offers a value as a JSON file. */
export function saveFile(name: string, value: object): void {
  saveBlob(name, new Blob([JSON.stringify(value, null, 2)], { type: 'application/json' }))
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
