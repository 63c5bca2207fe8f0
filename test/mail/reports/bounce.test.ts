import { describe, expect, it } from 'vitest'
import { parseMail } from '../../../src/mail/parse'
import { bytesOf, quickly } from '../../support/timing'
import { corpusFiles, corpusText, hasCorpora } from '../corpora'

const mail = (lines: string[]) => parseMail(bytesOf(lines.join('\r\n')))
const returned = [
  'Received: from agent.example by mx.example; Mon, 2 Nov 2026 10:00:00 +0000',
  'Message-ID: <sent-1@agent.example>',
  'From: agent@agent.example',
  'To: Bob <bob@there.example>',
  'Subject: Offer',
  '',
  'Hello Bob',
]

const report = (status: string[], words = ['Your mail was not delivered.']) => [
  'Return-Path: <>',
  'From: Mail Delivery System <MAILER-DAEMON@mx.example>',
  'To: agent@agent.example',
  'Subject: Undelivered Mail Returned to Sender',
  'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  ...words,
  '--b',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.example',
  '',
  ...status,
  '--b',
  'Content-Type: message/rfc822',
  '',
  ...returned,
  '--b--',
]

describe('bounces by the book (RFC 3464)', () => {
  it('tell of each recipient what became of the mail, and which mail', async () => {
    const parsed = await mail(
      report([
        'Original-Recipient: rfc822;bob@there.example',
        'Final-Recipient: rfc822; b.smith@inside.there.example',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1 <b.smith>: User',
        ' unknown',
        '',
        'Final-Recipient: rfc822; full@there.example',
        'Action: failed',
        'Status: 5.2.2',
        '',
        'Final-Recipient: rfc822; slow@there.example',
        'Action: delayed',
        'Status: 4.4.1',
        '',
        'Final-Recipient: rfc822; fine@there.example',
        'Action: relayed',
        'Status: 2.1.5',
      ]),
    )
    expect(parsed).toMatchObject({ autoSubmitted: 'auto-replied', autoReason: 'bounce', complaint: null })
    expect(parsed.bounce).toEqual({
      recipients: [
        {
          address: 'bob@there.example',
          action: 'failed',
          kind: 'hard',
          status: '5.1.1',
          diagnostic: '550 5.1.1 <b.smith>: User unknown',
        },
        { address: 'full@there.example', action: 'failed', kind: 'soft', status: '5.2.2', diagnostic: null },
        { address: 'slow@there.example', action: 'delayed', kind: 'soft', status: '4.4.1', diagnostic: null },
        {
          address: 'fine@there.example',
          action: 'delivered',
          kind: 'soft',
          status: '2.1.5',
          diagnostic: null,
        },
      ],
      returned: {
        messageId: '<sent-1@agent.example>',
        from: 'agent@agent.example',
        to: ['bob@there.example'],
        subject: 'Offer',
      },
    })
  })

  it('are taken for a receipt where nothing failed', async () => {
    const parsed = await mail(
      report(['Final-Recipient: rfc822; bob@there.example', 'Action: delivered', 'Status: 2.0.0']),
    )
    expect(parsed).toMatchObject({ bounce: null, autoReason: 'receipt', autoSubmitted: 'auto-replied' })
  })

  it('are read from within a mail only where a machine sent it', async () => {
    const inner = report(['Final-Recipient: rfc822; bob@there.example', 'Action: failed', 'Status: 5.1.1'])
    const wrapped = (from: string, subject: string) => [
      `From: ${from}`,
      `Subject: ${subject}`,
      'Content-Type: multipart/mixed; boundary=o',
      '',
      '--o',
      'Content-Type: message/rfc822',
      '',
      ...inner,
      '--o--',
    ]
    const scanned = await mail(wrapped('postmaster@mx.example', 'Undeliverable: Offer'))
    expect(scanned.bounce?.recipients).toMatchObject([{ address: 'bob@there.example' }])
    const asked = await mail(wrapped('Ann <ann@example.com>', 'Undeliverable mail, what is this?'))
    expect(asked).toMatchObject({ bounce: null, autoSubmitted: 'no' })
  })

  it('name those who help others only where nobody else is meant', async () => {
    const said = (...lines: string[]) =>
      mail(['From: MAILER-DAEMON@mx.example', 'Subject: Undelivered mail', 'Return-Path: <>', '', ...lines])
    const addresses = async (...lines: string[]) =>
      (await said('Your mail could not be delivered:', '', ...lines)).bounce?.recipients.map(
        (one) => one.address,
      )
    const failed = '550 5.1.1 user unknown'
    expect(await addresses(`<support@there.example>: ${failed}`)).toEqual(['support@there.example'])
    expect(await addresses('helpdesk@there.example', failed)).toEqual(['helpdesk@there.example'])
    expect(await addresses('bob@there.example', failed, '', 'Ask:', 'support@mx.example')).toEqual([
      'bob@there.example',
    ])
  })

  it.each([
    ['5.1.1', '550 5.1.1 unknown', 'hard'],
    ['5.1.2', '550 no such domain', 'hard'],
    ['5.2.1', '550 disabled', 'hard'],
    ['5.7.1', '550 5.7.1 your network is on our block list', 'soft'],
    ['5.7.26', '550 5.7.26 unauthenticated mail is prohibited', 'soft'],
    ['5.4.300', '550 5.4.300 message expired', 'soft'],
    ['5.2.3', '552 5.2.3 too large', 'soft'],
    ['5.0.0', '554 rejected as spam', 'soft'],
    ['5.0.0', '550 blocked: user unknown', 'hard'],
    ['5.0.0', '550 Requested action not taken', 'soft'],
    ['5.0.0', '550 Requested action not taken: mailbox unavailable', 'hard'],
    ['5.1.1', '550 5.1.1 sent to too many recipients this hour', 'soft'],
    ['5.1.1', '550 5.1.1 Sender verify failed: no such user', 'soft'],
    ['5.1.2', '550 5.1.2 DNS lookup failed, try again', 'soft'],
    ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied', 'hard'],
    ['5.7.1', '550 5.7.1 Recipient address rejected: Access denied', 'soft'],
    ['4.0.0', "DNS type 'mx' lookup of there.example responded with code NXDOMAIN", 'hard'],
    ['5.0.0', '554 Too many hops', 'soft'],
    ['5.2.0', '550 User unknown@policy.spam.example unknown', 'hard'],
    ['', '550 Mailbox not found', 'hard'],
    ['', '554 Denied by policy', 'soft'],
  ])(
    'tell an address that takes no mail from a mail that was not wanted: %s %s',
    async (status, said, kind) => {
      const { bounce } = await mail(
        report([
          'Final-Recipient: rfc822; bob@there.example',
          ...['Action: failed', `Status: ${status}`, `Diagnostic-Code: smtp; ${said}`],
        ]),
      )
      expect(bounce?.recipients).toMatchObject([{ action: 'failed', kind }])
    },
  )
})

describe('bounces in words', () => {
  const inWords = (head: string[], body: string[]) => mail([...head, '', ...body, '', ...returned])

  it('have addresses at the beginning of lines, each with its reason', async () => {
    const { bounce } = await inWords(
      ['From: MAILER-DAEMON@mx.example', 'Subject: failure notice'],
      [
        'I was not able to deliver your message to these addresses. Write to <help@mx.example>.',
        '',
        '<bob@there.example>:',
        'Remote host said: 550 5.1.1 no such user',
        '',
        '<eve@there.example>:',
        'Remote host said: 452 4.2.2 mailbox full',
        '',
        '--- Below this line is a copy of the message.',
      ],
    )
    expect(bounce?.recipients).toMatchObject([
      { address: 'bob@there.example', kind: 'hard', status: '5.1.1', action: 'failed' },
      { address: 'eve@there.example', kind: 'soft', status: '4.2.2', action: 'failed' },
    ])
    expect(bounce?.returned?.messageId).toBe('<sent-1@agent.example>')
  })

  it('are told from warnings', async () => {
    const { bounce } = await inWords(
      ['From: Mail Delivery System <postmaster@mx.example>', 'Subject: Warning: message delayed 4 hours'],
      [
        'Your message has not yet been delivered to:',
        '  bob@there.example',
        'We will keep trying for 3 days.',
      ],
    )
    expect(bounce?.recipients).toMatchObject([
      { address: 'bob@there.example', action: 'delayed', kind: 'soft' },
    ])
  })

  it('name the address that was sent to, not where it was forwarded', async () => {
    const { bounce } = await inWords(
      ['From: Mailer-Daemon@mx.example', 'Subject: Mail delivery failed'],
      [
        'The following address failed:',
        '  bob.private@elsewhere.example',
        '    (generated from bob@there.example)',
        '    550 no',
      ],
    )
    expect(bounce?.recipients.map((one) => one.address)).toEqual(['bob@there.example'])
  })

  it.each([
    [
      'From: postmaster@firma.example',
      'Subject: Unzustellbar: Angebot',
      'Ihre Nachricht konnte nicht zugestellt werden:',
    ],
    [
      'From: postmaster@societe.example',
      'Subject: Échec de la remise',
      "Votre message n'a pas pu être remis à :",
    ],
    [
      'From: postmaster@kaisha.example',
      'Subject: 配信エラー',
      '次のあて先へのメッセージは送信できませんでした。',
    ],
    ['From: MAILER-DAEMON@pochta.example', 'Subject: Ошибка', 'Ваше письмо не может быть доставлено:'],
  ])('are read from %s', async (from, subject, words) => {
    const { bounce } = await inWords([from, subject], [words, 'bob@there.example'])
    expect(bounce?.recipients).toMatchObject([{ address: 'bob@there.example', action: 'failed' }])
  })

  it.each([
    ['Subject: Undeliverable?', 'X-Tag: asks'],
    ['Subject: Delivery problem', 'X-Tag: tells'],
  ])('are not taken from a person who tells of one in words: %s', async (subject, other) => {
    const reported = 'My mail to bob@there.example came back: 550 5.1.1 user unknown. What now?'
    const { bounce, autoSubmitted } = await mail([
      'From: Ann <ann@example.com>',
      subject,
      other,
      '',
      reported,
    ])
    expect([bounce, autoSubmitted]).toEqual([null, 'no'])
  })

  it('in words alone are read in languages of many countries', async () => {
    const reported = [
      'Το μήνυμά σας δεν παραδόθηκε',
      'Ваше повідомлення не вдалося доставити',
      'Съобщението не е доставено',
      'Vaša poruka nije isporučena',
      'Mesajul nu a putut fi livrat',
      'Az üzenetet nem sikerült kézbesíteni',
      'Teie kirja ei õnnestunud edastada',
      'Nepavyko pristatyti laiško',
      'ההודעה לא נמסרה',
      'تعذر تسليم رسالتك',
      'Không gửi được thư của bạn',
      'ส่งอีเมลไม่สำเร็จ',
      'Pesan gagal dikirim',
    ]
    for (const words of reported) {
      const { bounce } = await mail([
        'Return-Path: <>',
        'From: Postmaster <postmaster@there.example>',
        'To: agent@agent.example',
        `Subject: ${words}`,
        'Content-Type: text/plain; charset=utf-8',
        '',
        `${words}:`,
        '',
        'bob@there.example',
      ])
      expect(bounce?.recipients, words).toMatchObject([
        { address: 'bob@there.example', action: 'failed', kind: 'soft' },
      ])
    }
  })

  it.each([
    '550 5.1.1 A kézbesítés nem sikerült: a postafiók megtelt',
    '550 5.1.1 Το γραμματοκιβώτιο είναι γεμάτο',
    '550 5.1.1 Το γραμματοκιβώτιο είναι πλήρες',
    '550 5.1.1 صندوق البريد ممتلئ',
    '550 5.1.1 Cutia poștală este plină',
    '550 5.1.1 Pastkaste ir pilna',
    '550 5.1.1 Квота превышена',
    '550 5.1.1 квота перевищена',
    '550 5.1.1 Destinatarul nu este disponibil momentan',
    '550 5.1.1 Serverul este ocupat, vom încerca din nou',
    '550 5.1.1 Alamat tidak tersedia untuk sementara',
    '550 5.2.1 The user you are trying to contact is receiving mail too quickly',
    '550 5.7.1 Recipient not found on the allow list',
    '550 5.0.0 User account is disabled for sending policy',
  ])('do not say that an address is gone where it may take mail later: %s', async (reply) => {
    const { bounce } = await mail([
      'Return-Path: <>',
      'From: Postmaster <postmaster@there.example>',
      'Subject: Undeliverable',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Your mail could not be delivered:',
      '',
      `<bob@there.example>: ${reply}`,
    ])
    expect(bounce?.recipients).toMatchObject([{ address: 'bob@there.example', kind: 'soft' }])
  })

  it('are not taken from a postmaster who answers', async () => {
    const answer = ['From: Postmaster Jim <postmaster@example.com>', 'Subject: Re: mail problem']
    const words = 'Your mail to bob@there.example was rejected since the mailbox is full. He cleaned it up.'
    const { bounce } = await mail([...answer, 'In-Reply-To: <1@agent.example>', '', words])
    expect(bounce).toBeNull()
  })

  it('are recognised by an empty envelope sender alone', async () => {
    const notice = bytesOf('Subject: Your message\r\n\r\nbob@there.example: 550 5.1.1 no such user\r\n')
    expect((await parseMail(notice)).bounce).toBeNull()
    expect((await parseMail(notice, {}, 'a@there.example')).bounce).toBeNull()
    expect((await parseMail(notice, {}, '')).bounce?.recipients).toMatchObject([{ status: '5.1.1' }])
  })

  it.each([
    [
      'Delivery failed for order 4411',
      ['We could not deliver your parcel to 12 Mill Road. We try again tomorrow.'],
    ],
    ['Delivery failed for order 441', ['Order 441 could not be delivered: the address was not found.']],
    [
      'Delivery status of your order',
      ['Your order has been returned to sender.', 'Ask service@shop.example.'],
    ],
    ['Delivery problem', ['The courier was unable to deliver order 550, at 499 EUR. Call us.']],
    ['Zustellung fehlgeschlagen: Sendung 4411', ['Ihr Paket konnte nicht zugestellt werden.']],
  ])('are not taken from a shop with an empty envelope sender: %s', async (subject, words) => {
    const head = ['Return-Path: <>', 'From: Shop <no-reply@shop.example>', 'To: agent@agent.example']
    const { bounce } = await mail([...head, `Subject: ${subject}`, '', ...words])
    expect(bounce).toBeNull()
  })

  it('are recognised by an empty envelope sender, whoever it says wrote it, with the reply of a server', async () => {
    const head = ['Return-Path: <>', 'From: Post <post@there.example>', 'To: agent@agent.example']
    const words = ['Your mail was not delivered:', '', '<bob@there.example>: 550 no such user']
    const { bounce } = await mail([...head, 'Subject: Delivery failed', '', ...words])
    expect(bounce?.recipients).toMatchObject([{ address: 'bob@there.example', kind: 'hard' }])
  })

  it('say that a mailbox is full where the reason stands above the address', async () => {
    const { bounce } = await inWords(
      ['From: Mail Administrator <postmaster@mx.example>', 'Subject: Mail System Error - Returned Mail'],
      ["The user's account is temporarily over quota.", '', '<bob@there.example>', '', 'Please reply to us.'],
    )
    expect(bounce?.recipients).toMatchObject([{ address: 'bob@there.example', kind: 'soft' }])
  })

  it.each([
    ['Subject: Re: Undelivered Mail Returned to Sender', 'In-Reply-To: <1@agent.example>'],
    ['Subject: Fwd: failure notice', 'X-Tag: forwarded'],
    ['Subject: Your mail could not be delivered', 'User-Agent: Mozilla Thunderbird'],
    ['Subject: Lunch', 'Message-ID: <2@example.com>'],
  ])('are not taken from a person: %s', async (subject, other) => {
    const parsed = await inWords(
      ['From: Ann <ann@example.com>', subject, other],
      ['I got this: mail could not be delivered,', '<bob@there.example>: 550 5.1.1 no such user. Any idea?'],
    )
    expect(parsed).toMatchObject({ bounce: null, autoSubmitted: 'no', autoReason: null })
  })
})

describe('hostile reports', () => {
  const head = ['From: MAILER-DAEMON@mx.example', 'Subject: failure notice', '']
  it.each([
    [
      'addresses',
      [...head, ...Array.from({ length: 20_000 }, (_, i) => `<a${i}@there.example>: 550 5.1.1 no`)],
    ],
    ['one long line', [...head, `undeliverable ${'a@b.'.repeat(250_000)}`]],
    ['dashes', [...head, 'could not be delivered', '- '.repeat(500_000)]],
    ['dots and digits', [...head, 'could not be delivered', '5.1.'.repeat(250_000)]],
    ['header fields', [...head, ...Array.from({ length: 5_000 }, (_, i) => `To: a${i}@there.example`)]],
    [
      'groups',
      report(Array.from({ length: 20_000 }, (_, i) => `Final-Recipient: rfc822; a${i}@b.example\r\n`)),
    ],
    ['subject', ['From: MAILER-DAEMON@mx.example', `Subject: ${'delivery '.repeat(20_000)}`, '', 'x']],
  ])('take little time for many %s', async (_, lines) => {
    const result = await quickly(2000, () => mail(lines))
    expect(result.bounce?.recipients.length ?? 0).toBeLessThanOrEqual(200)
  })
})

describe.skipIf(!hasCorpora)('bounces of many servers', () => {
  it('of flufl are recognised, with whom they name', async () => {
    const expected = JSON.parse(corpusText('bounces/flufl/expected.json') ?? '{}') as Record<
      string,
      { recipients: string[]; temporary: boolean }
    >
    const tally = { count: 0, recognised: 0, named: 0, classed: 0 }
    for (const { name, raw } of corpusFiles('bounces/flufl', '.txt')) {
      const wanted = expected[name]
      if (!wanted) continue
      tally.count++
      const { bounce } = await parseMail(raw)
      if (!bounce) continue
      const named = bounce.recipients.map((one) => one.address.toLowerCase()).sort()
      tally.recognised++
      if (
        named.join() ===
        wanted.recipients
          .map((one) => one.toLowerCase())
          .sort()
          .join()
      )
        tally.named++
      if (bounce.recipients.some(({ action }) => action === 'delayed') === wanted.temporary) tally.classed++
    }
    expect(tally.recognised / tally.count).toBeGreaterThan(0.97)
    expect(tally.named / tally.count).toBeGreaterThan(0.93)
    expect(tally.classed / tally.count).toBeGreaterThan(0.96)
  })

  it('of Sisimai are recognised, with complaints and auto-replies', async () => {
    const tally = { bounces: 0, recognised: 0, named: 0 }
    for (const { name, raw } of corpusFiles('bounces/sisimai', '.eml')) {
      const parsed = await parseMail(raw)
      if (name.startsWith('arf')) expect(parsed.autoReason, name).toBe('complaint')
      else if (name.startsWith('rfc3834')) expect(parsed.autoReason, name).toBe('auto-reply')
      else {
        tally.bounces++
        if (parsed.bounce) tally.recognised++
        if (parsed.bounce?.recipients.some(({ action }) => action !== 'delivered')) tally.named++
      }
    }
    expect(tally.recognised / tally.bounces).toBeGreaterThan(0.97)
    expect(tally.named / tally.bounces).toBeGreaterThan(0.96)
  })
})
