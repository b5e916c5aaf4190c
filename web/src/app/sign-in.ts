// A device without an account loads these beside the app.
export { InnerRoutes } from './InnerRoutes.tsx'
export { AuthScreen } from '../features/auth/AuthScreen.tsx'
