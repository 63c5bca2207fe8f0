const ann = 'From: Ann Lee <ann@example.com>'
const mailman = [
  'Precedence: list',
  'List-Id: Talk <talk.lists.example>',
  'List-Post: <mailto:talk@lists.example>',
]
/** Servers of lists that mark all that they spread as bulk, as most did until about 2010 and some do today. */
const bulk = 'Precedence: bulk'
const mailman2 = [
  bulk,
  'Sender: talk-admin@lists.example',
  'Errors-To: talk-admin@lists.example',
  'X-BeenThere: talk@lists.example',
  'X-Mailman-Version: 2.0.13',
  'List-Post: <mailto:talk@lists.example>',
  'List-Id: Talk <talk.lists.example>',
]
const majordomo = ['To: talk@lists.example', 'Sender: owner-talk@lists.example', bulk]
const unsubscribe = 'List-Unsubscribe: <mailto:talk-leave@lists.example>'

/** Headers of what people wrote to lists. */
export const personsOnLists: string[][] = [
  [ann, 'Subject: [talk] Offer', ...mailman, 'X-Mailman-Version: 2.1.39', 'X-BeenThere: talk@lists.example'],
  [ann, 'Subject: [talk] Re: Offer', ...mailman, unsubscribe, 'In-Reply-To: <1@x.example>'],
  ['From: Ann Lee via talk <talk@lists.example>', 'Reply-To: ann@example.com', 'Subject: Offer', ...mailman],
  [
    "From: 'Ann Lee' via Talk <talk@googlegroups.com>",
    'X-Original-From: Ann Lee <ann@example.com>',
    ...mailman,
  ],
  [ann, 'Subject: Offer', 'X-Google-Group-Id: 12345', 'List-ID: <talk.googlegroups.com>', 'Precedence: list'],
  [ann, 'Subject: Offer', 'X-Mailing-List: linux-kernel@vger.example', 'Precedence: list'],
  [ann, 'Subject: Offer', 'Mailing-List: list talk@lists.example; contact talk-owner@lists.example'],
  [ann, 'Subject: Re: Offer', 'List-Id: <talk.lists.example>', 'References: <1@x.example>'],
  [
    ann,
    'Subject: Offer',
    'List-Post: <https://groups.io/g/talk/post>',
    'List-Id: <talk.groups.io>',
    unsubscribe,
  ],
  [ann, 'Subject: Your confirmation of the offer', ...mailman],
  [ann, 'Subject: The digest of my thoughts', ...mailman],
  ['From: request.tracker@people.example', 'Subject: Offer', ...mailman],
  [ann, 'Subject: [talk] Offer', ...mailman2, unsubscribe],
  [ann, 'Subject: Re: [talk] Offer', ...mailman2, 'In-Reply-To: <1@x.example>', 'References: <1@x.example>'],
  [ann, 'Subject: Away and back: my holiday in Wales', ...mailman2],
  [ann, 'Subject: Re: [talk] Bob Ray is out of the office', 'In-Reply-To: <1@x.example>', ...mailman2],
  [ann, 'Subject: The train has left the station', ...mailman2],
  [ann, 'Subject: Offer', ...majordomo],
  [ann, 'Subject: Re: Offer', 'In-Reply-To: <1@x.example>', 'To: bob@example.net', ...majordomo.slice(1)],
  [
    ann,
    'Subject: Offer',
    'To: talk@old-name.example',
    'Return-Path: <owner-talk@lists.example>',
    'X-Mailer: Mutt 1.0',
    bulk,
  ],
  [
    ann,
    'Subject: Offer',
    'Mailing-List: contact talk-help@lists.example; run by ezmlm',
    bulk,
    'List-Post: <mailto:talk@lists.example>',
  ],
  [
    ann,
    'Subject: Offer',
    'Mailing-List: list talk@yahoogroups.com; contact talk-owner@yahoogroups.com',
    bulk,
  ],
  [ann, 'Subject: Offer', 'X-Mailing-List: <talk@lists.example> archive/latest/1234', bulk],
  [ann, 'Subject: Offer', 'X-ecartis-version: Ecartis v1.0.0', 'Sender: talk-bounce@lists.example', bulk],
]

/** Headers of what the programs of lists write in their own name, and of newsletters. */
export const programsOfLists: string[][] = [
  ['From: talk-request@lists.example', 'Subject: Talk Digest, Vol 12, Issue 3', ...mailman],
  ['From: talk-bounces@lists.example', 'Subject: Your message to talk awaits moderator approval', ...mailman],
  ['From: talk-owner@lists.example', 'Subject: Welcome to the "talk" mailing list', ...mailman],
  ['From: mailman@lists.example', 'Subject: lists.example mailing list memberships reminder', ...mailman],
  ['From: talk+noreply@googlegroups.com', 'Subject: Invitation to join talk', ...mailman],
  ['From: talk+msgappr@googlegroups.com', 'Subject: 2 messages pending', ...mailman],
  ['From: LISTSERV@lists.example', 'Subject: TALK: approval required', ...mailman],
  ['From: sympa@lists.example', 'Subject: Results of your commands', ...mailman],
  ['From: talk@lists.example', 'Subject: Digest for talk@googlegroups.com - 3 updates', ...mailman],
  ['From: talk@lists.example', 'Subject: 3 talk moderator request(s) waiting', ...mailman],
  [ann, 'Subject: Offer', 'List-Id: <news.shop.example>', 'List-Unsubscribe: <https://shop.example/u>'],
  [ann, 'Subject: News', 'List-Id: <news.shop.example>', 'List-Post: NO'],
  [ann, 'Subject: [repo] Build', ...mailman, 'X-GitHub-Reason: subscribed'],
  [ann, 'Subject: [talk] Offer', ...mailman, 'Auto-Submitted: auto-generated'],
  ['From: no-reply@groups.example', 'Subject: New posts', ...mailman],
  ['From: confirm-s2-abc@lists.example', 'Subject: Please confirm', ...mailman],
  ['From: bugzilla-daemon@bugs.example', 'Subject: [talk] [Bug 77] Crash', ...mailman2],
  ['From: talk-admin@lists.example', 'Subject: Talk digest, Vol 1 #659 - 11 msgs', ...mailman2],
  [ann, 'Subject: Re: [talk] News', bulk, 'List-Unsubscribe: <https://shop.example/u>'],
  ['From: owner-talk@lists.example', 'Subject: Your subscription to talk', ...majordomo],
  [
    'From: Shop News <news@lists.example>',
    'To: Shop News <news@lists.example>',
    'Errors-To: owner-news@lists.example',
    bulk,
  ],
]
