import { describe, expect, it } from 'vitest'
import { findCodes } from '../../../src/mail/codes'
import { findLinks } from '../../../src/mail/links'
import { extractReplyText } from '../../../src/mail/text/reply-text'
import { captions } from './captions'
import { codePhrases, codeShapes } from './codes'
import { datesAndVerbs, introductions } from './introductions'
import { refusals } from './refusals'

const codesIn = (subject: string, text: string) => findCodes(subject, text).map(({ code }) => code)

describe('one-time codes of any shape', () => {
  it.each(Object.entries(codePhrases))('are found in the language %s', (_, [subject, above, inline]) => {
    for (const [written, code] of codeShapes) {
      expect([written, ...codesIn('Shop', inline.replace('§', written))]).toEqual([written, code])
      expect([written, ...codesIn('Shop', `${above}\n\n${written}\n\nShop`)]).toEqual([written, code])
      expect([written, ...codesIn(subject, `Hello\n\n${written}\n\nShop`)]).toEqual([written, code])
    }
  })

  it('are found with their positions', () => {
    for (const written of ['4 8 2 9 1 3', '48-29-13', '[4] [8] [2] [9]', '| W | X | K | Q |']) {
      const text = `Your code:\n\n${written}\n`
      const [found] = findCodes('', text)
      expect(text.slice(found!.offset, found!.offset + found!.length)).toBe(written.replace(/^\W+|\W+$/g, ''))
    }
  })
})

describe('captions of links', () => {
  it.each(Object.entries(captions))('give the kind %s in many languages', (kind, lines) => {
    for (const line of lines.trim().split('\n'))
      for (const caption of line.split(':')[1]!.split('|')) {
        const html = `<p>Hello</p><p><a href="https://t.example/x/8f2a">${caption}</a></p>`
        expect([caption, ...findLinks('', html, 't.example').map((link) => link.kind)]).toEqual([
          caption,
          kind,
        ])
      }
  })

  it.each(refusals)('give none in: %s', (text) => {
    expect(findLinks(text, null, 'a.example')).toEqual([])
  })
})

describe('introductions over several lines', () => {
  it.each(Object.entries(datesAndVerbs))(
    'are no words of the reply in the language %s',
    (_, [date, verb]) => {
      for (const form of introductions)
        for (const quote of ['> Can you?\n> Bob', '\n> Can you?\n> Bob', '> Can you?']) {
          const introduction = form.replace('DATE', date).replace('VERB', verb)
          expect([introduction, extractReplyText(`Yes.\n\n${introduction}\n${quote}`)]).toEqual([
            introduction,
            'Yes.',
          ])
        }
    },
  )
})
