import { memoryBeforeSpeed } from '@sumlock/service-kit/memory'
import { runMain } from '@sumlock/service-kit/serve'
import { start } from './start.ts'

runMain(start, { v8Flags: memoryBeforeSpeed })
