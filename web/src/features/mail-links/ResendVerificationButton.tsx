import { sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import type { ButtonProps } from '../../shared/ui/Button.tsx'
import { useResendVerificationMutation } from './mail-links-api.ts'
import { usePage } from '../../page.ts'

export function ResendVerificationButton(look: Pick<ButtonProps, 'variant' | 'className'>) {
  const { toast } = usePage().toasts
  const [resend, { isLoading }] = useResendVerificationMutation()
  const send = async () => {
    try {
      await resend().unwrap()
      toast({ title: 'Verification Email Sent', description: 'Please check your inbox and spam folder' })
    } catch (error) {
      const description = sentenceOf(error, 'Please try again later')
      toast({ title: 'Failed to Send Email', description, variant: 'destructive' })
    }
  }
  return (
    <Button {...look} isBusy={isLoading} onClick={() => void send()}>
      Resend Verification Email
    </Button>
  )
}
