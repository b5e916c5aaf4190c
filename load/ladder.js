// One step of the ladder: sends at a fixed rate, the CSRF token at hand. `npm run load -- ladder` climbs.
import { messageRun } from './lib/message-run.js'
import { numberSetting } from './lib/setting.js'

const run = messageRun({
  ratePerSecond: numberSetting('RATE', 100),
  seconds: numberSetting('SECONDS', 20),
  freshToken: false,
})

export const { options, setup, listen, send } = run
export { handleSummary } from './lib/summary.js'
