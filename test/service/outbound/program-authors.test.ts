import { expect, it } from 'vitest'
import { openService } from '../../support/service'

const zendesk = { 'X-Zendesk-From-Account-Id': '1', 'Auto-Submitted': 'auto-generated' }
const github = { 'X-GitHub-Sender': 'someone', 'X-GitHub-Reason': 'mention', Precedence: 'list' }

it.each([
  ['the name of an agent', 'Ann (Shop)', 'Bo (Shop)', 'help@zendesk.com', zendesk],
  ['the name of a commenter', 'Ann Lee', 'Bo Ek', 'notifications@github.com', github],
])('counts automatic answers by %s with the sender, across threads', async (_, ann, bo, address, headers) => {
  await using service = await openService()
  let count = 0
  const received = async (name: string, from = address) => {
    await service.mail({
      from: { name, address: from },
      subject: `Topic ${++count}`,
      text: `Is ${count} fine?`,
      headers,
    })
    return (await service.call('GET', '/messages?direction=inbound&limit=1')).body.messages[0]
  }
  const reply = ({ id }: { id: string }) =>
    service.call('POST', `/messages/${id}/reply`, { body: { text: `Answer ${id}` } })

  const threads = new Set<string>()
  for (let i = 0; i < 5; i++) {
    const message = await received(ann)
    threads.add(message.thread_id)
    expect(message).toMatchObject({ unanswerable: null, via: { author_addr: null } })
    expect(message.via.author_name).toBe(ann.replace(' (Shop)', ''))
    expect((await reply(message)).status).toBe(200)
  }
  expect(threads.size).toBe(5)
  expect((await received(ann)).unanswerable).toBe('mail_loop')
  expect((await received(bo)).unanswerable).toBeNull()
  expect((await received(ann, `other-${address}`)).unanswerable).toBeNull()
})
