import { expect, it } from 'vitest'
import { claimed, type TestAccount } from '../../support/accounts'
import { describeDatabases } from '../../support/databases'
import { JumpClock } from '../../support/jump-clock'
import { createMarks, findMarks, type Marks } from '../../support/marks'
import { perBlock, useService } from '../../support/use-service'
import type { Received } from '../webhooks/support/endpoint'
import { startHooked } from '../webhooks/support/hooked'

const hourMs = 3_600_000

/** Every place of a mail that a stranger writes, each with a word of its own. */
function markedMail(of: (place: string) => string, padding: string): string {
  const html = `<p title="${of('html attribute')}">${of('html')}</p>`
  return [
    `From: ${of('sender name')} <${of('sender')}@example.com>`,
    `To: ${of('recipient name')} <${of('recipient')}@example.net>`,
    `Cc: ${of('copy name')} <${of('copy')}@example.net>`,
    `Reply-To: ${of('reply-to')}@example.com`,
    `Subject: ${of('subject')}`,
    `Message-ID: <${of('message-id')}@example.com>`,
    `References: <${of('reference')}@example.com>`,
    `X-Note: ${of('header')}`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b\r\nContent-Type: multipart/alternative; boundary=c\r\n',
    `--c\r\nContent-Type: text/plain\r\n\r\n${of('text')} ${padding}\r\n`,
    `--c\r\nContent-Type: text/html\r\n\r\n${html}\r\n--c--`,
    `--b\r\nContent-Type: text/x-log; name=${of('file name')}\r\nContent-ID: <${of('content-id')}@x>`,
    `Content-Disposition: attachment; filename=${of('file name')}\r\n\r\n${of('file')}\r\n--b--\r\n`,
  ].join('\r\n')
}

/** Makes what it is added to too large for its row. */
const padding = ' padding'.repeat(10_000)

const file = (filename: string, content: string) => ({
  filename,
  content_base64: Buffer.from(content).toString('base64'),
})

/**
 * The marks that go with each thing that is erased; the rest of the account stays. That a send was made is known by
 * its `client_id` as long as the account.
 */
const erasures = {
  message: /^lone mail /,
  thread: /^(mail|reply) (?!send id)/,
  draft: /^draft /,
  inbox: /^(lone mail|mail|reply|draft|inbox) (?!send id)/,
  account: /^/,
} as const
type Erased = keyof typeof erasures

describeDatabases('erasure of words that are nowhere else', (openDatabase) => {
  const clock = new JumpClock()
  const { service, database } = useService(
    openDatabase,
    (options) => startHooked(options, { clock }),
    perBlock,
  )

  /** Writes words wherever an account can be made to keep some. */
  async function fill(account: TestAccount, { of }: Marks) {
    const post = async (path: string, body: object) => {
      const answer = await account.call('POST', path, { body })
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
      return answer.body
    }
    const endpoint = await service.endpoint((response, { body }: Received) => {
      const place = ['lone mail subject', 'mail subject', 'draft subject', 'inbox name'].find((one) =>
        body.includes(of(one)),
      )
      response.end(place ? of(place.replace(/ \w+$/, ' webhook answer')) : 'heard')
    })
    const { id: hook } = await post('/webhooks', {
      url: `${endpoint.url}/${of('account hook')}`,
      events: ['*'],
    })
    const inbox = await post('/inboxes', { name: of('inbox name'), client_id: of('inbox client id') })
    const received = async (kind: string, padding: string) => {
      const raw = markedMail((place) => of(`${kind} ${place}`), padding)
      const envelope = { from: `${of(`${kind} envelope`)}@example.com`, to: inbox.address }
      await service.mail({ raw, envelope })
      const found = await account.call('GET', `/messages?q=${of(`${kind} text`)}`)
      expect(found.body.messages).toMatchObject([{ subject: of(`${kind} subject`) }])
      return found.body.messages[0]
    }
    const lone = await received('lone mail', padding)
    const mail = await received('mail', '')
    const attached = (kind: string) => [
      file(of(`${kind} file name`), of(`${kind} file`) + padding),
      file('small.txt', of(`${kind} small file`)),
    ]
    await post(`/messages/${mail.id}/reply`, {
      text: of('reply text'),
      html: `<p>${of('reply html')}</p>`,
      cc: [`${of('reply copy')}@example.net`],
      bcc: [`${of('reply blind copy')}@example.net`],
      attachments: attached('reply'),
      client_id: of('reply send id'),
    })
    const draft = await post('/drafts', {
      inbox_id: inbox.id,
      to: [`${of('draft recipient')}@example.com`],
      subject: of('draft first subject'),
      text: of('draft text'),
      html: of('draft html'),
      attachments: attached('draft'),
    })
    await account.call('PATCH', `/drafts/${draft.id}`, { body: { subject: of('draft subject') } })
    const label = await post('/labels', { name: of('account label') })
    for (const { id } of [lone, mail]) await post(`/labels/${label.id}/assign`, { message_id: id })
    await post('/consumers', { name: of('account consumer') })
    await post('/consumers', { name: of('inbox consumer'), inbox_id: inbox.id })
    for (const name of [of('account consumer'), of('inbox consumer')])
      await post(`/consumers/${name}/lease`, { max: 9 })
    await post('/lists', { pattern: `${of('account list')}@example.org` })
    await post('/suppressions', { address: `${of('account suppressed')}@example.org` })
    await account.call('POST', `/uploads?filename=${of('account upload name')}`, {
      body: of('account upload') + padding,
      headers: { 'content-type': 'text/plain' },
    })
    await service.service.keys.create({
      account_id: account.tenantId,
      name: of('account key'),
      scopes: ['read'],
    })
    await expect
      .poll(async () => {
        const { body } = await account.call('GET', `/webhooks/${hook}/deliveries?limit=100`)
        return body.deliveries.every((one: { status: string }) => one.status === 'delivered')
      })
      .toBe(true)
    return {
      account: account.tenantId,
      inbox: inbox.id,
      thread: mail.thread_id,
      message: lone.id,
      draft: draft.id,
    }
  }

  async function erase(account: TestAccount, erased: Erased, id: string): Promise<void> {
    if (erased === 'account') return void (await service.service.admin.erase(id))
    const path = erased === 'inbox' ? 'inboxes' : `${erased}s`
    expect((await account.call('DELETE', `/${path}/${id}`)).status).toBe(204)
  }

  it.each(Object.keys(erasures) as Erased[])(
    'of the %s leaves none of its own, and all others',
    async (erased) => {
      const marks = createMarks()
      const account = await claimed(service, database.options, { at: clock.now(), plan: 'unlimited' })
      const made = await fill(account, marks)
      const find = () => findMarks(marks, database.options)
      expect(Object.keys(await find())).toEqual(marks.places)
      await erase(account, erased, made[erased])
      const left = marks.places.filter((place) => !erasures[erased].test(place))
      let jumps = 0
      await expect
        .poll(
          async () => {
            if (jumps++ < 6) clock.jump(hourMs / 3)
            const found = await find()
            return Object.entries(found).filter(([place]) => !left.includes(place))
          },
          { interval: 100 },
        )
        .toEqual([])
      expect(Object.keys(await find())).toEqual(left)
    },
  )
})
