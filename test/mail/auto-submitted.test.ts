import { describe, expect, it } from 'vitest'
import { parseMail } from '../../src/mail/parse'
import { corpusFiles, hasCorpora } from './corpora'
import { bytesOf, timed } from './timing'

const mail = (lines: string[]) => parseMail(bytesOf(lines.join('\r\n')))
const originOf = async (lines: string[]) => {
  const { autoSubmitted, autoReason } = await mail(lines)
  return `${autoSubmitted} ${autoReason}`
}

describe('mail of programs', () => {
  it.each([
    ['Auto-Submitted: auto-replied', 'auto-replied auto-reply'],
    ['Precedence: auto_reply', 'auto-replied auto-reply'],
    ['X-Apple-Action: VACATION', 'auto-replied auto-reply'],
    ['X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent', 'auto-replied auto-reply'],
    ['Subject: Automatic reply: Offer', 'auto-replied auto-reply'],
    ['Subject: Automatische Antwort: Angebot', 'auto-replied auto-reply'],
    ['Subject: Abwesenheitsnotiz: Angebot', 'auto-replied auto-reply'],
    ['Subject: Réponse automatique : Offre', 'auto-replied auto-reply'],
    ['Subject: Respuesta automática: Oferta', 'auto-replied auto-reply'],
    ['Subject: Автоматический ответ: Письмо', 'auto-replied auto-reply'],
    ['Subject: 自動応答: 見積', 'auto-replied auto-reply'],
    ['List-Id: <a.example.com>', 'auto-generated list'],
    ['Precedence: list', 'auto-generated list'],
    ['List-Unsubscribe: <https://example.com/u>', 'auto-generated bulk'],
    ['Precedence: bulk', 'auto-generated bulk'],
    ['From: Shop <no-reply@shop.example>', 'auto-generated notification'],
    ['From: do_not_reply@shop.example', 'auto-generated notification'],
    ['Auto-Submitted: auto-generated', 'auto-generated notification'],
    ['X-Auto-Response-Suppress: All', 'auto-generated notification'],
    [
      'Content-Type: multipart/report; report-type=disposition-notification; boundary=x',
      'auto-replied receipt',
    ],
  ])('%s', async (header, expected) => {
    expect(await originOf([header, '', 'x'])).toBe(expected)
  })

  it('recognises an absence by subject, words and that it answers', async () => {
    const absence = ['Subject: Out of the office until May 5', 'In-Reply-To: <1@agent.example>', '']
    expect(await originOf([...absence, 'I am currently out of the office.'])).toBe('auto-replied auto-reply')
    expect(await originOf(['Return-Path: <>', ...absence, 'Hi'])).toBe('auto-replied auto-reply')
  })
})

describe('mail of people', () => {
  it.each([
    [['Subject: Re: Automatic reply: Offer', 'In-Reply-To: <1@agent.example>', '', 'Welcome back!']],
    [
      [
        'Subject: Re: Out of office',
        'In-Reply-To: <1@agent.example>',
        '',
        'I am out of the office too, back on Monday.',
      ],
    ],
    [['Subject: Out of office on Friday?', '', 'Who will be out of the office on Friday?']],
    [['Subject: Vacation plans', 'In-Reply-To: <1@agent.example>', '', 'Shall we go to Rome?']],
    [['Subject: Re: Offer', '', 'I will be out of the office until Monday, but yes, please do it.']],
    [['Subject: Autobahn', '', 'The car is fixed.']],
    [['Auto-Submitted: no', 'X-Auto-Response-Suppress: None', 'Subject: Hello', '', 'Hi']],
    [['From: Noreen Replyson <noreen@example.com>', 'Subject: Hi', '', 'Hi']],
  ])('%j', async (lines) => {
    expect(await originOf(lines)).toBe('no null')
  })

  it.skipIf(!hasCorpora)('is never taken for that of programs', async () => {
    for (const { name, raw } of corpusFiles('reply-text/talon/standard_replies', '.eml'))
      expect((await parseMail(raw)).autoSubmitted, name).toBe('no')
  })
})

describe('hostile headers', () => {
  it.each(['out of ', 'auto', '[', 're: ', 'réponse ', '自動'])(
    'takes little time for many %j',
    async (word) => {
      const many = word.repeat(30_000)
      const { ms } = await timed(() => mail([`Subject: ${many}`, `From: ${many}`, '', many.repeat(10)]))
      expect(ms).toBeLessThan(2000)
    },
  )
})

describe('complaints', () => {
  const complaint = (fields: string[]) =>
    mail([
      'From: feedback@isp.example',
      'Subject: Complaint',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b',
      '',
      'Somebody complained.',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      ...fields,
      '--b',
      'Content-Type: message/rfc822',
      '',
      'Message-ID: <sent-1@agent.example>',
      'To: bob@there.example',
      '',
      'x',
      '--b--',
    ])

  it('says what for, who and about which mail (RFC 5965)', async () => {
    const parsed = await complaint([
      'Feedback-Type: Abuse',
      'Version: 1',
      'Original-Rcpt-To: <bob@there.example>',
    ])
    expect(parsed).toMatchObject({
      autoReason: 'complaint',
      bounce: null,
      complaint: {
        type: 'abuse',
        recipients: ['bob@there.example'],
        returned: { messageId: '<sent-1@agent.example>', to: ['bob@there.example'] },
      },
    })
  })

  it('takes a type that it does not know for other', async () => {
    expect((await complaint(['Feedback-Type: <script>'])).complaint?.type).toBe('other')
  })
})
