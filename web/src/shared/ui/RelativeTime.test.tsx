import { render, screen } from '../../../test/render.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { noteServerDate } from '../../../test/page.ts'

afterEach(() => noteServerDate(new Date().toUTCString()))

it.each([-3, 3])(
  'a message of five minutes ago says so on a device whose clock is wrong by %s hours',
  async (hours) => {
    const serverMs = Date.now() + hours * 3_600_000
    await noteServerDate(new Date(serverMs).toUTCString())
    render(<RelativeTime iso={new Date(serverMs - 5 * 60_000 - 5000).toISOString()} />)
    expect(screen.getByText('5 min')).toBeTruthy()
  },
)
