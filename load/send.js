// Real sends: as the client does, a CSRF token is fetched before each one.
import { messageRun } from './lib/message-run.js'
import { numberSetting } from './lib/setting.js'

const run = messageRun({
  ratePerSecond: numberSetting('RATE', 200),
  seconds: numberSetting('SECONDS', 30),
  freshToken: true,
})

export const { options, setup, listen, send } = run
export { handleSummary } from './lib/summary.js'
