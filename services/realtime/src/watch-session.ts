import type { Context } from './context.ts'
import type { Identity } from './domain/identity.ts'
import type { RealtimeSocket } from './socket-server.ts'

/** How often a socket's session is asked for again. While Redis cannot tell us, an ended session may live 5 s: ask sooner. */
const recheckMs = { quiet: 60_000, deaf: 4000 }

/**
 * Keeps a socket no longer than its session is unlocked. Activity slides the end, so at the deadline auth is asked
 * once more before the socket is closed. `onEnd` runs when the session is gone or locked.
 */
export function watchSession(
  ctx: Context,
  socket: RealtimeSocket,
  first: Identity,
  cookie: string,
  onEnd: () => void,
): void {
  let identity = first
  let timer: NodeJS.Timeout
  let dueAtMs = 0
  let ended = false

  const end = () => {
    if (ended) return
    ended = true
    clearTimeout(timer)
    socket.emit('event', { type: 'locked', data: {} })
    socket.disconnect(true)
    // guard: socket-ends-for-all
    onEnd()
  }
  const arm = () => {
    // guard: socket-ends-with-unlock
    const untilEnd = Math.max(identity.unlockedUntilMs - ctx.clock.nowMs(), 0)
    // guard: recheck-while-deaf
    const interval = ctx.hints.status === 'ready' ? recheckMs.quiet : recheckMs.deaf
    const waitMs = Math.min(untilEnd, interval)
    dueAtMs = performance.now() + waitMs
    timer = setTimeout(() => void check(), waitMs)
  }
  const check = async () => {
    try {
      const now = await ctx.identify(cookie)
      if (!now || now.unlockedUntilMs <= ctx.clock.nowMs()) {
        end()
        return
      }
      identity = now
    } catch {
      // Auth is away: what we know holds until its end, and no longer.
      // guard: socket-ends-without-auth
      if (identity.unlockedUntilMs <= ctx.clock.nowMs()) {
        end()
        return
      }
    }
    if (!ended) arm()
  }
  // When Redis falls silent, a long wait that was armed before is too long. Every vain attempt to reconnect says
  // `close` again: it may only shorten the wait, never begin it anew.
  const onDeaf = () => {
    // guard: deaf-only-shortens
    if (ended || dueAtMs - performance.now() <= recheckMs.deaf) return
    clearTimeout(timer)
    arm()
  }
  // guard: sooner-when-deaf
  ctx.hints.on('close', onDeaf)
  socket.on('disconnect', () => {
    ended = true
    clearTimeout(timer)
    ctx.hints.off('close', onDeaf)
  })
  arm()
}
