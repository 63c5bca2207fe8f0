import { expect, it } from 'vitest'
import { distanceOf } from '../../../src/service/search/spelling'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

it('counts letters that differ, and two adjacent ones in another order as one', () => {
  expect(distanceOf('receiv', 'reciev', 2)).toBe(1)
  expect(distanceOf('acount', 'account', 2)).toBe(1)
  expect(distanceOf('kitten', 'sitting', 2)).toBe(3)
  expect(distanceOf('same', 'same', 2)).toBe(0)
  expect(distanceOf('a', 'abcd', 2)).toBe(3)
})

describeDatabases('words of a query', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  type Message = { subject: string; highlights?: { snippet: { text: string; hit: boolean }[] } }
  const search = async (q: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ q, mode: 'keyword', limit: '50', highlight: 'true', ...more })
    return (await service.call('GET', `/messages?${query}`)).body as {
      messages: Message[]
      warnings: { column: number; message: string }[]
    }
  }
  const subjectsOf = async (q: string, more?: Record<string, string>) =>
    (await search(q, more)).messages.map(({ subject }) => subject)
  const hitsOf = ({ highlights }: Message) =>
    highlights!.snippet.filter(({ hit }) => hit).map(({ text }) => text)

  it('also find messages with related words, behind those with the word itself', async () => {
    await service.mail({ subject: 'T', text: 'truck truck truck' })
    await service.mail({ subject: 'L', text: `The lorry. ${'Some other words follow it. '.repeat(60)}` })
    expect(await subjectsOf('lorry')).toEqual(['L', 'T'])
    const { messages } = await search('lorry')
    expect(messages.map(hitsOf)).toEqual([['lorry'], ['truck', 'truck', 'truck']])
    for (const q of ['"lorry"', '+lorry', 'lorry*', 'subject:lorry', 'truck -lorry'])
      expect(await subjectsOf(q), q).not.toContain(q.startsWith('truck') ? 'L' : 'T')
    expect(await subjectsOf('lorry', { order: 'desc' })).toEqual(['L'])
    // As the best of several, not their sum.
    await service.mail({ subject: 'Both', text: 'truck van trailer' })
    await service.mail({ subject: 'One', text: 'truck x1 x2' })
    const found = await subjectsOf('lorry')
    expect(found.indexOf('L')).toBe(0)
  })

  it('are corrected if no message has them, and the warnings say so', async () => {
    await service.mail({ subject: 'Received', text: 'We received the accommodation voucher.' })
    expect(await search('recieved')).toMatchObject({
      messages: [{ subject: 'Received' }],
      warnings: [{ column: 1, message: 'No message has “recieved”: “received” counts instead.' }],
    })
    const { messages } = await search('the acommodation')
    expect(messages[0]!.subject).toBe('Received')
    expect(hitsOf(messages[0]!)).toContain('accommodation')
    for (const q of ['"recieved"', '+recieved', 'recieved*', 'subject:recieved'])
      expect(await subjectsOf(q), q).toEqual([])
    expect(await subjectsOf('recieved', { order: 'desc' })).toEqual([])
    expect(await search('xqzzyvoucher 48151')).toMatchObject({
      warnings: [
        { column: 1, message: 'No message has “xqzzyvoucher”.' },
        { column: 14, message: 'No message has “48151”.' },
      ],
    })
  })

  it('are named in no warning if they are common in a language', async () => {
    await service.mail({ subject: 'Ledger', text: 'ledger' })
    for (const q of ['ledger whether or from them', 'ledger und nicht avec'])
      expect((await search(q)).warnings.map(({ message }) => message)).toEqual(
        q.includes('whether') ? ['No message has “whether”.'] : [],
      )
  })

  it('count half in quoted text', async () => {
    const quoted = ['Thank you.', '', 'On Monday, Ann wrote:', '> The gasket is leaking.'].join('\n')
    await service.mail({ subject: 'Re: Quoted', text: quoted })
    await service.mail({ subject: 'Written', text: 'Thank you. On Monday, Ann said: the gasket is leaking.' })
    expect(await subjectsOf('gasket')).toEqual(['Written', 'Re: Quoted'])
  })

  it.each(['keyword', 'semantic', 'hybrid'])(
    'put the only message that has one first, in %s mode',
    async (mode) => {
      const word = `only${mode}`
      for (let i = 0; i < 12; i++)
        await service.mail({ subject: `Pump ${mode}`, text: 'pump valve filter pump valve filter' })
      await service.mail({
        subject: 'Alone',
        text: `${word} ${'and many other words of the pump. '.repeat(80)}`,
      })
      expect((await subjectsOf(`pump valve filter ${word}`, { mode }))[0]).toBe('Alone')
    },
  )
})
