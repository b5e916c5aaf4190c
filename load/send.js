// Messages at a fixed rate. `npm run load` sets what differs between ladder, send, reconnect-storm and soak.
import { messageRun } from './lib/message-run.js'
import { numberSetting } from './lib/setting.js'

const isSet = (name) => __ENV[name] !== undefined

const run = messageRun({
  ratePerSecond: numberSetting('RATE', 200),
  seconds: numberSetting('SECONDS', 30),
  freshToken: !isSet('TOKEN_AT_HAND'),
  dropEverySeconds: isSet('DROP_EVERY_SECONDS') ? numberSetting('DROP_EVERY_SECONDS', 10) : 0,
  keepUnlocked: isSet('KEEP_UNLOCKED'),
})

export const { options, setup, listen, send } = run
