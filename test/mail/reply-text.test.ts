import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { htmlToText } from '../../src/mail/html-to-text'
import { parseMail } from '../../src/mail/parse'
import { extractReplyText, splitReply } from '../../src/mail/reply-text'
import { corpusFiles, corpusText, hasCorpora } from './corpora'
import { timed } from './timing'

const QUOTED = '\n\n> Can you come?\n> Ann\n'

describe('extractReplyText', () => {
  const introductions = [
    'On Mon, Apr 2, 2012 at 6:26 PM, Ann Example <ann@example.com> wrote:',
    'On Mon, Apr 2, 2012 at 6:26 PM, Ann Example\n<ann@example.com>\nwrote:',
    'Am 02.04.2012 um 18:26 schrieb Ann Example <ann@example.com>:',
    'Am Mo., 2. Apr. 2012 um 18:26 Uhr schrieb Ann Example <\nann@example.com>:',
    'Le lun. 2 avr. 2012 à 18:26, Ann Example <ann@example.com> a écrit :',
    'El lun, 2 abr 2012 a las 18:26, Ann Example (<ann@example.com>) escribió:',
    'Il giorno lun 2 apr 2012 alle ore 18:26 Ann Example <ann@example.com> ha scritto:',
    'Em seg., 2 de abr. de 2012 às 18:26, Ann Example <ann@example.com> escreveu:',
    'Op ma 2 apr. 2012 om 18:26 schreef Ann Example <ann@example.com>:',
    'Den mån 2 apr. 2012 kl 18:26 skrev Ann Example <ann@example.com>:',
    'Den man. 2. apr. 2012 kl. 18.26 skrev Ann Example <ann@example.com>:',
    'man. 2. apr. 2012 kl. 18:26 skrev Ann Example <ann@example.com>:',
    'pon., 2 kwi 2012 o 18:26 Ann Example <ann@example.com> napisał(a):',
    'W dniu 02.04.2012 o 18:26, Ann Example pisze:',
    'пн, 2 апр. 2012 г. в 18:26, Ann Example <ann@example.com>:',
    '02.04.2012 18:26, Ann Example пишет:',
    '2012年4月2日(月) 18:26 Ann Example <ann@example.com>:',
    '2012年4月2日 18:26、Ann Example <ann@example.com>のメール:',
    'Ann Example <ann@example.com> 于2012年4月2日周一 18:26写道：',
    '在 2012年4月2日，下午6:26，Ann Example <ann@example.com> 写道：',
  ]
  for (const introduction of introductions) {
    it(`cuts at "${introduction.slice(0, 60)}"`, () => {
      expect(extractReplyText(`Yes, at eight.\n\n${introduction}${QUOTED}`)).toBe('Yes, at eight.')
      expect(extractReplyText(`Yes, at eight.\n\n${introduction}\n\nCan you come?\nAnn`)).toBe(
        'Yes, at eight.',
      )
    })
  }

  const headerBlocks = [
    'From: Ann <ann@example.com>\nSent: Monday, 2 April 2012 18:26\nTo: Bob\nSubject: Hi',
    '*Von:* Ann [mailto:ann@example.com]\n*Gesendet:* Montag, 2. April 2012 18:26\n*An:* Bob\n*Betreff:* Hi',
    'De : Ann <ann@example.com>\nEnvoyé : lundi 2 avril 2012 18:26\nÀ : Bob\nObjet : Hi',
    'De: Ann\nEnviado el: lunes, 2 de abril de 2012\nPara: Bob\nAsunto: Hi',
    'Da: Ann\nInviato: lunedì 2 aprile 2012\nA: Bob\nOggetto: Hi',
    'Van: Ann\nVerzonden: maandag 2 april 2012\nAan: Bob\nOnderwerp: Hi',
    'Från: Ann\nSkickat: den 2 april 2012\nTill: Bob\nÄmne: Hi',
    'Fra: Ann\nSendt: 2. april 2012\nTil: Bob\nEmne: Hi',
    'Od: Ann\nWysłano: 2 kwietnia 2012\nDo: Bob\nTemat: Hi',
    'От: Ann\nОтправлено: 2 апреля 2012 г.\nКому: Bob\nТема: Hi',
    '差出人: Ann\n送信日時: 2012年4月2日\n宛先: Bob\n件名: Hi',
    '发件人: Ann\n发送时间: 2012年4月2日\n收件人: Bob\n主题: Hi',
    '-----Original Message-----\nFrom: Ann',
    '-----Ursprüngliche Nachricht-----\nVon: Ann',
    '________________________________\nFrom: Ann <ann@example.com>\nDate: Monday\nSubject: Hi\nTo: Bob',
  ]
  for (const block of headerBlocks) {
    it(`cuts at the header block "${block.slice(0, 30).replace('\n', ' ')}"`, () => {
      expect(extractReplyText(`Yes.\n\n${block}\n\nCan you come?`)).toBe('Yes.')
    })
  }

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
      expect(splitReply(`Yes.\n\n${signature}${QUOTED}`)).toEqual({ reply: 'Yes.', signature })
      expect(extractReplyText(`Yes.${QUOTED}\n${signature}`)).toBe('Yes.')
    }
  })

  it('keeps sentences that look like signatures or introductions', () => {
    const texts = [
      'Hi\n\nSent from my desk, is much easier than my phone.',
      'On 2 hosts you can run:\n\n  telnet 127.0.0.1',
      'From: Paris\nTo: London\nDate: 5 May 2026',
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
    colons: 'a1:\n\n'.repeat(100_000),
    spaces: `${' '.repeat(400)}1:\n`.repeat(2500),
    verbs: `On 10:10 ${'wrote '.repeat(70)}:\nx\n`.repeat(2000),
  }
  for (const [name, text] of Object.entries(hostile)) {
    it(`takes no time for ${name}`, async () => {
      expect((await timed(() => extractReplyText(text))).ms).toBeLessThan(1500)
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
