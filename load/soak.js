// Real sends for a long time; everybody stays unlocked, because they move.
import { messageRun } from './lib/message-run.js'
import { numberSetting } from './lib/setting.js'

const run = messageRun({
  ratePerSecond: numberSetting('RATE', 50),
  seconds: numberSetting('SECONDS', 1800),
  freshToken: true,
  keepUnlocked: true,
})

export const { options, setup, listen, send } = run
export { handleSummary } from './lib/summary.js'
