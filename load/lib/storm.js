// All people do the same at the same moment, and try again while the answer is 429.
import exec from 'k6/execution'
import { Counter, Trend } from 'k6/metrics'
import { summaryTrendStats } from './measures.js'
import { headCount, personAt } from './people.js'
import { sleepUntil, untilLetIn } from './until-let-in.js'

const admissionTimeoutMs = 60_000
const askedAgain = new Counter('asked_again')

export function createStorm({ latency, done, msPerHead }) {
  const took = new Trend(latency, true)
  const letIn = new Counter(done)
  const gatherMs = 2000 + headCount * msPerHead
  return {
    options: {
      scenarios: {
        storm: {
          executor: 'per-vu-iterations',
          vus: headCount,
          iterations: 1,
          maxDuration: `${Math.ceil((gatherMs + admissionTimeoutMs) / 1000) + 10}s`,
        },
      },
      thresholds: { checks: ['rate==1'], [done]: [`count==${headCount}`] },
      summaryTrendStats,
    },
    setup() {
      letIn.add(0)
      askedAgain.add(0)
      return { people: headCount }
    },
    /** The person of this iteration. */
    person: () => personAt(exec.scenario.iterationInTest),
    /** Waits for the common moment, then asks until admitted or out of time. Returns the last answer. */
    rush(ask) {
      sleepUntil(exec.scenario.startTime + gatherMs)
      const startedAt = Date.now()
      const { answer, refusals } = untilLetIn(ask, admissionTimeoutMs)
      askedAgain.add(refusals)
      if (answer.status === 200) {
        took.add(Date.now() - startedAt)
        letIn.add(1)
      } else console.warn(`${answer.status} ${answer.body}`)
      return answer
    },
  }
}
