import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToText } from '../../../src/mail/html/html-to-text'
import { parseMail } from '../../../src/mail/parse'
import { extractReplyText, splitReply } from '../../../src/mail/text/reply-text'
import { quickly } from '../../support/timing'
import { corpusFiles, corpusText, hasCorpora } from '../corpora'
import { htmlReplies } from './html-replies'
import { forwards, reported, signedPages, written } from './reply-classes'
import * as clients from './reply-clients'
import {
  announcedCards,
  deviceLines,
  devicesInClauses,
  disclaimers,
  headerBlocks,
  introductions,
  linesSpokenOf,
  persons,
} from './reply-variants'

const quotedMails = '\n\n> Can you come?\n> Ann\n'

describe('extractReplyText', () => {
  const answer = 'Yes, at eight.'
  const asked = 'Can you come?\nAnn'

  for (const introduction of introductions)
    it(`cuts at "${introduction.slice(0, 60)}"`, () => {
      expect(extractReplyText(`${answer}\n\n${introduction}${quotedMails}`)).toBe(answer)
      expect(extractReplyText(`${answer}\n\n${introduction}\n\n${asked}`)).toBe(answer)
      expect(extractReplyText(`${answer}\n\n> ${introduction}\n> \n> Can you come?\n`)).toBe(answer)
      expect(extractReplyText(`${introduction}\n> Can you come?\n> Ann\n\n${answer}\n`)).toBe(answer)
    })

  for (const [name, texts] of Object.entries(written))
    it(`leaves out ${name}`, () => {
      for (const { text, wanted } of texts) expect(extractReplyText(text), text).toBe(wanted)
    })

  it('leaves out what HTML names as the signature', () => {
    for (const { text, wanted } of signedPages) expect(extractReplyText(htmlToText(text)), text).toBe(wanted)
    const own = '<div class="signature">Hello</div><div class="gmail_signature_prefix">there</div>'
    expect(htmlToText(own)).toBe('Hello\nthere')
  })

  it('keeps what is forwarded, with what stands above and below it', async () => {
    for (const { subject, text } of forwards) {
      const fields = `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=\r\nContent-Type: text/plain; charset=utf-8`
      const { replyText } = await parseMail(new TextEncoder().encode(`${fields}\r\n\r\n${text}`))
      expect(replyText, `${subject}\n${text}`).toBe(text)
    }
  })

  it('takes "VS:" for an answer in Finnish', async () => {
    const text = 'Kyllä.\n\n-----Alkuperäinen viesti-----\nLähettäjä: Ann\nAihe: Tarjous\n\nTuletko?'
    const mail = `Subject: VS: Tarjous\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`
    expect((await parseMail(new TextEncoder().encode(mail))).replyText).toBe('Kyllä.')
  })

  it('takes words of a person about lists, lines and phones for theirs', () => {
    for (const text of [
      'I would like to reply above this line item.\nIs that fine?',
      'Three things:\n\n---\nThe list is long.\n---\n\nAnd so on.',
      'Please unsubscribe me.\n\nAnn',
      'It was typed on a machine, and I like it.',
      '> Do you want it?\nYes\n> And when?\nTomorrow',
      'Meet me on 2 Nov at 10:00\n\nBob wrote that it works.',
      'Dear all,\n\nOn 2 November we meet at 9:41 in room 4. Ann wrote the agenda:\n\n1. Money\n2. Time',
      'It prints\n\n>> cout <<\n\nand stops.',
      'Choose one:\n\n-----\nThe Old House\n+ 1,000,000 for the garden\n\nI like it.',
      'The tables:\n\n-----\nRed Green\n20 30\n-----',
      'Ann left a comment on the wall, I think.',
      'Nov 2 is fine.\n\nOr Nov 3 at 10:00, ask bob@example.com',
      ...announcedCards,
      ...devicesInClauses,
      ...linesSpokenOf,
    ])
      expect(extractReplyText(text)).toBe(text)
  })

  it('keeps what persons tell of letters, forms and files, whatever it reads like', () => {
    for (const one of reported) expect(extractReplyText(one)).toBe(one)
  })

  it('cuts at an introduction in several lines', () => {
    const broken = [
      'On Mon, Apr 2, 2012 at 6:26 PM, Ann Example\n<ann@example.com>\nwrote:',
      'Am Mo., 2. Apr. 2012 um 18:26 Uhr schrieb Ann Example <\nann@example.com>:',
      'ut 3. 4. 2012 o 16:19 Ann\n<ann@example.com> napísal(a):',
      'Ann Example <ann@example.com> schrieb am\nDi., 3. Apr. 2012, 16:19:',
      'Ann <ann@example.com>, 3 Nis 2012 Sal,\n16:19 tarihinde şunu yazdı:',
    ]
    for (const introduction of broken) {
      expect(extractReplyText(`${answer}\n\n${introduction}${quotedMails}`), introduction).toBe(answer)
      expect(extractReplyText(`${answer}\n\n${introduction}\n\n${asked}`), introduction).toBe(answer)
      const above = 'Call me at 10:30 or write to bob@example.com'
      expect(extractReplyText(`${above}\n${introduction.split('\n').join(' ')}${quotedMails}`)).toBe(above)
    }
  })

  for (const block of headerBlocks)
    it(`cuts at the header block "${block.slice(0, 50).replace('\n', ' ')}"`, () => {
      expect(extractReplyText(`${answer}\n\n${block}\n\n${asked}`)).toBe(answer)
    })

  it('cuts where what is quoted stands in the line of its introduction', () => {
    const line = '  On Mon, Jan 5, 2026 at 3:04 PM, Ana Example<ana@example.com> wrote:   Can you come? Ann'
    expect(extractReplyText(`${answer}\n\n${line}   `)).toBe(answer)
    const own = 'On Monday at 10:30 Ana <ana@example.com> wrote: "come". I did.'
    expect(extractReplyText(`${answer}\n\n${own}`)).toBe(`${answer}\n\n${own}`)
  })

  it('cuts at "Original Message" without dashes above a header block', () => {
    const below = 'From: Ana\nSent: Monday, January 5, 2026 3:04 PM\nTo: Bo\nSubject: Hi\n\nCan you come?'
    expect(extractReplyText(`${answer}\n\n  Original Message  \n${below}`)).toBe(answer)
    const own = '  Original Message\nis what the column is called.'
    expect(extractReplyText(`${answer}\n\n${own}`)).toBe(`${answer}\n\n${own}`)
  })

  it('drops what devices, programs and lawyers add', () => {
    for (const added of [...deviceLines, ...disclaimers]) {
      expect(extractReplyText(`${answer}\n\n${added}\n`), added).toBe(answer)
      expect(
        extractReplyText(`${answer}\n\n${added}\n\nOn 3 April 2012 16:19, Ann wrote:\n> Hi`),
        added,
      ).toBe(answer)
    }
    const all = `${answer}\n\n-- \nBob\n\n${disclaimers.join('\n\n')}\n`
    expect(extractReplyText(all)).toBe(answer)
    expect(extractReplyText(disclaimers[0]!)).toBe(disclaimers[0])
  })

  for (const [program, html] of Object.entries(htmlReplies))
    it(`splits the HTML of ${program}`, () => {
      const reply = extractReplyText(htmlToText(html)).replace(/\s+/g, ' ')
      expect(reply).toBe('Hi. I am fine. Thanks, Alex')
    })

  it.each([
    ['GroupWise', '>>> Ann Lee <ann@example.com> 18.11.2026 09:05 >>>\n\nCan you come?\n\nAnn'],
    [
      'Yandex',
      '----------------\nКому: Bob (bob@example.com);\nТема: Ужин;\n18.11.2026, 09:05, "Ann" <ann@example.com>:\n> Can you come?',
    ],
    [
      'Zimbra',
      '----------\n> From: "Ann" <ann@example.com>\n> Sent: Wednesday, November 18, 2026\n>\n> Can you come?',
    ],
  ])('leaves nothing of what %s puts above a quote', (_, quoted) => {
    expect(extractReplyText(`Yes.\n\n${quoted}\n`)).toBe('Yes.')
    expect(extractReplyText(`The plan:\n----------\nTo: Rome\nTea\n\n${quoted}\n`)).toBe(
      'The plan:\n----------\nTo: Rome\nTea',
    )
  })

  it.each(clients.clientIntroductions)(
    'cuts at %j, with and without what stands above it',
    (introduction) => {
      const { answer, asked } = clients
      const quoted = asked.replace(/^/gm, '> ')
      const below = [`${introduction}\n\n${quoted}`, `${introduction}\n\n${asked}`]
      for (const above of ['', 'Sent from my iPhone\n\n', '-- \nBob Lee\nAcme\n+44 20 1234567\n\n'])
        for (const end of below) expect(extractReplyText(`${answer}\n\n${above}${end}\n`)).toBe(answer)
    },
  )

  it.each(Object.entries(clients.clientPages))('splits the HTML of %s', (_, page) => {
    const reply = extractReplyText(htmlToText(page))
    expect(reply.replace(/\s+/g, ' ')).toBe(clients.answer.replace(/\s+/g, ' '))
  })

  it('drops signatures', () => {
    const signatures = [
      '-- \nBob\n+1 555',
      'Sent from my iPhone',
      'Von meinem iPhone gesendet',
      'Envoyé de mon iPhone',
    ]
    const more = [
      'Enviado desde mi iPhone',
      'Inviato da iPhone',
      '发自我的iPhone',
      'iPhoneから送信',
      'Отправлено с iPhone',
    ]
    const outlook = [
      'Get Outlook for iOS<https://aka.ms/o0ukef>',
      '________________________________\nlist footer',
    ]
    for (const signature of [...signatures, ...more, ...outlook]) {
      expect(splitReply(`Yes.\n\n${signature}${quotedMails}`)).toEqual({ reply: 'Yes.', signature })
      expect(extractReplyText(`Yes.${quotedMails}\n${signature}`)).toBe('Yes.')
    }
  })

  it('keeps sentences that look like signatures or introductions', () => {
    const texts = [
      ...persons,
      'Here is a fix -- this is no signature.\n\nBye',
      'The list:\n- one\n- two',
      '>From the desk of Ann',
    ]
    for (const text of texts) expect(extractReplyText(text)).toBe(text)
  })

  it('keeps answers between quoted lines with their quotes', () => {
    const inline = '> Do you like it?\n\nYes.\n\n> And this?\n\nNo.'
    expect(extractReplyText(`On 2 Apr 2012, Ann wrote:\n${inline}\n\n> Ann`)).toContain(inline)
    expect(extractReplyText('> Do you like it?\nYes.')).toBe('> Do you like it?\nYes.')
  })

  it('finds the answer below the quote', () => {
    expect(extractReplyText('On 2 Apr 2012 at 10:00, Ann wrote:\n> Hi\n\nHello')).toBe('Hello')
  })

  it('gives a forwarded mail whole', () => {
    const forwarded =
      'Please see below.\n\n---------- Forwarded message ----------\nFrom: Ann <a@b.c>\n\nText'
    expect(extractReplyText(forwarded)).toBe(forwarded)
    const outlook = 'FYI\n\nFrom: Ann <a@example.com>\nSent: Monday\nTo: Bob\nSubject: Hi\n\nText'
    expect(extractReplyText(outlook, { isForward: true })).toBe(outlook)
  })

  it('gives the whole text rather than nothing', () => {
    for (const text of ['> only\n> a quote', 'Sent from my iPhone', '-- \nBob', '']) {
      expect(extractReplyText(text)).toBe(text)
    }
  })

  it('never throws and gives a part of the text', () => {
    const line = fc.constantFrom(
      '> a',
      'b',
      '',
      '-- ',
      'On 2 Apr 2012, Ann wrote:',
      'From: a@b.c',
      'To: x',
      'Subject: y',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
        const text = lines.join('\n')
        const reply = extractReplyText(text)
        expect(text.replace(/\r\n?/g, '\n')).toContain(reply.split('\n')[0])
        expect(reply === '').toBe(text.trim() === '')
      }),
    )
  })

  const hostile: Record<string, string> = {
    'On On On': 'On '.repeat(50_000),
    'many beginnings': 'On 2020 \n'.repeat(50_000),
    'many introductions': 'On Monday 10:10 wrote:\n'.repeat(40_000),
    '1 MB of quotes': '> hello there\n'.repeat(75_000),
    '1 MB of >': '>'.repeat(1_000_000),
    '1 MB in a line': 'a'.repeat(1_000_000),
    'empty lines': '\n'.repeat(500_000),
    'signatures and quotes': '-- \nx\n> q\n'.repeat(50_000),
    labels: 'From: a@b\nTo: b\nx\n'.repeat(30_000),
    rules: `${'_'.repeat(400)}x\n`.repeat(2000),
    'quotes and answers': 'a\n> b\n'.repeat(100_000),
    'labels below rules': `hi\n${'-----\nTo: a\n'.repeat(60_000)}On 2026-01-01 10:00, a@b.c wrote:\n> x`,
    'marks of GroupWise': '>>> a 10:00 >>>\n'.repeat(60_000),
    colons: 'a1:\n\n'.repeat(100_000),
    spaces: `${' '.repeat(400)}1:\n`.repeat(2500),
    disclaimers: `confidential intended recipient ${'in error '.repeat(200)}\n\n`.repeat(500),
    'half a disclaimer': 'this e-mail is confidential and '.repeat(30_000),
    'lines of desks': `${'## reply above this '.repeat(7)}\n\n`.repeat(6000),
    'wrapped quotes': `> ${'a'.repeat(70)}\nrest\n\n`.repeat(12_000),
    'beginnings over empty lines': 'On 2 Nov 2026 10:00:\n\n'.repeat(40_000),
    'rules and lists': '---\nunsubscribe\n'.repeat(60_000),
    'fences and delimiters': `${'```\n-- \n'.repeat(40_000)}`,
    'marks of initials': `On 2 Nov 2026 10:00, ${'Ann '.repeat(100)} wrote:\n${'AL> x\n'.repeat(60_000)}`,
    verbs: `On 10:10 ${'wrote '.repeat(70)}:\nx\n`.repeat(2000),
  }
  for (const [name, text] of Object.entries(hostile)) {
    it(`takes little time for ${name}`, async () => {
      await quickly(1500, () => extractReplyText(text))
    })
  }
})

describe.skipIf(!hasCorpora)('extractReplyText on talon', () => {
  const folded = (text: string) => text.replace(/\s+/g, ' ').trim()

  for (const { name, raw } of corpusFiles('reply-text/talon/standard_replies', '.eml')) {
    it(`splits ${name}`, async () => {
      const expected =
        corpusText(`reply-text/talon/standard_replies/${name.replace('.eml', '_reply_text')}`) ?? 'Hello'
      const { reply, signature } = splitReply((await parseMail(raw)).text)
      // talon counts the signature to the reply.
      expect(folded(`${reply} ${signature}`)).toBe(folded(expected))
      expect(reply).toBe('Hello')
    })
  }

  for (const { name, raw } of corpusFiles('reply-text/talon/html_replies', '.html')) {
    it(`splits ${name}`, () => {
      const reply = extractReplyText(htmlToText(new TextDecoder().decode(raw)))
      expect(folded(reply)).toBe('Hi. I am fine. Thanks, Alex')
    })
  }
})
