import { yearPrice } from '@sumlock/contracts/price'
import { ContactAddress } from '../../shared/ui/ContactAddress.tsx'
import { Article, Section } from './document-parts.tsx'

/** Shows the text of a legal document, without its title. */
export function LegalDocument({ kind }: { kind: 'privacy' | 'terms' }) {
  return <Article>{kind === 'privacy' ? <Privacy /> : <Terms />}</Article>
}

function Privacy() {
  return (
    <>
      <Section title="What this covers">
        <p>
          The calculator works without an account and sends nothing you calculate to us. This policy is about
          the account you may create in Settings, and about the messages and media exchanged with it.
        </p>
        <p>Accounts are for adults. You must be at least 18 years old to have one.</p>
      </Section>
      <Section title="What we keep">
        <p>
          Your name, user name, e-mail address and phone number; the messages and media you send, until they
          are deleted; your plan and how it was paid for; and short-lived technical records that protect the
          service against misuse.
        </p>
        <p>We show no advertising, and we sell your data to nobody.</p>
      </Section>
      <Section title="How it is protected">
        <p>
          Your account password and your numeric password are stored only as hashes: we cannot read either of
          them, and nobody can look them up for you.
        </p>
        <p>
          Messages and media travel over encrypted connections and are stored behind access control, so that
          only the two people in a conversation are given them.
        </p>
        <p>
          Text that two people with keys write to each other, and the photos, videos and voice messages that
          they send, are also sealed on their devices, end-to-end. A thief of our databases, backups or logs
          cannot read them. Sealing does not protect from those who run our servers: they deliver this app and
          receive your numeric password when you unlock, so they are technically able to reach your keys.
          Someone with our whole service and its secrets can find a short numeric password by trying: nine
          digits or more help. Where and with what a photo or video was taken is removed before it leaves the
          device. Our servers also keep the record of keys that your devices have accepted, and could show an
          older one.
        </p>
        <p>
          Not sealed are messages marked &ldquo;Not encrypted&rdquo; and those from before you had keys, with
          their photos, videos and voice messages, also in backups; and who writes with whom, when and how
          much. A false key at the first contact shows only when you compare the security code with the other
          person. Sealing does not protect what is on the screen of an unlocked phone. If we lose the secret
          that your keys depend on, all sealed text and media are lost.
        </p>
        <p>
          When you report someone, the text that you attach is sent to our team, who keep it sealed, and it is
          removed 30 days after the report is closed.
        </p>
      </Section>
      <TakenBack />
      <Section title="Who else is involved">
        <p>
          We use outside companies for e-mail delivery, for SMS, for cloud storage and for payments, and,
          where you buy through them, the mobile app stores. Each receives only what its task needs: the SMS
          provider your phone number and a code, the payment provider what a purchase takes.
        </p>
      </Section>
      <Section title="Deleting your account">
        <p>
          When you delete your account, what belongs to it is purged from our systems within 30 days and from
          our backups within 90 days.
        </p>
      </Section>
      <Section title="Your questions">
        <p>
          To see, correct or delete your data, or to ask about this policy, write to{' '}
          <ContactAddress to="privacy" />. For help with the app write to <ContactAddress to="support" />, on
          legal matters to <ContactAddress to="legal" />.
        </p>
      </Section>
    </>
  )
}

function TakenBack() {
  return (
    <Section title="Taking a message back">
      <p>
        For a day you can edit a message or delete it for both. Its former content is then removed from what
        both of you are shown, and the photo, video or voice message of a deleted one from our storage. The
        other person may have read or copied it before. Out of sight our servers keep it for a while: in the
        message queue for up to a day, in the log of the database until that is overwritten, in a report if it
        was attached to one, and in backups for up to 60 days. If a backup has to be restored, the message
        comes back.
      </p>
      <p>
        Messages can vanish by themselves after the time that you or the other person has chosen. Your own
        then runs from when we receive a message, that of the other person from when they read it; what is
        never read vanishes after 30 days. We see that time and when it ends. Within a minute after it has
        ended for both of you the message and its media are removed from our storage. The places named above
        keep it for as long, but after a restore it is removed again before anybody is shown it, unless it was
        read after the backup: then it has its whole time once more. A picture, video or voice message can be
        sent to be opened once: then the same holds as soon as the other person has closed it, or ten minutes
        after they have opened it.
      </p>
    </Section>
  )
}

function Terms() {
  return (
    <>
      <Section title="Who may use the app">
        <p>You must be at least 18 years old. One person, one account; keep your passwords to yourself.</p>
      </Section>
      <Section title="Your passwords">
        <p>
          Passwords are stored hashed, so we cannot tell you a forgotten one. An account password can be reset
          by e-mail. A forgotten numeric password cannot be recovered: the only way on is to reset the app,
          and your conversations are lost to you.
        </p>
      </Section>
      <Section title="Free plan and premium">
        <p>
          The free plan lets you send one message a day. Premium costs {yearPrice.label} a year and lifts that
          limit. In a conversation it is enough that either of the two has premium: then both write without a
          limit.
        </p>
        <p>Purchases made in a mobile store are billed, and refunded, under that store&rsquo;s own rules.</p>
      </Section>
      <Section title="Fair use">
        <p>
          Do not use the app to harm, threaten or defraud anyone, to share what the law forbids, or to disturb
          the service. Accounts that do so may be closed.
        </p>
      </Section>
      <Section title="What we can and cannot promise">
        <p>
          We protect content on its way and in storage by encrypted connections and access control. Text
          between two people with keys is sealed end-to-end. This does not protect from those who run our
          servers: the privacy policy says why. E-mail delivery, SMS, cloud storage, payments and the mobile
          stores are run by others and can fail.
        </p>
      </Section>
      <Section title="Leaving">
        <p>
          You may delete your account at any time. Its data is purged within 30 days, and from backups within
          90 days.
        </p>
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
