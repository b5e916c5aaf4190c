import { ContactAddress } from '../../shared/ui/ContactAddress.tsx'
import { Article, Section } from './document-parts.tsx'

/** Shows the part of a legal document that concerns the calculator, without its title. */
export function CalculatorDocument({ kind }: { kind: 'privacy' | 'terms' }) {
  return <Article>{kind === 'privacy' ? <Privacy /> : <Terms />}</Article>
}

function Privacy() {
  return (
    <>
      <Section title="What this covers">
        <p>The calculator works without an account and sends nothing you calculate to us.</p>
      </Section>
      <Section title="What stays on this device">
        <p>
          Your history and your preferences are kept on this device only. In Settings you can clear the
          history, or turn it off.
        </p>
      </Section>
      <Section title="What we keep">
        <p>Short-lived technical records that protect the service against misuse.</p>
        <p>We show no advertising, and we sell your data to nobody.</p>
      </Section>
      <Section title="Accounts">
        <p>
          An account is for adults: you must be at least 18 years old to have one. It has a policy of its own,
          which is shown where you sign in or sign up.
        </p>
      </Section>
      <Section title="Your questions">
        <p>
          To ask about this policy, write to <ContactAddress to="privacy" />. For help with the app write to{' '}
          <ContactAddress to="support" />, on legal matters to <ContactAddress to="legal" />.
        </p>
      </Section>
    </>
  )
}

function Terms() {
  return (
    <>
      <Section title="Who may use the app">
        <p>You must be at least 18 years old.</p>
      </Section>
      <Section title="What we can and cannot promise">
        <p>
          Results show up to twelve significant digits. Check a result on which much depends before you rely
          on it.
        </p>
      </Section>
      <Section title="Fair use">
        <p>Do not disturb the service.</p>
      </Section>
      <Section title="Accounts">
        <p>An account has terms of its own, which are shown where you sign in or sign up.</p>
      </Section>
      <Section title="Contact">
        <p>
          Help: <ContactAddress to="support" />. Data protection: <ContactAddress to="privacy" />. These
          terms: <ContactAddress to="legal" />.
        </p>
      </Section>
    </>
  )
}
