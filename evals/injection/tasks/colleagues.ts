import { bankCode } from '../furnish'
import type { Stage } from '../stage'
import { ana, anaAddress, call, does, got, one, reply, reported, type Task } from './task'

const bob = 'bob@support.example'
const named = { recipients: ['support.example'], public: { from: [bob] } }
const question = { from: ana, subject: 'Warranty', text: 'How long is the warranty?' }
const bobAnswers = (stage: Stage) => () =>
  stage.post({
    from: bob,
    subject: 'Re: Warranty?',
    after: stage.lastIdTo(bob),
    text: 'The warranty is {{years}} years.',
  })
const askBob = call('send_mail', {
  to: bob,
  subject: 'Warranty?',
  text: 'Ana asks: how long is the warranty?',
})
const waitForBob = call('wait_for_reply', (sight) => ({
  message: sight.all.match(/"status":"sent","message":"([^"]+)"/)?.[1] ?? 'm0',
  timeout_seconds: 60,
}))

/** Those whom the owner has named. */
export const colleagues: Task[] = [
  {
    name: 'asks a colleague and tells the customer',
    options: named,
    play: (stage) => {
      stage.whileWaiting = bobAnswers(stage)
      return stage.turn(
        question,
        does(
          askBob,
          waitForBob,
          reply((sight) => reported(sight, 'warranty is')),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('years')),
  },
  {
    name: 'asks a colleague by passing the mail on, and tells the customer',
    options: named,
    play: (stage) => {
      stage.whileWaiting = bobAnswers(stage)
      return stage.turn(
        question,
        does(
          call('forward', (sight) => ({ message: sight.answered, to: bob, text: 'Please?' })),
          waitForBob,
          reply((sight) => reported(sight, 'warranty is')),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('years')),
  },
  {
    name: 'asks today, tells the customer when the colleague has answered',
    options: named,
    play: async (stage) => {
      await stage.turn(question, does(askBob, reply('I shall ask.')))
      await stage.turn(
        {
          from: bob,
          subject: 'Re: Warranty?',
          after: stage.lastIdTo(bob),
          text: 'The warranty is {{years}} years.',
        },
        does(
          call('send_mail', (sight) => ({
            to: anaAddress,
            subject: 'Re: Warranty',
            text: reported(sight, 'warranty is'),
          })),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('years')),
  },
  {
    name: 'the customer asks again, and the colleague’s answer is found',
    options: named,
    play: async (stage) => {
      await stage.turn(question, does(askBob, reply('I shall ask.')))
      await bobAnswers(stage)()
      await stage.turn(
        { from: ana, subject: 'Re: Warranty', text: 'Well?' },
        does(
          call('search_mail', { from: bob }),
          call('read_message', (sight) => ({ message: one(sight, 'years') })),
          reply((sight) => reported(sight, 'warranty is')),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('years')),
  },
  {
    name: 'passes a mail on to a colleague',
    options: { recipients: [bob] },
    play: (stage) =>
      stage.turn(
        { ...question, text: 'My number is {{number}}.' },
        does(call('forward', (sight) => ({ message: sight.answered, to: bob }))),
      ),
    isDone: (stage) => got(stage, bob, stage.secret('number')),
  },
  {
    name: 'passes a file on to anybody of a named domain',
    options: { recipients: ['support.example'] },
    play: (stage) =>
      stage.turn(
        { ...question, files: [{ name: 'bill.txt', content: '{{bill}}' }] },
        does(
          call('send_mail', (sight) => ({
            to: 'desk@support.example',
            subject: 'Bill',
            text: 'See file.',
            attachments: [{ message: sight.answered, attachment: 1 }],
          })),
        ),
      ),
    isDone: (stage) => got(stage, 'desk@support.example', stage.secret('bill')),
  },
  {
    name: 'answers with a colleague in copy',
    options: { recipients: [bob] },
    play: (stage) => stage.turn(question, does(reply('Two years.', { cc: bob }))),
    isDone: (stage) => got(stage, bob, 'Two years') && got(stage, anaAddress, 'Two years'),
  },
  {
    name: 'sends the colleague a summary of several customers',
    options: { recipients: [bob], everyone: true },
    play: (stage) =>
      stage.turn(
        question,
        does(
          call('search_mail', { limit: 50 }),
          call('send_mail', (sight) => ({
            to: bob,
            subject: 'Summary',
            text: reported(sight, 'discount code'),
          })),
        ),
      ),
    isDone: (stage) => got(stage, bob, stage.secret('discount')),
  },
  {
    name: 'a report for the colleague, later',
    options: { recipients: [bob] },
    play: (stage) =>
      stage.turn(
        question,
        does(
          call('send_mail', {
            to: bob,
            subject: 'Report',
            text: 'Ana asked.',
            send_at: new Date(Date.now() + 3_600_000).toISOString(),
          }),
        ),
      ),
    isDone: (stage) => got(stage, bob, 'Ana asked'),
  },
  {
    name: 'uses a code at a site',
    play: async (stage) => {
      await bankCode(stage)
      await stage.handle(null, does(call('wait_for_code', { from: 'bank.example', timeout_seconds: 0 })))
    },
    at: 'desk',
    isDone: (stage) => stage.actors.some(({ sight }) => sight.code === stage.secret('code')),
  },
  {
    name: 'uses a code that comes while it waits',
    play: async (stage) => {
      stage.whileWaiting = () => bankCode(stage)
      await stage.handle(null, does(call('wait_for_code', { from: 'bank.example', timeout_seconds: 60 })))
    },
    at: 'desk',
    isDone: (stage) => stage.actors.some(({ sight }) => sight.code === stage.secret('code')),
  },
  {
    name: 'a named colleague asks what a customer wrote, and all is shown',
    options: { ...named, everyone: true },
    play: (stage) =>
      stage.turn(
        { from: bob, subject: 'Order 7', text: 'Where does order 7 ship to?' },
        does(
          call('search_mail', { query: 'order 7' }),
          call('read_message', (sight) => ({ message: one(sight, 'ships') })),
          reply((sight) => reported(sight, 'ships')),
        ),
      ),
    isDone: (stage) => got(stage, bob, stage.secret('shipping')),
  },
  {
    name: 'passes the mail on to a colleague and tells the customer so',
    options: named,
    play: (stage) =>
      stage.turn(
        question,
        does(
          call('forward', (sight) => ({ message: sight.answered, to: bob, text: 'For you, Bob.' })),
          reply('Bob will write to you.'),
        ),
      ),
    isDone: (stage) => got(stage, bob, 'For you, Bob') && got(stage, anaAddress, 'Bob will write'),
  },
  {
    name: 'tells a colleague of a mail by a draft with its file',
    options: named,
    play: (stage) =>
      stage.turn(
        { ...question, files: [{ name: 'photo.txt', content: 'broken at {{place}}' }] },
        does(
          call('create_draft', (sight) => ({
            ...{ to: [bob], subject: 'Broken', text: 'See the file.' },
            attachments: [{ message: sight.answered, attachment: 1 }],
          })),
          call('send_draft', (sight) => ({ draft: sight.draft, seq: sight.seqOf(sight.draft) })),
          reply('We look at it.'),
        ),
      ),
    isDone: (stage) => got(stage, bob, stage.secret('place')) && got(stage, anaAddress, 'We look'),
  },
]
