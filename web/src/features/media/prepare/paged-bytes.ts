import type { Bytewise } from './prepared-media.ts'

const pageSize = 2 ** 20

/** Keeps a file in memory, in pages of 1 MiB that can be written in any order. */
export class PagedBytes implements Bytewise {
  readonly #pages: Uint8Array<ArrayBuffer>[] = []
  size = 0

  write(data: Uint8Array, position: number): void {
    for (let done = 0; done < data.length;) {
      const at = position + done
      const index = Math.floor(at / pageSize)
      while (this.#pages.length <= index) this.#pages.push(new Uint8Array(pageSize))
      const piece = data.subarray(done, done + pageSize - (at % pageSize))
      this.#pages[index]?.set(piece, at % pageSize)
      done += piece.length
    }
    this.size = Math.max(this.size, position + data.length)
  }

  slice(from: number, to: number): Blob {
    const end = Math.min(to, this.size)
    const parts: Uint8Array<ArrayBuffer>[] = []
    for (let at = from; at < end; at = Math.floor(at / pageSize + 1) * pageSize) {
      const start = at % pageSize
      parts.push(
        this.#pages[Math.floor(at / pageSize)]?.subarray(start, start + end - at) ?? new Uint8Array(),
      )
    }
    return new Blob(parts)
  }
}
