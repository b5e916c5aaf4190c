import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { putOffSetUp } from '../unlock/keep-unlocked.ts'
import { passwordWords } from './password-words.ts'
import { PinForm } from './PinForm.tsx'
import { usePage } from '../../page.ts'

export function SetUpPin() {
  const page = usePage()
  const { place } = page
  const navigate = useNavigate()
  const [isSet, setIsSet] = useState(false)
  const leave = (practise: boolean) => void navigate('/', practise ? { state: { practice: true } } : {})
  const cancel = ({ replace = false } = {}) => {
    putOffSetUp(page)
    void navigate('/', { replace })
  }
  const onFlight = useEffectEvent(() => cancel({ replace: true }))
  useLayoutEffect(() => place.enterSetUp(() => onFlight()), [place])
  return (
    <main className="mx-auto max-w-[560px] p-4 py-6">
      <ScreenTitle className="text-2xl font-semibold">Setup Security Password</ScreenTitle>
      <p className="mt-2 text-ink-2">{passwordWords} Choose a number that only you know.</p>
      <ol className="mt-3 mb-4 list-decimal pl-5 text-ink-2">
        <li>On the calculator, press + while it shows 0.</li>
        <li>Type your number.</li>
        <li>Press =.</li>
      </ol>
      <Notice kind="warning">
        <strong className="block">Important</strong>
        Nobody can recover this number for you. If you forget it, the only way is to reset the entire app, and
        all conversations are lost. For that, log out, sign in with your account password, and choose
        &quot;Reset app&quot; in Settings within 15 minutes.
      </Notice>
      <PinForm onSet={() => setIsSet(true)} onCancel={() => cancel()} />
      <Dialog
        open={isSet}
        onOpenChange={() => leave(false)}
        title="Password Set Successfully!"
        description="On the calculator press +, type your number and press =. Try it once now, and it will stay with you."
      >
        <div className="flex flex-col gap-2">
          <Button onClick={() => leave(true)}>Practice Now</Button>
          <Button variant="secondary" onClick={() => leave(false)}>
            Skip - I Got It
          </Button>
        </div>
      </Dialog>
    </main>
  )
}
