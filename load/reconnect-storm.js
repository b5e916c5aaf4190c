// All sockets are lost at the same moment, again and again, and come back while messages are on their way.
import { messageRun } from './lib/message-run.js'
import { numberSetting } from './lib/setting.js'

const run = messageRun({
  ratePerSecond: numberSetting('RATE', 50),
  seconds: numberSetting('SECONDS', 40),
  freshToken: true,
  dropEverySeconds: 10,
})

export const { options, setup, listen, send } = run
export { handleSummary } from './lib/summary.js'
