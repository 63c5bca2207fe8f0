import type { SendMailOptions } from 'nodemailer'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { useService } from '../../support/use-service'
import { pdfOf, zipOf } from '../extraction/support/files'

interface Found {
  id: string
  subject: string
  highlights: { files: { attachment_id: string; filename: string; page: number; snippet: Piece[] }[] }
}
interface Piece {
  text: string
  hit: boolean
}

const hitsOf = (pieces: readonly Piece[]) => pieces.filter(({ hit }) => hit).map(({ text }) => text)

describeDatabases('a search for words in files', (openDatabase) => {
  const { service } = useService(openDatabase, openService)
  const find = async (q: string, key?: string): Promise<Found[]> => {
    const query = new URLSearchParams({ q, highlight: 'true' })
    return (await service.call('GET', `/messages?${query}`, { key })).body.messages
  }
  const subjectsOf = async (q: string) => (await find(q)).map(({ subject }) => subject)
  const send = async (subject: string, attachments: SendMailOptions['attachments'], to?: string) => {
    await service.mail({ subject, text: 'See the file.', attachments, ...(to && { to }) })
    const path = '/messages?direction=inbound&limit=1'
    await expect
      .poll(async () => (await service.call('GET', path)).body.messages[0].attachments[0].text_status)
      .toBe('ready')
    return (await service.call('GET', path)).body.messages[0]
  }
  const letter = (text: string) => ({ filename: 'letter.txt', content: text })

  it('finds their message, and says in which file and on which page', async () => {
    // Indexed before its files are read, or after.
    const content = pdfOf([[[50, 700, 'terms of delivery']], [[50, 700, 'a crate of quinces']]])
    const { id, attachments } = await send('Order', [letter('apples only'), { filename: 'a.pdf', content }])
    await expect.poll(() => subjectsOf('quince')).toEqual(['Order'])
    const [found] = await find('quince')
    expect(found).toMatchObject({
      ...{ id, highlights: { files: [{ attachment_id: attachments[1].id, filename: 'a.pdf', page: 2 }] } },
    })
    expect(found!.highlights.files).toHaveLength(1)
    expect(hitsOf(found!.highlights.files[0]!.snippet)).toEqual(['quinces'])
    for (const q of ['"crate of quinces"', 'quinc*', '+quinces +apples', 'quinces filename:a.pdf'])
      expect(await subjectsOf(q), q).toEqual(['Order'])
    for (const q of ['"apples a crate"', 'subject:quinces', 'filename:quinces', '+quinces -apples'])
      expect(await subjectsOf(q), q).toEqual([])
    expect(await subjectsOf('has:attachment apples')).toEqual(['Order'])
    expect((await find('order'))[0]!.highlights.files).toEqual([])
  })

  it('finds files within files once they were read', async () => {
    const archive = { filename: 'all.zip', content: zipOf({ 'note.txt': 'medlars in a jar' }) }
    const { attachments } = await send('Archive', [archive])
    const { body } = await service.call('GET', `/attachments/${attachments[0].id}/text`)
    await service.call('GET', `/attachments/${body.attachments[0].id}/text`)
    await expect.poll(() => subjectsOf('medlars')).toEqual(['Archive'])
    expect((await find('medlars'))[0]!.highlights.files).toMatchObject([
      { attachment_id: body.attachments[0].id, filename: 'note.txt', page: 1 },
    ])
  })

  it('ranks a message about a word before one with a file that repeats it', async () => {
    await send('Long file', [letter('sloes '.repeat(5_000))])
    await service.mail({ subject: 'Harvest', text: 'We pick sloes in October.' })
    await expect.poll(async () => (await subjectsOf('sloes')).toSorted()).toEqual(['Harvest', 'Long file'])
    expect((await subjectsOf('sloes'))[0]).toBe('Harvest')
  })

  it('reads a file up to a limit', async () => {
    await send('Novel', [letter(`rowan ${'leaf '.repeat(10_000)} hawthorn`)])
    await expect.poll(() => subjectsOf('rowan')).toEqual(['Novel'])
    expect(await subjectsOf('hawthorn')).toEqual([])
  })

  it('forgets a file with its message', async () => {
    const { id } = await send('Gone', [letter('elderberries')])
    await expect.poll(() => subjectsOf('elderberries')).toEqual(['Gone'])
    await service.call('DELETE', `/messages/${id}`)
    expect(await find('elderberries')).toEqual([])
  })

  it('tells a key of one inbox nothing of the files of another', async () => {
    const { body: inbox } = await service.call('POST', '/inboxes', { body: {} })
    const { api_key: key } = await service.service.keys.create({
      ...{ account_id: service.home.tenantId, name: 'limited', inbox_id: inbox.id },
      scopes: ['read'],
    })
    expect(key).toEqual(expect.any(String))
    const told = async () => {
      const { body } = await service.call(
        'GET',
        `/messages?${new URLSearchParams({ q: 'damsons', highlight: 'true' })}`,
        { key },
      )
      return body
    }
    const before = await told()
    expect(before.messages).toEqual([])
    await send('Secret', [letter('damsons')])
    await expect.poll(() => subjectsOf('damsons')).toEqual(['Secret'])
    expect(await told()).toEqual(before)
  })
})
