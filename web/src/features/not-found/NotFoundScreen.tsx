import { Card, CenteredPage } from '../../shared/ui/Card.tsx'

export function NotFoundScreen() {
  return (
    <CenteredPage>
      <Card>
        <h1 className="text-xl font-semibold">404 Page Not Found</h1>
        <p className="mt-2 text-ink-2">Did you forget to add the page to the router?</p>
      </Card>
    </CenteredPage>
  )
}
