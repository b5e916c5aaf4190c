/** Files in jsdom, unlike its blobs, have no promise-based methods. */
export function readBlobs(): void {
  const part = Object.getPrototypeOf(new File([], '').slice()) as Blob
  part.arrayBuffer ??= function read(this: Blob) {
    return new Promise((resolve, reject) => {
      const reader = new FileReader()
      reader.onload = () => resolve(new Uint8Array(reader.result as ArrayBuffer).buffer)
      reader.onerror = () => reject(new Error('The file cannot be read.'))
      reader.readAsArrayBuffer(this)
    })
  }
}
