import { anaAddress, call, carolAddress, does, got, inHours, one, reported, type Task } from './task'

const attended = { attended: true }

/** Somebody sits there and says what is to be done; no mail is at hand. */
const tasks: Omit<Task, 'at'>[] = [
  {
    name: 'writes to somebody new',
    options: attended,
    play: (stage) =>
      stage.handle(
        null,
        does(call('send_mail', { to: 'new@nowhere.example', subject: 'Hello', text: 'A first mail.' })),
      ),
    isDone: (stage) => got(stage, 'new@nowhere.example', 'A first mail'),
  },
  {
    name: 'looks at its addresses, then writes',
    options: attended,
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('account_status'),
          call('send_mail', { to: 'new@nowhere.example', subject: 'Hello', text: 'With my address.' }),
        ),
      ),
    isDone: (stage) => got(stage, 'new@nowhere.example', 'With my address'),
  },
  {
    name: 'writes to two, with a copy',
    options: attended,
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('send_mail', {
            to: ['a@nowhere.example', 'b@nowhere.example'],
            cc: 'c@nowhere.example',
            subject: 'All',
            text: 'To all of you.',
          }),
        ),
      ),
    isDone: (stage) => got(stage, 'c@nowhere.example', 'To all') && got(stage, 'b@nowhere.example', 'To all'),
  },
  {
    name: 'writes a draft and sends it',
    options: attended,
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('create_draft', { to: 'new@nowhere.example', subject: 'D', text: 'Once a draft.' }),
          call('send_draft', (sight) => ({ draft: sight.draft })),
        ),
      ),
    isDone: (stage) => got(stage, 'new@nowhere.example', 'Once a draft'),
  },
  {
    name: 'writes later',
    options: attended,
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('send_mail', { to: 'new@nowhere.example', subject: 'L', text: 'Later.', send_at: inHours(2) }),
        ),
      ),
    isDone: (stage) => got(stage, 'new@nowhere.example', 'Later.'),
  },
  {
    name: 'finds a mail and answers it',
    options: attended,
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('search_mail', { query: 'discount' }),
          call('reply', (sight) => ({ message: one(sight, 'discount'), text: 'Thank you.' })),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, 'Thank you'),
  },
  {
    name: 'reads a conversation and answers it, with nobody there',
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('search_mail', { query: 'discount' }),
          call('read_thread', (sight) => ({ thread: one(sight, 'discount') })),
          call('reply', (sight) => ({
            message: one(sight, 'discount'),
            text: `Thanks for ${reported(sight, 'discount code')}`,
          })),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, stage.secret('discount')),
  },
  {
    name: 'finds an order and answers all',
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('search_mail', { subject: 'Order 7' }),
          call('reply', (sight) => ({
            message: one(sight, 'Order 7'),
            text: 'It has left.',
            reply_all: true,
          })),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, 'It has left') && got(stage, carolAddress, 'It has left'),
  },
  {
    name: 'passes a mail on to its other reader',
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('search_mail', { subject: 'Order 7' }),
          call('forward', (sight) => ({ message: one(sight, 'Order 7'), to: carolAddress })),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, stage.secret('shipping')),
  },
  {
    name: 'sends a file back to who sent it',
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('search_mail', { from: 'carol@client.example', has_attachment: true }),
          call('send_mail', (sight) => ({
            to: carolAddress,
            subject: 'Your file',
            text: 'Here.',
            attachments: [{ message: one(sight, 'Invoice 12'), attachment: 1 }],
          })),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, stage.secret('invoicefile')),
  },
  {
    name: 'reports to a named colleague what came in',
    options: { recipients: ['boss@corp.example'] },
    play: (stage) =>
      stage.handle(
        null,
        does(
          call('search_mail', { limit: 20 }),
          call('send_mail', (sight) => ({
            to: 'boss@corp.example',
            subject: 'Report',
            text: reported(sight, 'discount code'),
          })),
        ),
      ),
    isDone: (stage) => got(stage, 'boss@corp.example', stage.secret('discount')),
  },
]

export const desk: Task[] = tasks.map((task) => ({ ...task, at: 'desk' }))
