import { backOffice, desk } from '../stage'
import {
  ana,
  anaAddress,
  call,
  carol,
  carolAddress,
  does,
  got,
  one,
  reply,
  reported,
  type Task,
} from './task'

const both = { from: ana, cc: [carol], subject: 'Meeting', text: 'We meet at {{place}}.' }
const file = { name: 'plan.txt', content: 'the plan is {{plan}}' }
const ownFile = (sight: { answered: string | undefined }) => ({ message: sight.answered, attachment: 1 })

/** Several people, and their files. */
export const groups: Task[] = [
  {
    name: 'answers all',
    play: (stage) => stage.turn(both, does(reply('Agreed.', { reply_all: true }))),
    isDone: (stage) => got(stage, anaAddress, 'Agreed') && got(stage, carolAddress, 'Agreed'),
  },
  {
    name: 'answers all three',
    play: (stage) =>
      stage.turn({ ...both, cc: [carol, 'dora@third.example'] }, does(reply('Agreed.', { reply_all: true }))),
    isDone: (stage) => got(stage, 'dora@third.example', 'Agreed') && got(stage, carolAddress, 'Agreed'),
  },
  {
    name: 'answers one of two, with what the mail says',
    play: (stage) => stage.turn(both, does(reply((sight) => reported(sight, 'We meet')))),
    isDone: (stage) => got(stage, anaAddress, stage.secret('place')),
  },
  {
    name: 'passes the mail on to who was in copy',
    play: (stage) =>
      stage.turn(both, does(call('forward', (sight) => ({ message: sight.answered, to: carolAddress })))),
    isDone: (stage) => got(stage, carolAddress, stage.secret('place')),
  },
  {
    name: 'writes to who was in copy',
    play: (stage) =>
      stage.turn(
        both,
        does(call('send_mail', { to: carolAddress, subject: 'Meeting', text: 'Will you come?' })),
      ),
    isDone: (stage) => got(stage, carolAddress, 'Will you come?'),
  },
  {
    name: 'who is added in copy gets the answer',
    play: async (stage) => {
      const { record } = await stage.post({ from: ana, subject: 'Trip', text: 'To {{city}}.' })
      await stage.turn(
        {
          from: ana,
          cc: ['dora@third.example'],
          subject: 'Re: Trip',
          after: [record.rfc822_message_id!],
          text: 'Dora joins us.',
        },
        does(
          call('read_thread', (sight) => ({ thread: sight.answered })),
          reply((sight) => reported(sight, 'To '), { reply_all: true }),
        ),
      )
    },
    isDone: (stage) => got(stage, 'dora@third.example', stage.secret('city')),
  },
  {
    name: 'who was added asks for what was said before',
    play: async (stage) => {
      const { record } = await stage.post({ from: ana, subject: 'Trip', text: 'We go to {{city}}.' })
      const after = [record.rfc822_message_id!]
      await stage.post({
        from: ana,
        cc: ['dora@third.example'],
        subject: 'Re: Trip',
        after,
        text: 'Dora joins us.',
      })
      await stage.turn(
        { from: 'dora@third.example', subject: 'Re: Trip', after, text: 'Where to?' },
        does(
          call('read_thread', (sight) => ({ thread: sight.answered })),
          reply((sight) => reported(sight, 'We go to')),
        ),
      )
    },
    isDone: (stage) => got(stage, 'dora@third.example', stage.secret('city')),
  },
  {
    name: 'adds in copy whom the customer had in copy before',
    play: async (stage) => {
      const { record } = await stage.post(both)
      await stage.turn(
        { from: ana, subject: 'Re: Meeting', after: [record.rfc822_message_id!], text: 'Tell Carol too.' },
        does(reply('At nine.', { cc: carolAddress })),
      )
    },
    isDone: (stage) => got(stage, carolAddress, 'At nine') && got(stage, anaAddress, 'At nine'),
  },
  {
    name: 'sends a file of the conversation back',
    play: (stage) =>
      stage.turn(
        { from: ana, subject: 'Plan', text: 'See file.', files: [file] },
        does(
          call('reply', (sight) => ({
            message: sight.answered,
            text: 'Back to you.',
            attachments: [ownFile(sight)],
          })),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('plan')),
  },
  {
    name: 'sends the file to all of the conversation',
    play: (stage) =>
      stage.turn(
        { ...both, files: [file] },
        does(
          call('reply', (sight) => ({
            message: sight.answered,
            text: 'The plan.',
            reply_all: true,
            attachments: [ownFile(sight)],
          })),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, stage.secret('plan')),
  },
  {
    name: 'sends the file of an earlier mail of the conversation',
    play: async (stage) => {
      const { record } = await stage.post({ from: ana, subject: 'Plan', text: 'See file.', files: [file] })
      await stage.turn(
        { from: ana, subject: 'Re: Plan', after: [record.rfc822_message_id!], text: 'Could I have it back?' },
        does(
          call('read_thread', (sight) => ({ thread: sight.answered })),
          call('reply', (sight) => ({
            message: sight.answered,
            text: 'Here.',
            attachments: [{ message: one(sight, 'plan.txt'), attachment: 1 }],
          })),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('plan')),
  },
  {
    name: 'reads a file and sends a summary as a new one',
    play: (stage) =>
      stage.turn(
        { from: ana, subject: 'Plan', text: 'Sum it up.', files: [file] },
        does(
          call('read_attachment', ownFile),
          reply('See file.', { attachments: [{ filename: 'summary.txt', text: 'short plan' }] }),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, 'short plan'),
  },
  {
    name: 'passes a mail to its own other inbox',
    play: (stage) =>
      stage.turn(
        { from: ana, subject: 'Payment', text: 'Paid {{paid}}.' },
        does(call('forward', (sight) => ({ message: sight.answered, to: backOffice }))),
      ),
    isDone: async (stage) =>
      (await stage.everything()).some(
        ({ direction, record }) => direction === 'outbound' && record.to_addrs.includes(backOffice),
      ),
  },
  {
    name: 'a draft in answer, made and sent',
    play: (stage) =>
      stage.turn(
        both,
        does(
          call('create_draft', (sight) => ({ reply_to: sight.answered, text: 'From a draft.' })),
          call('send_draft', (sight) => ({ draft: sight.draft })),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, 'From a draft'),
  },
  {
    name: 'a draft to the customer, made and sent',
    play: (stage) =>
      stage.turn(
        both,
        does(
          call('create_draft', { to: anaAddress, subject: 'Letter', text: 'A letter.' }),
          call('send_draft', (sight) => ({ draft: sight.draft })),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, 'A letter'),
  },
  {
    name: 'a draft to all with a file, made and sent later',
    play: (stage) =>
      stage.turn(
        { ...both, files: [file] },
        does(
          call('create_draft', (sight) => ({
            reply_to: sight.answered,
            reply_all: true,
            text: 'With file.',
            attachments: [ownFile(sight)],
          })),
          call('send_draft', (sight) => ({
            draft: sight.draft,
            send_at: new Date(Date.now() + 7_200_000).toISOString(),
          })),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, stage.secret('plan')),
  },
  {
    name: 'answers a list and who wrote to it',
    play: (stage) =>
      stage.turn(
        {
          from: ana,
          to: ['talk@lists.example', desk],
          replyTo: 'talk@lists.example',
          headers: { 'List-Id': '<talk.lists.example>', 'List-Post': '<mailto:talk@lists.example>' },
          subject: '[talk] Bicycles',
          text: 'Who has a bicycle?',
        },
        does(reply('We have one.', { reply_all: true })),
      ),
    isDone: (stage) =>
      got(stage, anaAddress, 'We have one') && got(stage, 'talk@lists.example', 'We have one'),
  },
  {
    name: 'thanks all, each in a mail of their own',
    play: (stage) =>
      stage.turn(
        both,
        does(
          call('send_mail', { to: anaAddress, subject: 'Thanks', text: 'Thank you, Ana' }),
          call('send_mail', { to: carolAddress, subject: 'Thanks', text: 'Thank you, Carol' }),
          call('no_answer_needed', { reason: 'both are thanked' }),
        ),
      ),
    isDone: (stage) =>
      got(stage, anaAddress, 'Thank you, Ana') && got(stage, carolAddress, 'Thank you, Carol'),
  },
]
