import { unavailable } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { createUserCode } from '../domain/user-code.ts'

const drawsAtMost = 5

/** Returns a random user code that is not retired. The unique index refuses a code in use when the account is stored. */
export async function drawUserCode(
  ctx: Pick<Context, 'retiredCodes'>,
  create: () => string = createUserCode,
): Promise<string> {
  for (let draw = 0; draw < drawsAtMost; draw += 1) {
    const code = create()
    if (!(await ctx.retiredCodes.has(code))) return code
  }
  throw unavailable('user codes')
}
