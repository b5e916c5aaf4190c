import { Button } from '../../shared/ui/Button.tsx'

interface LoadMoreProps {
  isBusy: boolean
  onPress: () => void
}

/** Shows a button below a list that has further pages. */
export const LoadMore = ({ isBusy, onPress }: LoadMoreProps) => (
  <Button variant="secondary" className="w-full" isBusy={isBusy} onClick={onPress}>
    Load more
  </Button>
)
