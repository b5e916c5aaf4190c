import { runMain } from '@sumlock/service-kit/serve'
import { start } from './start.ts'

runMain(start)
