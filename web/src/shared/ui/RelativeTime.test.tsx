import { render, screen } from '@testing-library/react'
import { noteServerDate } from '../lib/server-clock.ts'
import { RelativeTime } from './RelativeTime.tsx'

afterEach(() => noteServerDate(new Date().toUTCString()))

it.each([-3, 3])(
  'a message of five minutes ago says so on a device whose clock is wrong by %s hours',
  (hours) => {
    const serverMs = Date.now() + hours * 3_600_000
    noteServerDate(new Date(serverMs).toUTCString())
    render(<RelativeTime iso={new Date(serverMs - 5 * 60_000 - 5000).toISOString()} />)
    expect(screen.getByText('5 min')).toBeTruthy()
  },
)
