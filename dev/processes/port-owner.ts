import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { processIds } from './leftovers.ts'

const listening = '0A'

/** Who listens on a port of this machine, as "java (process 4711)"; null when the system does not say. */
export function portOwner(port: number): string | null {
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningSockets(table, port))
  if (sockets.length === 0) return null
  const pid = processIds().find((id) => openFiles(id).some((file) => sockets.includes(file)))
  if (pid === undefined) return null
  try {
    return `${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()} (process ${pid})`
  } catch {
    return null
  }
}

function listeningSockets(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  try {
    return readFileSync(table, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => state === listening && local?.endsWith(wanted))
      .map((fields) => `socket:[${fields[9]}]`)
  } catch {
    return []
  }
}

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).map((name) => {
      try {
        return readlinkSync(`${folder}/${name}`)
      } catch {
        return ''
      }
    })
  } catch {
    // Gone, or somebody else's.
    return []
  }
}
