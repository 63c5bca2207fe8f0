import { describe, expect, it } from 'vitest'
import { replyRecipients } from '../../../src/mail/headers/reply-recipients'
import { parseMail } from '../../../src/mail/parse'
import { bytesOf, quickly } from '../../support/timing'
import { corpusFiles, hasCorpora } from '../corpora'
import { personsOnLists, programsOfLists } from './list-mails'

const mail = (lines: string[]) => parseMail(bytesOf(lines.join('\r\n')))
const originOf = async (lines: string[]) => {
  const { autoSubmitted, autoReason } = await mail(lines)
  return `${autoSubmitted} ${autoReason}`
}

describe('mail of lists', () => {
  it('is of a person who wrote to the list', async () => {
    for (const header of personsOnLists)
      expect(await originOf([...header, '', 'Hello all']), header.join()).toBe('no null')
  })

  it('is of a program where the list speaks, or where nobody can write to it', async () => {
    for (const header of programsOfLists)
      expect(await originOf([...header, '', 'Hello']), header.join()).toMatch(
        /^auto-generated (?:list|bulk|notification)$/,
      )
  })
})

describe('an answer to mail of a list', () => {
  const list = ['To: talk@lists.example', 'List-Post: <mailto:talk@lists.example>']
  const ours = { inbox: 'agent@ours.example', ours: ['agent@ours.example'] }
  const answered = async (lines: string[], all = false) => {
    const { from, to, cc, replyTo } = await mail([...lines, '', 'Hello'])
    const only = (people: readonly { address: string }[]) => people.map(({ address }) => address)
    const fields = {
      from_addr: from!.address,
      to_addrs: only(to),
      cc_addrs: only(cc),
      reply_to: only(replyTo),
    }
    const goesTo = replyRecipients({ direction: 'inbound', ...fields }, { ...ours, all })
    return [...goesTo.to, ...goesTo.cc]
  }
  const ann = 'From: Ann <ann@example.com>'

  it('goes to its writer, and to the list where all are answered', async () => {
    const munged = [ann, 'Reply-To: talk@lists.example', ...list]
    expect(await answered(munged)).toEqual(['ann@example.com'])
    expect(await answered(munged, true)).toEqual(['ann@example.com', 'talk@lists.example'])
    const both = [ann, 'Reply-To: Talk <talk@lists.example>, desk@example.com', ...list]
    expect(await answered(both)).toEqual(['desk@example.com'])
    const via = ['From: Ann via Talk <talk@lists.example>', 'Reply-To: ann@example.com', ...list]
    expect(await answered(via)).toEqual(['ann@example.com'])
    expect(await answered(via, true)).toEqual(['ann@example.com', 'talk@lists.example'])
  })

  it('goes to the list where nobody else is named', async () => {
    const anonymous = ['From: Talk <talk@lists.example>', 'Reply-To: talk@lists.example', ...list]
    expect(await answered(anonymous)).toEqual(['talk@lists.example'])
  })

  it.each([
    ['List-Post', ['List-Post: <mailto:talk@lists.example>']],
    ['its page', ['List-Post: <https://lists.example/g/talk/post>']],
    ['List-Id alone', ['List-Id: Talk <talk.lists.example>']],
    ['a List-Id beneath its domain', ['List-Id: <talk.eu.lists.example>']],
    ['its program', ['Precedence: list', 'Sender: talk-bounces@lists.example']],
    ['its owner', ['X-Google-Group-Id: 1', 'Sender: owner-talk@lists.example']],
  ])(
    'goes to its writer where the list asks for it that %s names, and to the list where all are answered',
    async (_name, fields) => {
      for (const to of ['bo@example.com', 'agent@ours.example', 'talk@lists.example']) {
        const personal = [ann, `To: ${to}`, 'Reply-To: Talk <talk@lists.example>', ...fields]
        expect(await answered(personal)).toEqual(['ann@example.com'])
        const all = await answered(personal, true)
        expect(all.filter((one) => one !== 'bo@example.com')).toEqual([
          'ann@example.com',
          'talk@lists.example',
        ])
      }
    },
  )

  it('goes to its writer where the list asks for it that got the mail, whatever it is called', async () => {
    const mail = [ann, 'To: all@example.org', 'Reply-To: all@example.org', 'List-Id: <x.example>']
    expect(await answered(mail)).toEqual(['ann@example.com'])
    expect(await answered(mail, true)).toEqual(['ann@example.com', 'all@example.org'])
  })

  it('goes where Reply-To says that is not the list', async () => {
    const via = 'From: Ann via Talk <talk@lists.example>'
    const nobody = [ann, 'Reply-To: undisclosed', 'List-Id: <undisclosed.lists.example>', ...list]
    expect(await answered(nobody)).not.toContain('talk@lists.example')
    for (const fields of [
      [ann, 'Reply-To: ann@home.example', ...list],
      [via, 'Reply-To: ann@home.example', 'Cc: ann@home.example', ...list],
      ['From: Shop <news@mail.example>', 'Reply-To: ann@home.example', 'List-Id: <news.home.example>'],
    ])
      expect(await answered(fields)).toEqual(['ann@home.example'])
    const token = 'reply+t0k3n@reply.forge.example'
    const forge = ['From: Ann <notifications@forge.example>', 'To: repo@forge.example', `Reply-To: ${token}`]
    expect(
      await answered([...forge, 'List-Id: <repo.forge.example>', `List-Post: <mailto:${token}>`]),
    ).toEqual([token])
    const news = ['From: Ann <ann@example.com>', 'To: bo@example.com', 'Reply-To: news@shop.example']
    expect(await answered([...news, 'List-Id: <news.shop.example>', 'List-Post: NO'])).toEqual([
      'news@shop.example',
    ])
  })

  it('goes where Reply-To says of mail that came through no list', async () => {
    const plain = [ann, 'To: team@example.com', 'Reply-To: team@example.com']
    expect(await answered(plain)).toEqual(['team@example.com'])
  })
})

describe('detectOrigin on mail of programs', () => {
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

  it.each(
    'رد تلقائي|Автоматичен отговор|Resposta automàtica|Automatická odpověď|Automatisk svar|Αυτόματη απάντηση|Automaatvastus|Erantzun automatikoa|پاسخ خودکار|Automaattinen vastaus|תשובה אוטומטית|स्वचालित प्रत्युत्तर|Automatski odgovor|Automatikus válasz|Balasan otomatis|Risposta automatica|자동 회신|Automatinis atsakymas|Automātiska atbilde|Balasan automatik|Automatisch antwoord|Odpowiedź automatyczna|Răspuns automat|Samodejni odgovor|Аутоматски одговор|Automatiskt svar|ตอบกลับอัตโนมัติ|Otomatik yanıt|Автоматична відповідь|Trả lời tự động|自动答复|自動回覆|Автоматты жауап|Sjálfvirkt svar|Out of Office AutoReply|Autoresponse|Abwesenheitsassistent|Risposta fuori sede'.split(
      '|',
    ),
  )('knows what mail programs put before a subject: %s', async (words) => {
    expect(await originOf([`Subject: ${words}: Offer`, '', 'x'])).toBe('auto-replied auto-reply')
  })

  it.each([
    ['vacation(1)', ['Subject: away from my mail', 'Precedence: bulk'], 'auto-reply'],
    ['Sieve', ['Subject: Auto: Offer', 'Auto-Submitted: auto-replied (vacation)'], 'auto-reply'],
    ['Gmail', ['Subject: Away Re: Offer', 'Precedence: bulk', 'X-Autoreply: yes'], 'auto-reply'],
    ['Notes', ['Subject: AUTO: Ann Lee is out of the office (returning 05/05/2026)'], 'auto-reply'],
    ['Notes in German', ['Subject: AUTO: Ana Lee ist außer Haus (Rückkehr am 05.05.2026)'], 'auto-reply'],
    ['GroupWise', ['Subject: Re: Offer', 'X-Autogenerated: Reply'], 'auto-reply'],
    ['Exchange', ['Return-Path: <>', 'Subject: Gone Offer', 'In-Reply-To: <1@a.example>'], 'auto-reply'],
    ['a rule of Exchange', ['Return-Path: <>', 'X-MS-Exchange-Inbox-Rules-Loop: a@b.example'], 'auto-reply'],
    ['Postfix Admin', ['Subject: Gone', 'X-Loop: Postfix Admin Virtual Vacation'], 'auto-reply'],
    ['FirstClass', ['Subject: Re: Offer', 'X-FC-MachineGenerated: true'], 'auto-reply'],
    ['Yandex', ['Subject: Re: Offer', 'X-Yandex-Autoreply: yes', 'Precedence: bulk'], 'auto-reply'],
    ['MDaemon', ['Subject: Re: Offer', 'X-MDAutoResponder: yes'], 'auto-reply'],
    ['Freshdesk', ['Subject: Ticket Received - Offer', 'Auto-Submitted: auto-replied'], 'auto-reply'],
    ['Zendesk', ['Subject: [Request received] Offer', 'Auto-Submitted: auto-generated'], 'auto-reply'],
    ['ServiceNow', ['Subject: Incident INC001 opened', 'X-ServiceNow-Generated: true'], 'notification'],
    [
      'Jira',
      ['Subject: [JIRA] (A-1)', 'X-JIRA-FingerPrint: a', 'Auto-Submitted: auto-generated'],
      'notification',
    ],
    ['Mailman', ['Subject: Welcome to the "dev" list', 'X-Mailman-Version: 2.1', 'Precedence: list'], 'list'],
    [
      'DMARC',
      ['Subject: [Preview] Report Domain: a.example Submitter: b.example Report-ID: 1'],
      'notification',
    ],
    ['TLS', ['Content-Type: multipart/report; report-type="tlsrpt"; boundary=b'], 'notification'],
  ])('recognises that of %s', async (_, header, reason) => {
    expect((await mail(['From: Ann <ann@example.com>', ...header, '', 'Hello'])).autoReason).toBe(reason)
  })

  it('knows an old assistant of Notes, which speaks of somebody in the subject and of itself in the text', async () => {
    const subject = 'Subject: Ann Lee/Sales/Acme is out of the office.'
    const reported = [subject, '', 'I will be out of the office starting 04/28/2026.']
    expect(await originOf(reported)).toBe('auto-replied auto-reply')
    expect(await originOf([subject, '', 'She asked me to take over.'])).toBe('no null')
  })

  it('takes the answer of a calendar for that of a program, unless somebody wrote something', async () => {
    const answer = (words: string, method: string) => [
      'From: Ann <ann@example.com>',
      'Subject: Accepted: Lunch',
      'Content-Type: multipart/alternative; boundary=b',
      '',
      ...['--b', '', words, '--b', `Content-Type: text/calendar; method=${method}`, ''],
      ...['BEGIN:VCALENDAR', `METHOD:${method}`, 'END:VCALENDAR', '--b--'],
    ]
    expect(await originOf(answer('', 'REPLY'))).toBe('auto-generated notification')
    expect(await originOf(answer('See you there!', 'REPLY'))).toBe('no null')
    expect(await originOf(answer('', 'REQUEST'))).toBe('no null')
  })

  it('recognises what a button of Gmail writes', async () => {
    const reported = ['Subject: unsubscribe', '', 'This message was automatically generated by Gmail.']
    expect(await originOf(reported)).toBe('auto-generated notification')
  })

  it('recognises an absence by subject, words and that it answers', async () => {
    const absence = ['Subject: Out of the office until May 5', 'In-Reply-To: <1@agent.example>', '']
    expect(await originOf([...absence, 'I am currently out of the office.'])).toBe('auto-replied auto-reply')
    expect(await originOf(['Return-Path: <>', ...absence, 'Hi'])).toBe('auto-replied auto-reply')
  })
})

describe('detectOrigin on mail of people', () => {
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
    [['Subject: Auto: new tires', '', 'When?']],
    [['Subject: Auto-reply not working', '', 'My auto-reply does not work.']],
    [['Subject: Abwesenheitsnotiz - wie geht das?', '', 'Hallo']],
    [['Subject: Automatische Antwort einrichten', '', 'Wie geht das?']],
    [['Subject: Réponse automatique dans Outlook ?', '', 'Comment faire ?']],
    [['Subject: Abwesend: Freitag', '', 'Am Freitag bin ich weg.']],
    [['Subject: OOO Friday', '', 'I am out of the office on Friday, please call Bob.']],
    [
      [
        'Subject: Thank you for your message',
        'In-Reply-To: <1@agent.example>',
        '',
        'Thank you for your kind words.',
      ],
    ],
    [['Subject: Re: Offer', 'X-Auto-Reply: no', 'In-Reply-To: <1@agent.example>', '', 'Yes']],
    [['Auto-Submitted: no', 'X-Auto-Response-Suppress: None', 'Subject: Hello', '', 'Hi']],
    [['X-Auto-Response-Suppress: ', 'Subject: Hello', '', 'Hi']],
    [['Subject: Hello', '', 'This message was automatically generated by Bob. Can we turn that off?']],
    [['From: Noreen Replyson <noreen@example.com>', 'Subject: Hi', '', 'Hi']],
  ])('%j', async (lines) => {
    expect(await originOf(lines)).toBe('no null')
  })

  it.skipIf(!hasCorpora)('never takes it for that of programs', async () => {
    for (const { name, raw } of corpusFiles('reply-text/talon/standard_replies', '.eml'))
      expect((await parseMail(raw)).autoSubmitted, name).toBe('no')
  })
})

describe('hostile headers', () => {
  it.each(['out of ', 'auto', '[', 're: ', 'réponse ', '自動'])(
    'takes little time for many %j',
    async (word) => {
      const many = word.repeat(30_000)
      await quickly(2000, () => mail([`Subject: ${many}`, `From: ${many}`, '', many.repeat(10)]))
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

  it('are read with their type, who complained and about which mail (RFC 5965)', async () => {
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

  it.each([
    ['Amazon SES', ['User-Agent: Amazon SES/1.0', 'Source-IP: 54.240.27.1'], []],
    [
      'Yahoo',
      ['User-Agent: Yahoo!-Mail-Feedback/2.0', 'Original-Rcpt-To: bob@there.example'],
      ['bob@there.example'],
    ],
    ['AOL', ['User-Agent: AOL SComp', 'Redacted-Address: redacted@'], []],
    [
      'Microsoft',
      ['User-Agent: Microsoft-JMRP/1.0', 'Original-Rcpt-To: <bob@there.example>'],
      ['bob@there.example'],
    ],
    [
      'Comcast',
      ['User-Agent: ReturnPathFBL/2.0', 'Original-Rcpt-To: rfc822; bob@there.example'],
      ['bob@there.example'],
    ],
  ])('are recognised from %s', async (_, fields, recipients) => {
    const parsed = await complaint(['Feedback-Type: abuse', 'Version: 1', ...fields])
    expect(parsed.complaint).toMatchObject({
      ...{ type: 'abuse', recipients, returned: { messageId: '<sent-1@agent.example>' } },
    })
  })

  it.each([
    ['Outlook.com', 'staff@hotmail.com', ['X-HmXmrOriginalRecipient: bob@there.example']],
    ['Amazon SES', 'complaints@email-abuse.amazonses.com', []],
    ['a person who passes a mail on', 'Ann <ann@example.com>', null],
  ])('are told from what else %s sends', async (_, from, field) => {
    const { complaint } = await mail([
      ...[`From: ${from}`, 'Subject:  complaint about message from 192.0.2.1'],
      ...['Content-Type: multipart/mixed; boundary=b', '', '--b', 'Content-Type: message/rfc822', ''],
      ...[...(field ?? []), 'Message-ID: <sent-1@agent.example>', 'To: bob@there.example', '', 'x', '--b--'],
    ])
    const recipients = field?.length ? ['bob@there.example'] : []
    const returned = { messageId: '<sent-1@agent.example>' }
    expect(complaint).toEqual(field && expect.objectContaining({ type: 'abuse', recipients }))
    if (field) expect(complaint).toMatchObject({ returned })
  })

  const inner = [
    ...['Content-Type: multipart/report; report-type=feedback-report; boundary=i', '', '--i', '', 'Somebody'],
    ...['--i', 'Content-Type: message/feedback-report', '', 'Feedback-Type: abuse', 'Version: 1', '--i'],
    ...['Content-Type: message/rfc822', '', 'Message-ID: <sent-1@agent.example>', '', 'x', '--i--'],
  ]
  const wrapped = (head: string[], parts: string[]) =>
    mail([
      ...head,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      ...parts,
      '--b',
      '',
      'bye',
      '--b--',
    ])
  const enclosed = ['', 'Please see below', '--b', 'Content-Type: message/rfc822', '', ...inner]
  const loose = ['', 'Look', '--b', 'Content-Type: message/feedback-report', '', 'Feedback-Type: abuse']

  it.each([
    ['a list with its footer', ['From: fbl@isp.example', 'Subject: FW: Offer'], inner],
    ['a desk, the report within', ['From: abuse@host.example', 'Subject: Case 1'], enclosed],
    ['a program, the report within', ['Return-Path: <>', 'From: x@host.example'], enclosed],
    ['a provider without the form', ['From: x@isp.example', 'Subject: Spam'], loose],
  ])('are found where %s wraps them', async (_, head, parts) => {
    const { autoReason, complaint } = await wrapped(head, parts)
    expect([autoReason, complaint?.type]).toEqual(['complaint', 'abuse'])
    if (parts !== loose) expect(complaint?.returned?.messageId).toBe('<sent-1@agent.example>')
  })

  it.each([
    ['as a mail', ['Subject: What is this?'], enclosed],
    ['in parts', ['Subject: Fwd: Complaint'], loose],
    ['in parts of an answer', ['In-Reply-To: <x@example.com>'], loose],
  ])('are not what a person passes on %s', async (_, head, parts) => {
    const { autoReason, complaint } = await wrapped(['From: Ann <ann@example.com>', ...head], parts)
    expect([autoReason, complaint]).toEqual([null, null])
  })

  it('are the mail by which Apple takes somebody off a list', async () => {
    const parsed = await mail([
      'From: Bob <bob@there.example>',
      'X-Apple-Unsubscribe: true',
      '',
      'Unsubscribe',
    ])
    expect(parsed.complaint).toMatchObject({ type: 'opt-out', recipients: ['bob@there.example'] })
  })

  it('of an unknown type are of the type other', async () => {
    expect((await complaint(['Feedback-Type: <script>'])).complaint?.type).toBe('other')
  })
})

describe('notices of Amazon SES', () => {
  const about = {
    source: 'agent@agent.example',
    destination: ['bob@there.example'],
    headers: [{ name: 'Message-ID', value: '<sent-1@agent.example>' }],
    commonHeaders: { subject: 'Offer', messageId: '<0100@email.amazonses.com>' },
  }
  const notice = (json: string, footer = ['', '--', 'If you wish to stop receiving notifications']) =>
    mail(['From: no-reply@sns.amazonaws.com', 'X-Amz-Sns-Message-Id: 1', '', json, ...footer])
  const bounced = (bounceType: string) => ({
    notificationType: 'Bounce',
    bounce: {
      bounceType,
      bouncedRecipients: [
        { emailAddress: 'bob@there.example', status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 unknown' },
      ],
    },
    mail: about,
  })
  const returned = { messageId: '<sent-1@agent.example>', from: 'agent@agent.example', subject: 'Offer' }

  it.each([
    ['Permanent', 'hard'],
    ['Transient', 'soft'],
  ])('tell of a bounce that is %s', async (type, kind) => {
    const { bounce, autoReason } = await notice(JSON.stringify(bounced(type)))
    expect(autoReason).toBe('bounce')
    expect(bounce).toMatchObject({
      recipients: [
        {
          address: 'bob@there.example',
          action: 'failed',
          kind,
          status: '5.1.1',
          diagnostic: '550 5.1.1 unknown',
        },
      ],
      returned,
    })
  })

  it('tell of a complaint, in an envelope of SNS and with lines that a relay broke', async () => {
    const reported = {
      eventType: 'Complaint',
      complaint: { complainedRecipients: [{ emailAddress: 'bob@there.example' }] },
      mail: about,
    }
    const json = JSON.stringify({ Type: 'Notification', Message: JSON.stringify(reported) })
    const { complaint } = await notice(`${json.slice(0, 60)}!\r\n ${json.slice(60)}`)
    expect(complaint).toMatchObject({ type: 'abuse', recipients: ['bob@there.example'], returned })
  })

  it.each(['{"notificationType":"Delivery"}', '{"notificationType":"Bounce"', 'null', 'Hello', '[1]'])(
    'are none in %s',
    async (json) => {
      const { bounce, complaint } = await notice(json)
      expect([bounce, complaint]).toEqual([null, null])
    },
  )
})
