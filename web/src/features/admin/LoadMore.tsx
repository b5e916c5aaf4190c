import { Button } from '../../shared/ui/Button.tsx'

interface LoadMoreProps {
  isBusy: boolean
  onPress: () => void
}

/** Below a list of which there are further pages. */
export const LoadMore = ({ isBusy, onPress }: LoadMoreProps) => (
  <Button variant="secondary" className="w-full" isBusy={isBusy} onClick={onPress}>
    Load more
  </Button>
)
