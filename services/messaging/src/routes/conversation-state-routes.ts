import { listReportActions } from '@sumlock/contracts/admin-action-routes'
import * as contract from '@sumlock/contracts/conversation-state-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { listAdminActions } from '@sumlock/service-kit/list-admin-actions'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { closeReport } from '../use-cases/close-report.ts'
import { listReports } from '../use-cases/list-reports.ts'
import { getPreferences, setPreferences } from '../use-cases/preferences.ts'
import { reportConversation } from '../use-cases/report-conversation.ts'
import { setConversationState } from '../use-cases/set-conversation-state.ts'
import { setTimer } from '../use-cases/set-timer.ts'
import { viewConversation } from '../use-cases/view-conversations.ts'

export function bindConversationStateRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.setConversationState, async ({ params, body, caller: { userId } }) => {
    await setConversationState(ctx, { userId, conversationId: params.id, ...body })
    return viewConversation(ctx, userId, params.id)
  })

  bind(contract.setTimer, async ({ params, body, caller: { userId } }) => {
    await setTimer(ctx, { userId, conversationId: params.id, ...body })
    return viewConversation(ctx, userId, params.id)
  })

  bind(contract.reportConversation, async ({ params, body, caller: { userId } }) => {
    await reportConversation(ctx, { userId, conversationId: params.id, ...body, note: body.note })
    return new Reply(201, { ok: true as const })
  })

  bind(contract.getConversationPreferences, ({ caller }) => getPreferences(ctx, caller.userId))

  bind(contract.setConversationPreferences, ({ body, caller }) => setPreferences(ctx, caller.userId, body))

  bind(contract.listReports, ({ caller }) => listReports(ctx, { adminId: caller.userId }))

  bind(contract.closeReport, async ({ params, caller }) => {
    await closeReport(ctx, { ...params, adminId: caller.userId })
    return { ok: true as const }
  })

  bind(listReportActions, ({ query, caller }) => listAdminActions(ctx, { adminId: caller.userId, ...query }))
}
