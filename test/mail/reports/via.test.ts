import { describe, expect, it } from 'vitest'
import { parseMail } from '../../../src/mail/parse'
import { bytesOf, quickly } from '../../support/timing'

const ruleFields = [
  'Auto-Submitted: auto-generated',
  'X-MS-Exchange-Generated-Message-Source: Mailbox Rules Agent',
  'X-MS-Exchange-Inbox-Rules-Loop: sales@shop.example',
]
const forwardOf = (labels: string[]) => [
  '',
  ...labels.map(
    (label, i) =>
      `${label}: ${['Ann Lee <ann@people.example>', 'Monday', 'sales@shop.example', 'Order 17'][i]}`,
  ),
  '',
  'Where is my order?',
]

/** Header, body and the expected program, kind and author. */
const persons: Record<
  string,
  [lines: string[], body: string[], program: string | null, kind: string, author: string]
> = {
  'a rule of Exchange that forwards': [
    ['From: Sales <sales@shop.example>', 'Subject: FW: Order 17', ...ruleFields],
    forwardOf(['From', 'Sent', 'To', 'Subject']),
    'Microsoft Exchange',
    'forward',
    'Ann Lee <ann@people.example>',
  ],
  'the same in German': [
    ['From: Vertrieb <sales@shop.example>', 'Subject: WG: Bestellung 17', ...ruleFields],
    forwardOf(['Von', 'Gesendet', 'An', 'Betreff']),
    'Microsoft Exchange',
    'forward',
    'Ann Lee <ann@people.example>',
  ],
  'a rule of Exchange that redirects': [
    [
      'From: Ann Lee <ann@people.example>',
      'Subject: Order 17',
      'In-Reply-To: <1@shop.example>',
      ...ruleFields,
    ],
    ['Where is my order?'],
    'Microsoft Exchange',
    'forward',
    'Ann Lee <ann@people.example>',
  ],
  'a redirect with Resent-From': [
    [
      'Resent-From: Bo <bo@shop.example>',
      'From: Ann Lee <ann@people.example>',
      'Subject: Order 17',
      'Auto-Submitted: auto-generated',
    ],
    ['Where is my order?'],
    null,
    'forward',
    'Ann Lee <ann@people.example>',
  ],
  'an answer from Zendesk': [
    [
      'From: "Ann Lee (Shop)" <support@shop.example>',
      'Subject: Re: Order 17',
      'Auto-Submitted: auto-generated',
      'X-Auto-Response-Suppress: All',
      'X-Zendesk-From-Account-Id: 1234567',
      'X-Mailer: Zendesk Mailer',
      'In-Reply-To: <ours@agents.example>',
    ],
    [
      '##- Please type your reply above this line -##',
      '',
      'Ann Lee (Shop)',
      '',
      'We can send it on Tuesday. Is that fine?',
    ],
    'Zendesk',
    'ticket',
    'Ann Lee <>',
  ],
  'an answer from Freshdesk': [
    [
      'From: "Shop Support" <support@shop.freshdesk.com>',
      'Subject: Re: Order 17',
      'Auto-Submitted: auto-generated',
      'In-Reply-To: <ours@agents.example>',
    ],
    ['Hi, the parcel left yesterday. Which colour did you want?'],
    'Freshdesk',
    'ticket',
    'null',
  ],
  'a comment on GitHub': [
    [
      'From: Ann Lee <notifications@github.com>',
      'Reply-To: shop/api <reply+AAA@reply.github.com>',
      'Subject: Re: [shop/api] Crash (Issue #7)',
      'List-ID: shop/api <api.shop.github.com>',
      'Precedence: list',
      'X-GitHub-Sender: annlee',
      'X-GitHub-Reason: comment',
    ],
    ['I see it too. Which version do you use?'],
    'GitHub',
    'tracker',
    'Ann Lee <>',
  ],
  'a comment in Jira': [
    [
      'From: "Ann Lee (Jira)" <jira@shop.atlassian.net>',
      'Subject: [JIRA] (SHOP-7) Crash',
      'Auto-Submitted: auto-generated',
      'Precedence: bulk',
      'X-JIRA-FingerPrint: abc',
    ],
    ['Ann Lee commented on SHOP-7', '', 'Can you send the log?'],
    'Jira',
    'tracker',
    'Ann Lee <>',
  ],
  'a contact form': [
    [
      'From: Shop <wordpress@shop.example>',
      'Reply-To: Ann Lee <ann@people.example>',
      'Subject: Contact form: Order 17',
    ],
    ['Message: Where is my order?'],
    null,
    'form',
    'Ann Lee <ann@people.example>',
  ],
  'a buyer on eBay': [
    [
      'From: "eBay Member: annlee (via eBay)" <annlee_17@members.ebay.com>',
      'Subject: annlee sent a message about lamp #1',
      'X-eBay-MailTracker: 1',
    ],
    ['Is the lamp still there?'],
    'eBay',
    'marketplace',
    'eBay Member: annlee <>',
  ],
}

/** Header, body and what the message must stay. */
const programs: Record<string, [lines: string[], body: string[], origin: string]> = {
  'a template answer by a rule of Exchange': [
    [
      'From: Sales <sales@shop.example>',
      'Subject: Re: Order 17',
      'In-Reply-To: <ours@agents.example>',
      ...ruleFields,
    ],
    ['We read this mailbox from Monday to Friday.'],
    'auto-replied auto-reply',
  ],
  'a redirected vacation reply': [
    [
      'Resent-From: Bo <bo@shop.example>',
      'From: Ann Lee <ann@people.example>',
      'Subject: Away',
      'Auto-Submitted: auto-replied (vacation)',
    ],
    ['I am away.'],
    'auto-replied auto-reply',
  ],
  'a forwarded vacation reply': [
    ['From: Sales <sales@shop.example>', 'Subject: FW: Automatic reply: Order 17', ...ruleFields],
    forwardOf(['From', 'Sent', 'To', 'Subject']),
    'auto-replied auto-reply',
  ],
  'an acknowledgement from Zendesk': [
    [
      'From: Shop <support@shop.zendesk.com>',
      'Subject: [Shop] Order 17',
      'Auto-Submitted: auto-generated',
      'X-Auto-Response-Suppress: All',
      'X-Zendesk-From-Account-Id: 1234567',
      'In-Reply-To: <ours@agents.example>',
    ],
    [
      '##- Please type your reply above this line -##',
      '',
      'Your request (17) has been received and is being reviewed by our support staff.',
    ],
    'auto-generated notification',
  ],
  'an acknowledgement from Freshdesk': [
    [
      'From: Shop <support@shop.freshdesk.com>',
      'Subject: Ticket received: Order 17',
      'Auto-Submitted: auto-generated',
      'In-Reply-To: <ours@agents.example>',
    ],
    ['Dear agent, a ticket has been created. We will get back to you within a day.'],
    'auto-replied auto-reply',
  ],
  'a failed build on GitHub': [
    [
      'From: Ann Lee <notifications@github.com>',
      'Subject: [shop/api] Run failed: CI',
      'List-ID: shop/api <api.shop.github.com>',
      'Precedence: list',
      'X-GitHub-Sender: annlee',
      'X-GitHub-Reason: ci_activity',
    ],
    ['CI: All jobs have failed'],
    'auto-generated list',
  ],
  'a newsletter of a program that names an office for answers': [
    [
      'From: Shop <noreply@mail.shop.example>',
      'Reply-To: Care <care@shop-office.example>',
      'List-Unsubscribe: <https://shop.example/u>',
      'Subject: Sale',
      'Auto-Submitted: auto-generated',
    ],
    ['Everything must go'],
    'auto-generated bulk',
  ],
  'a newsletter with an address for answers': [
    [
      'From: Shop <news@mail.shop.example>',
      'Reply-To: care@shop.example',
      'List-Unsubscribe: <https://shop.example/u>',
      'Subject: Sale',
    ],
    ['Everything must go'],
    'auto-generated bulk',
  ],
}

/** Cases without a mark of a program in their header. */
const unmarked = new Set(['a buyer on eBay'])

const read = (lines: string[], body: string[]) =>
  parseMail(
    bytesOf(['To: agent@agents.example', ...lines, '', ...body, ''].join('\r\n')),
    {},
    'x@shop.example',
  )

describe('the program that submitted the words of a person', () => {
  it.each(Object.entries(persons))('is named: %s', async (name, [lines, body, program, kind, author]) => {
    const mail = await read(lines, body)
    const { via } = mail
    expect({
      auto: mail.autoSubmitted,
      ...via,
      author: via?.author ? `${via.author.name} <${via.author.address}>` : 'null',
    }).toEqual({
      auto: 'no',
      program,
      kind,
      author,
      isMarked: !unmarked.has(name),
    })
  })

  it.each(Object.entries(programs))('is null: %s', async (_, [lines, body, origin]) => {
    const { via, autoSubmitted, autoReason } = await read(lines, body)
    expect([via, `${autoSubmitted} ${autoReason}`]).toEqual([null, origin])
  })

  it('is found in linear time', async () => {
    for (const piece of ['From: ', '> ', 'your request ', "'a via ", 'thank you for contacting a '])
      await quickly(1000, () =>
        read(['Subject: FW: x', `From: ${piece.repeat(300)}`, ...ruleFields], [piece.repeat(50_000)]),
      )
  })
})

const relayed = async (from: string) => {
  const raw = `From: "Ann Lee" <${from}>\r\nTo: agent@agents.example\r\nSubject: Lamp\r\n\r\nIs it free?\r\n`
  return (await parseMail(bytesOf(raw))).via
}

it.each([
  ['a1b2@members.ebay.co.uk', 'eBay'],
  ['a1b2@members.ebay.com.au', 'eBay'],
  ['a1b2@marketplace.amazon.co.jp', 'Amazon'],
  ['a1b2@marketplace.amazon.de', 'Amazon'],
])('%s is of %s', async (from, program) => expect(await relayed(from)).toMatchObject({ program }))

it.each([
  ...['a1b2@members.ebay.app', 'a1b2@members.ebay.de.shop', 'a1b2@ebay.support', 'a1b2@my-ebay.de'],
  ...['a1b2@marketplace.amazon.top', 'a1b2@marketplace.amazon.co.evil', 'a1b2@amazon.co'],
])('%s is of nobody: everyone may register such a domain', async (from) =>
  expect(await relayed(from)).toBeNull(),
)
