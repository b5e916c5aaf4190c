import { configure } from '@testing-library/dom'

// A lazy chunk is compiled on its first import. On a busy machine this takes longer than the default second of a query.
configure({ asyncUtilTimeout: 10_000 })
