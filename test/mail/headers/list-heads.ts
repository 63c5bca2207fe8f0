import type { MailList } from '../../../src/mail/headers/list'

/** What is read of a list, and whom an answer goes to where nothing is said: the person, or the list. */
export interface ReadHead {
  name: string
  head: string[]
  list: Partial<MailList> | null
  /** Reply-To as far as it is no list. */
  replyTo?: string[]
}

const ann = { address: 'ann@example.com', name: 'Ann Lee' }

/** Heads of mail as programs of lists write them. */
export const listHeads: ReadHead[] = [
  {
    name: 'Mailman 3',
    head: [
      'From: Ann Lee <ann@example.com>',
      'To: talk@lists.example',
      'List-Id: Talk of the town <talk.lists.example>',
      'List-Post: <mailto:talk@lists.example>',
      'List-Unsubscribe: <mailto:talk-leave@lists.example>',
    ],
    list: {
      ...{ id: 'talk.lists.example', name: 'Talk of the town', post: 'talk@lists.example' },
      ...{ unsubscribe: 'mailto:talk-leave@lists.example', isFrom: false, author: null },
    },
  },
  {
    name: 'Mailman that asks for the answers',
    head: [
      'From: Ann Lee <ann@example.com>',
      'To: talk@lists.example',
      'Reply-To: Talk <talk@lists.example>',
      'List-Id: <talk.lists.example>',
      'List-Post: <mailto:talk@lists.example>',
    ],
    list: { id: 'talk.lists.example', name: null, post: 'talk@lists.example', isFrom: false },
    replyTo: [],
  },
  {
    name: 'Mailman that writes in the stead of persons whose domains want it',
    head: [
      'From: Ann Lee via Talk <talk@lists.example>',
      'To: talk@lists.example',
      'Reply-To: Ann Lee <ann@example.com>',
      'List-Id: <talk.lists.example>',
      'List-Post: <mailto:talk@lists.example>',
    ],
    list: { post: 'talk@lists.example', isFrom: true, author: ann },
    replyTo: ['ann@example.com'],
  },
  {
    name: 'the same, with the person in Cc, since the list asks for the answers',
    head: [
      'From: Ann Lee via Talk <talk@lists.example>',
      'To: talk@lists.example',
      'Reply-To: talk@lists.example',
      'Cc: Ann Lee <ann@example.com>, bob@example.net',
      'List-Id: <talk.lists.example>',
      'List-Post: <mailto:talk@lists.example>',
    ],
    list: { isFrom: true, author: ann },
  },
  {
    name: 'a Google Group that writes in the stead of a person',
    head: [
      'From: "\'Ann Lee\' via Talk" <talk@googlegroups.com>',
      'To: talk@googlegroups.com',
      'Reply-To: talk@googlegroups.com',
      'X-Original-From: Ann Lee <ann@example.com>',
      'X-Original-Sender: ann@example.com',
      'List-ID: <talk.googlegroups.com>',
      'List-Post: <https://groups.google.com/group/talk/post>, <mailto:talk@googlegroups.com>',
      'List-Unsubscribe: <mailto:googlegroups-manage+1+unsubscribe@googlegroups.com>, <https://groups.google.com/group/talk/subscribe>',
    ],
    list: {
      ...{ id: 'talk.googlegroups.com', post: 'talk@googlegroups.com', isFrom: true, author: ann },
      unsubscribe: 'mailto:googlegroups-manage+1+unsubscribe@googlegroups.com',
    },
  },
  {
    name: 'a Google Group that says only the address of the person',
    head: [
      'From: "Ann Lee via Talk" <talk@corp.example>',
      'To: Talk <talk@corp.example>',
      'X-Original-Sender: ann@example.com',
      'Mailing-list: list talk@corp.example; contact talk+owners@corp.example',
      'List-ID: <talk.corp.example>',
    ],
    list: { id: 'talk.corp.example', post: 'talk@corp.example', isFrom: true, author: ann },
  },
  {
    name: 'a Google Group that leaves From',
    head: [
      'From: Ann Lee <ann@example.com>',
      'To: talk@googlegroups.com',
      'X-Original-Sender: ann@example.com',
      'Mailing-list: list talk@googlegroups.com; contact talk+owners@googlegroups.com',
      'List-ID: <talk.googlegroups.com>',
    ],
    list: { post: 'talk@googlegroups.com', isFrom: false, author: null },
  },
  {
    name: 'a list in From that names nobody',
    head: [
      'From: Ann via Talk <talk@lists.example>',
      'To: talk@lists.example',
      'List-Id: <talk.lists.example>',
      'List-Post: <mailto:talk@lists.example>',
    ],
    list: { isFrom: true, author: null },
  },
  {
    name: 'LISTSERV in round brackets',
    head: [
      'From: "Ann Lee (via Talk)" <talk@lists.example>',
      'To: talk@lists.example',
      'Reply-To: Ann Lee <ann@example.com>',
      'List-Post: <mailto:talk@lists.example>',
    ],
    list: { isFrom: true, author: ann },
    replyTo: ['ann@example.com'],
  },
  {
    name: 'Majordomo',
    head: [
      'From: Ann Lee <ann@example.com>',
      'To: bob@example.net',
      'Cc: talk@old.example',
      'Sender: owner-talk@lists.example',
      'Precedence: bulk',
    ],
    list: { id: null, post: 'talk@lists.example', isFrom: false },
  },
  {
    name: 'ezmlm',
    head: [
      'From: Ann Lee <ann@example.com>',
      'To: talk@lists.example',
      'Mailing-List: contact talk-help@lists.example; run by ezmlm',
      'List-Post: <mailto:talk@lists.example>',
      'Delivered-To: mailing list talk@lists.example',
    ],
    list: { id: null, post: 'talk@lists.example', isFrom: false },
  },
  {
    name: 'Sympa, with an encoded name',
    head: [
      'From: Ann Lee <ann@example.com>',
      'To: talk@lists.example',
      'List-Id: =?utf-8?Q?Gespr=C3=A4che?= <talk.lists.example>',
      'List-Post: <mailto:talk@lists.example>',
    ],
    list: { id: 'talk.lists.example', name: 'Gespräche' },
  },
  {
    name: 'a newsletter',
    head: [
      'From: News <news@shop.example>',
      'To: bob@example.net',
      'Reply-To: help@shop.example',
      'List-Id: <4711.shop.example>',
      'List-Post: NO (only the editor writes)',
      'List-Unsubscribe: <https://shop.example/u/1>',
    ],
    list: {
      ...{ id: '4711.shop.example', post: null, unsubscribe: 'https://shop.example/u/1' },
      ...{ isFrom: false, author: null },
    },
    replyTo: ['help@shop.example'],
  },
  {
    name: 'no list',
    head: ['From: Ann Lee <ann@example.com>', 'To: bob@example.net', 'Reply-To: other@example.com'],
    list: null,
    replyTo: ['other@example.com'],
  },
  {
    name: 'no list, whoever claims to be somebody else',
    head: [
      'From: Eve <eve@evil.example>',
      'To: bob@example.net',
      'X-Original-From: Ann Lee <ann@example.com>',
    ],
    list: null,
  },
  {
    name: 'a list whose mail claims that somebody else wrote it, though From has the person',
    head: [
      'From: Eve <eve@evil.example>',
      'To: talk@lists.example',
      'X-Original-From: Ann Lee <ann@example.com>',
      'List-Post: <mailto:talk@lists.example>',
    ],
    list: { isFrom: false, author: null },
  },
]
