import { expect, it } from 'vitest'
import { describeDatabases } from '../../support/databases'
import { openService } from '../../support/service'
import { perBlock, useService } from '../../support/use-service'

interface Mail {
  messageId: string
  from: string
  subject: string
  inReplyTo?: string
  references?: string[]
  headers?: Record<string, string>
  cc?: string[]
}

/** The same numbers for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

function shuffled<T>(list: readonly T[], next: (below: number) => number): T[] {
  const rest = [...list]
  return list.map(() => rest.splice(next(rest.length), 1)[0]!)
}

/**
 * A tree: every mail answers one before it. Everybody writes to the inbox alone, so that only ids say what belongs
 * together; half of the answers name their parent alone.
 */
function conversation(name: string, size: number, next: (below: number) => number, list?: string): Mail[] {
  const mails: (Mail & { way: string[] })[] = []
  for (let at = 0; at < size; at++) {
    const parent = mails[next(mails.length)]
    const way = parent ? [...parent.way, parent.messageId] : []
    mails.push({
      messageId: `<${name}.${at}@example.com>`,
      from: `p${next(5)}@${name}.example`,
      subject: parent ? `Re: Plans of ${name}` : `Plans of ${name}`,
      ...(parent && { inReplyTo: parent.messageId }),
      ...(parent && next(2) === 0 && { references: way }),
      ...(list !== undefined && { headers: { 'List-Id': `<${list}>` } }),
      way,
    })
  }
  return mails.map(({ way: _, ...mail }) => mail)
}

/** A tree in which the subject changes, and everybody writes to all: the people show what belongs together. */
const amongPeople = (name: string, size: number, next: (below: number) => number): Mail[] =>
  conversation(name, size, next).map((mail) => ({
    ...mail,
    subject: `${mail.inReplyTo ? 'Re: ' : ''}${name} ${next(3)}`,
    cc: [0, 1, 2, 3, 4].map((at) => `p${at}@${name}.example`),
  }))

let runs = 0

describeDatabases('the order in which mail arrives', (openDatabase) => {
  const { service } = useService(openDatabase, openService, perBlock)
  const write = (mail: Mail) => service.mail({ text: `I am ${mail.messageId}`, ...mail })
  const placesOf = async (mails: readonly Mail[]) => {
    const places = new Map<string, string>()
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await service.call('GET', `/messages?limit=100${cursor && `&cursor=${cursor}`}`)
      for (const one of body.messages) places.set(one.rfc822_message_id, one.thread_id)
      cursor = body.next_cursor
    }
    const ids = mails.map(({ messageId }) => places.get(messageId)!)
    return ids.map((id) => ids.indexOf(id))
  }
  const inOrder = async (mails: readonly Mail[]) => {
    for (const mail of mails) await write(mail)
    return placesOf(mails)
  }
  const fresh = (name: string) => `${name}${++runs}`

  it.each([1, 2, 3, 4, 5, 6])('decides nothing of what belongs together (%i)', async (seed) => {
    const next = numbers(seed)
    const sizes = [2, 3, 5, 8, 6]
    const known = sizes.map((size) => conversation(fresh('c'), size, next))
    known.push(conversation(fresh('l'), 6, next, 'talk.example.com'))
    known.push(amongPeople(fresh('t'), 7, next))
    const mails = known.flat()
    const order = shuffled(mails, next)
    // Some come alone, some are written down together.
    while (order.length > 0) await Promise.all(order.splice(0, 1 + next(4)).map(write))
    const places = await placesOf(mails)
    const expected = known.flatMap((one, at) => {
      const before = known.slice(0, at).flat().length
      return one.map(() => before)
    })
    expect(places).toEqual(expected)
  })

  it('decides nothing where the newest comes first, as in an import', async () => {
    const mails = conversation(fresh('n'), 12, numbers(9))
    expect(new Set(await inOrder([...mails].reverse()))).toEqual(new Set([0]))
  })

  it('keeps apart what a late parent of another subject is named by', async () => {
    const name = fresh('s')
    const parent = `<${name}@example.com>`
    const answer = (who: string, subject: string): Mail => ({
      messageId: `<${name}.${who}@example.com>`,
      from: `${who}@${who}.example`,
      subject,
      inReplyTo: parent,
    })
    const late: Mail = { messageId: parent, from: 'dee@dee.example', subject: 'Rates' }
    const answers = [
      answer('eli', 'Prices (was: Rates)'),
      answer('ann', 'Re: Rates'),
      answer('bob', 'Re: Rooms'),
      answer('cy', 'AW: [hotel] Rates'),
    ]
    expect(await inOrder([...answers, late])).toEqual([0, 0, 2, 0, 0])
  })

  it('keeps apart answers without a subject', async () => {
    const name = fresh('e')
    const answer = (who: string): Mail => ({
      ...{ messageId: `<${name}.${who}@example.com>`, from: `${who}@${who}.example`, subject: '' },
      inReplyTo: `<${name}@example.com>`,
    })
    const late: Mail = { messageId: `<${name}@example.com>`, from: 'dee@dee.example', subject: '' }
    expect(await inOrder([answer('ann'), answer('bob'), late])).toEqual([0, 1, 0])
  })

  it('joins no thread of a participant with one whose id he only names', async () => {
    const name = fresh('j')
    const [victim, bait, late] = ['victim', 'bait', 'late'].map((one) => `<${name}.${one}@example.com>`)
    const places = await inOrder([
      { messageId: victim!, from: 'ann@ann.example', subject: 'Invoice' },
      { messageId: bait!, from: 'eve@eve.example', subject: 'Hello', inReplyTo: late! },
      { messageId: late!, from: 'eve@eve.example', subject: 'Hello', inReplyTo: victim! },
    ])
    expect(places).toEqual([0, 1, 1])
  })

  it('marks a late parent whose sender had no part in the thread of what it answers', async () => {
    const name = fresh('m')
    const [first, answer, late] = ['first', 'answer', 'late'].map((one) => `<${name}.${one}@example.com>`)
    const mails: Mail[] = [
      { messageId: first!, from: 'ann@ann.example', subject: 'Invoice' },
      { messageId: answer!, from: 'eve@eve.example', subject: 'Re: Invoice', inReplyTo: late! },
      { messageId: late!, from: 'eve@eve.example', subject: 'Re: Invoice', inReplyTo: first! },
    ]
    expect(await inOrder(mails)).toEqual([0, 0, 0])
    const { body } = await service.call('GET', '/messages?limit=1')
    expect(body.messages[0]).toMatchObject({ rfc822_message_id: late, new_participant: true })
  })

  it.each([
    ['signed', [0, 0, 0]],
    ['not signed', [0, 1, 2]],
  ])('joins answers whose In-Reply-To is %s', async (kind, expected) => {
    const name = fresh('v')
    const { service: opened, home } = service
    const parent = `<${name}@example.com>`
    const receive = (who: string, fields: string[], signed: string[]) => {
      const head = [
        `From: ${who}@${who}.example`,
        `To: ${home.address}`,
        `Subject: Re: Rates of ${name}`,
        ...fields,
      ]
      const raw = new TextEncoder().encode(`${head.join('\r\n')}\r\n\r\nI am ${who}\r\n`)
      const passed = { spf: 'pass', dkim: 'pass', dmarc: 'pass', arc: 'none', dkim_aligned: true } as const
      const authentication = { ...passed, from_verified: true, signed_fields: ['from', 'subject', ...signed] }
      const envelope = { mailFrom: `${who}@${who}.example`, recipients: [home.address] }
      return opened.receive({ ...envelope, authentication, judgedDomain: `${who}.example` }, raw)
    }
    const signed = kind === 'signed' ? ['message-id', 'in-reply-to'] : ['message-id']
    const answers = ['ann', 'bob'].map((who) => `<${name}.${who}@example.com>`)
    await receive('ann', [`Message-ID: ${answers[0]}`, `In-Reply-To: ${parent}`], signed)
    await receive('bob', [`Message-ID: ${answers[1]}`, `In-Reply-To: ${parent}`], signed)
    await receive('dee', [`Message-ID: ${parent}`], signed)
    const mails = [...answers, parent].map((messageId) => ({ messageId, from: '', subject: '' }))
    expect(await placesOf(mails)).toEqual(expected)
  })

  it('makes one thread of a series whose first mail never comes, after a stranger who named it', async () => {
    const name = fresh('p')
    const cover = `<${name}.cover@example.com>`
    const headers = { 'List-Id': '<patches.example.com>' }
    const stranger: Mail = {
      ...{ messageId: `<${name}.x@example.com>`, from: 'bob@bob.example', subject: 'Re: [PATCH 0/31] Speed' },
      ...{ inReplyTo: cover, headers },
    }
    const series = Array.from(
      { length: 31 },
      (_, at): Mail => ({
        messageId: `<${name}.${at}@example.com>`,
        from: 'ann@ann.example',
        subject: `[PATCH ${at + 1}/31] Part ${at}`,
        ...{ inReplyTo: cover, headers },
      }),
    )
    expect(await inOrder([stranger, ...series])).toEqual([0, ...series.map(() => 1)])
  })

  it('leaves the threads of strangers who name a lost mail apart, and each finds its own', async () => {
    const name = fresh('q')
    const lost = `<${name}.lost@example.com>`
    const answer = (who: string, at: number): Mail => ({
      ...{ messageId: `<${name}.${who}.${at}@example.com>`, from: `${who}@${who}.example` },
      ...{ subject: 'Re: Your invoice', inReplyTo: lost },
    })
    const mails = ['ann', 'bob', 'cy'].map((who) => answer(who, 1))
    const later = ['cy', 'bob', 'ann'].map((who) => answer(who, 2))
    expect(await inOrder([...mails, ...later])).toEqual([0, 1, 2, 2, 1, 0])
    const first = (await service.call('GET', '/messages?limit=6')).body.messages.at(-1)
    await service.call('DELETE', `/threads/${first.thread_id}`)
    expect(await inOrder([answer('bob', 3), answer('bob', 1), answer('cy', 3), answer('cy', 1)])).toEqual([
      0, 0, 2, 2,
    ])
  })
})
