type Pixels = Uint8ClampedArray<ArrayBuffer>
interface Drawn {
  width: number
  height: number
  pixels: Pixels
}

export interface Lies {
  read?: (pixels: Pixels) => Pixels
  write?: (pixels: Pixels) => Pixels
}

const written = new WeakMap<Blob, Drawn>()
const honest = (pixels: Pixels) => pixels

/** Replaces the canvas of a worker, which jsdom lacks. Returns the options of each file that was written from it. */
export function fakeCanvas({ read = honest, write = honest }: Lies = {}): unknown[] {
  const options: unknown[] = []
  class FakeCanvas implements Drawn {
    readonly width: number
    readonly height: number
    readonly pixels: Pixels
    fillStyle = ''
    globalCompositeOperation = ''
    constructor(width: number, height: number) {
      ;[this.width, this.height] = [width, height]
      this.pixels = new Uint8ClampedArray(width * height * 4)
    }
    getContext = () => this
    fillRect(left: number, top: number, width: number, height: number) {
      if (this.globalCompositeOperation) return
      const color = [1, 3, 5].map((at) => Number.parseInt(this.fillStyle.slice(at, at + 2), 16))
      for (let y = top; y < top + height; y += 1)
        for (let x = left; x < left + width; x += 1)
          this.pixels.set([...color, 255], (y * this.width + x) * 4)
    }
    drawImage(from: Drawn) {
      for (let at = 0; at < this.pixels.length / 4; at += 1) {
        const x = Math.floor(((at % this.width) * from.width) / this.width)
        const y = Math.floor((Math.floor(at / this.width) * from.height) / this.height)
        const source = (y * from.width + x) * 4
        this.pixels.set(from.pixels.subarray(source, source + 4), at * 4)
      }
    }
    getImageData = () => ({ data: read(this.pixels.slice()) })
    convertToBlob(given?: unknown) {
      if (given) options.push(given)
      const blob = new Blob(['file'])
      written.set(blob, { width: this.width, height: this.height, pixels: write(this.pixels.slice()) })
      return Promise.resolve(blob)
    }
  }
  const createImageBitmap = (blob: Blob) => Promise.resolve({ ...written.get(blob), close: () => undefined })
  Object.assign(globalThis, { OffscreenCanvas: FakeCanvas, createImageBitmap })
  return options
}
