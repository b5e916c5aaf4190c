import { useNavigate } from 'react-router-dom'
import { AppIcon } from '../../shared/ui/AppIcon.tsx'
import { Button } from '../../shared/ui/Button.tsx'
import { Card, CenteredPage } from '../../shared/ui/Card.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'

export function NotFoundScreen() {
  const navigate = useNavigate()
  return (
    <CenteredPage>
      <Card className="flex flex-col items-center text-center">
        <AppIcon />
        <ScreenTitle className="mt-4 text-xl font-semibold">404 Page Not Found</ScreenTitle>
        <p className="mt-2 text-ink-2">Did you forget to add the page to the router?</p>
        <Button className="mt-5 w-full" onClick={() => void navigate('/')}>
          Back to the calculator
        </Button>
      </Card>
    </CenteredPage>
  )
}
