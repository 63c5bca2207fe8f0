import { Mailbox, type Message } from 'restante'
import { expect, it } from 'vitest'
import {
  automaticMails,
  noticeMails,
  type ProgramMail,
  personsMails,
  programMailBytes,
} from '../../mail/program-mails'
import { openService } from '../../support/service'

it('gives loops the messages of persons who write through programs, and none of automatic ones', async () => {
  await using real = await openService()
  const { service, home, call } = real
  const sent = await call('POST', '/messages', {
    body: { inbox_id: home.inboxId, to: ['bo@there.example'], subject: 'Order 17', text: 'Hi' },
  })
  const ids = new Map<string, ProgramMail>()
  const receive = async (mail: ProgramMail) => {
    const bytes = programMailBytes(mail, home.address, sent.body.message_id)
    const envelope = { mailFrom: 'relay@relay.example', recipients: [home.address] }
    await service.receive({ ...envelope, remoteAddress: '127.0.0.1', heloName: '[127.0.0.1]' }, bytes)
    const { body } = await call('GET', '/messages?direction=inbound&limit=1')
    ids.set(body.messages[0].id, mail)
    return body.messages[0]
  }
  for (const mail of personsMails) {
    const { auto_submitted, unanswerable, via } = await receive(mail)
    const author = via?.author_addr ?? via?.author_name ?? null
    expect([
      mail.name,
      auto_submitted,
      unanswerable,
      via?.program ?? null,
      via?.kind ?? null,
      author,
    ]).toEqual([...[mail.name, 'no', null, mail.program, mail.kind, mail.author]])
  }
  for (const mail of automaticMails) {
    const { auto_submitted, unanswerable, via } = await receive(mail)
    expect([mail.name, auto_submitted === 'no', unanswerable, via]).toEqual([
      mail.name,
      false,
      'automatic',
      null,
    ])
  }
  for (const mail of noticeMails) {
    const { auto_submitted, unanswerable, via } = await receive(mail)
    expect([mail.name, auto_submitted === 'no', unanswerable, via]).toEqual([mail.name, false, null, null])
  }
  const last: ProgramMail = {
    name: 'last',
    source: '',
    head: ['From: z@z.example', 'Subject: Last'],
    body: 'Last',
  }
  await receive(last)

  const mailbox = await Mailbox.open({ service })
  const got: Message[] = []
  for await (const message of mailbox.incoming({ consumer: 'bot', from: 'start' })) {
    got.push(message)
    if (got.length > personsMails.length + noticeMails.length) break
  }
  await mailbox.close()
  const found = (automatic: boolean) =>
    got.filter((message) => message.automatic === automatic).map(({ id }) => ids.get(id)?.name)
  expect(found(false).toSorted()).toEqual([...personsMails, last].map(({ name }) => name).toSorted())
  expect(found(true).toSorted()).toEqual(noticeMails.map(({ name }) => name).toSorted())
  expect([personsMails.length, automaticMails.length]).toEqual([60, 60])
})
