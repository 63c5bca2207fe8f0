const ann = 'From: Ann Lee <ann@example.com>'
const mailman = [
  'Precedence: list',
  'List-Id: Talk <talk.lists.example>',
  'List-Post: <mailto:talk@lists.example>',
]
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
]
