import { Button } from '../../shared/ui/Button.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import type { Form } from '../../shared/lib/use-form.ts'
import { PhoneField } from './PhoneField.tsx'
import type { SignUpField } from './validate-registration.ts'

export function SignUpForm({ form: { props, field, isBusy } }: { form: Form<SignUpField> }) {
  return (
    <form className="space-y-4" {...props}>
      <TextField label="Full Name" {...field('fullName')} autoComplete="name" dir="auto" />
      <TextField
        label="Username"
        {...field('username')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField label="Email" {...field('email')} type="email" autoComplete="email" />
      <PhoneField {...field('phone')} />
      <TextField label="Password" {...field('password')} type="password" autoComplete="new-password" />
      <TextField
        label="Confirm Password"
        {...field('confirmPassword')}
        type="password"
        autoComplete="new-password"
      />
      <Button type="submit" className="w-full" isBusy={isBusy}>
        Create Account
      </Button>
    </form>
  )
}
