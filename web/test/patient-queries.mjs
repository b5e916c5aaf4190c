import { configure } from '@testing-library/dom'

// A lazy chunk is compiled on its first import: on a busy machine that takes longer than the second a query waits by default.
configure({ asyncUtilTimeout: 10_000 })
