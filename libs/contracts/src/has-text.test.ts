import { hasText } from './has-text.ts'
import { sendMessageBody } from './send-message-body.ts'

const invisible = [
  ...[
    '',
    ' \n\t',
    '\u200b',
    '\u2800',
    '\u00ad',
    '\u200d\u200c',
    '\u2060\ufeff',
    '\u3164',
    '\uffa0',
    '\u115f\u1160',
  ],
  ...[
    '\u202e\u202c',
    '\u2066\u2069',
    '\u034f',
    '\u061c',
    '\ufe0f',
    '\u180e',
    '\u{e0001}\u{e0020}',
    '\u{e0100}',
  ],
  ...['\u{1d159}', '\u{1d173}', '\u{1bca0}', '\u2028\u2029', '\u00a0\u3000', '\u200b \u2800\n\u00ad'],
]
const visible = ['a', '.', '😀', '👩‍👩‍👧', '\u200bשלום', '中', '𝄞', '𝒳', '0️⃣', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '́', '؀', '\ufffc']
const bodyOf = (content: string) => ({ conversationId: '6f1c1d9e-6a53-4a7e-9d0f-0a3f5a4d2b11', content })

it.each(invisible.map((text) => [JSON.stringify(text), text]))(
  'a text that shows nothing, such as %s, is refused',
  (_name, text) => {
    expect(hasText(text)).toBe(false)
    const parsed = sendMessageBody.safeParse(bodyOf(text))
    expect(parsed.error?.issues[0]).toMatchObject({ path: ['content'], message: 'Write something first.' })
  },
)

it.each(visible)('a text that shows %s can be sent', (text) => {
  expect(hasText(text)).toBe(true)
  expect(sendMessageBody.safeParse(bodyOf(text)).success).toBe(true)
})
