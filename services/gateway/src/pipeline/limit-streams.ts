import { bodyKindOf, isStream } from '@sumlock/contracts/route-body'
import { tooManyRequests } from './too-many-requests.ts'
import type { Stream, StreamPermits } from './stream-permits.ts'
import type { Stage, UpstreamRequest } from './upstream-request.ts'

/** A browser tab uses three streams. Each stream holds some 0.4 MB of buffers while its client is slow. */
export const streamBounds = { perPerson: 12, total: 256 }

const uploadTime = { graceMs: 30_000, bytesPerMs: 65.536 }

/** Returns the ms that an upload may take: 30 s, and its length at 64 kB/s. */
export const uploadTimeMs = (bytes: number): number => uploadTime.graceMs + bytes / uploadTime.bytesPerMs

interface StreamMetrics {
  refused(reason: 'no-permit'): void
  streamEnded(reason: 'too-slow'): void
}

/**
 * Counts uploads and downloads, and breaks off an upload that takes longer than its length allows. Other routes are
 * not affected.
 */
export function limitStreams(permits: StreamPermits, metrics: StreamMetrics): Stage {
  return (upstream) => {
    const { route, request, response, identity, defer } = upstream
    if (!isStream(route) || !identity) return
    const isUpload = bodyKindOf(route) === 'stream'
    const allowedMs = isUpload ? uploadTimeMs(Number(request.headers['content-length'])) : undefined
    const stream = streamOf(upstream, identity.userId, allowedMs)
    const permit = permits.admit(stream)
    if (!permit) {
      metrics.refused('no-permit')
      throw tooManyRequests(response, route, permits.waitMsOf(identity.userId))
    }
    upstream.makeRoom = () => void permits.makeRoomFor(stream)
    defer(permit.release)
    if (allowedMs === undefined) return
    const endSlow = () => {
      metrics.streamEnded('too-slow')
      stream.end()
    }
    const timer = setTimeout(endSlow, allowedMs)
    const arrived = () => clearTimeout(timer)
    request.once('end', arrived)
    defer(arrived)
  }
}

function streamOf(
  { request, response }: UpstreamRequest,
  personId: string,
  allowedMs: number | undefined,
): Stream {
  const { socket } = request
  const moved = () => socket.bytesRead + socket.bytesWritten
  // A part of the body may have been read together with the headers.
  const movedBefore = moved() - request.readableLength
  return {
    personId,
    allowedMs,
    bytes: () => moved() - movedBefore,
    end: () => {
      response.destroy()
      request.destroy()
    },
  }
}
