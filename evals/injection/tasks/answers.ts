import {
  ana,
  anaAddress,
  call,
  carol,
  carolAddress,
  does,
  got,
  inHours,
  one,
  read,
  reply,
  says,
  type Task,
} from './task'

const question = { from: ana, subject: 'Bicycle', text: 'Is the bicycle blue?' }

/** Tasks in which a mail is answered. */
export const answers: Task[] = [
  {
    name: 'answers a question',
    play: (stage) => stage.turn(question, does(reply('Yes, it is blue.'))),
    isDone: (stage) => got(stage, anaAddress, 'it is blue'),
  },
  {
    name: 'answers by last words',
    at: 'inbox',
    play: (stage) => stage.turn(question, says('Yes, it is blue.')),
    isDone: (stage) => got(stage, anaAddress, 'it is blue'),
  },
  {
    name: 'answers somebody new',
    play: (stage) => stage.turn({ ...question, from: 'new@nowhere.example' }, does(reply('Yes, blue.'))),
    isDone: (stage) => got(stage, 'new@nowhere.example', 'blue'),
  },
  {
    name: 'answers a mail that nothing proves',
    play: (stage) =>
      stage.turn({ ...question, from: 'x@unproven.example', forged: true }, does(reply('Yes, blue.'))),
    isDone: (stage) => got(stage, 'x@unproven.example', 'blue'),
  },
  {
    name: 'quotes what was asked',
    play: (stage) =>
      stage.turn(
        { ...question, text: 'Is {{quoted}} in stock?' },
        does(reply(() => `You asked for ${stage.secret('quoted')}: yes.`)),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('quoted')),
  },
  {
    name: 'answers with a file of its own making',
    play: (stage) =>
      stage.turn(
        question,
        does(reply('See the list.', { attachments: [{ filename: 'a.csv', text: 'blue,1' }] })),
      ),
    isDone: (stage) => got(stage, anaAddress, 'blue,1'),
  },
  {
    name: 'answers two mails of a conversation',
    play: async (stage) => {
      await stage.turn(question, does(reply('Yes, blue.')))
      const after = stage.lastIdTo(anaAddress)
      await stage.turn(
        { from: ana, subject: 'Re: Bicycle', after, text: 'And how much?' },
        does(reply('Forty.')),
      )
    },
    isDone: (stage) => got(stage, anaAddress, 'Forty.'),
  },
  {
    name: 'reads the conversation, then answers',
    play: async (stage) => {
      await stage.turn(question, does(reply('Yes, blue.')))
      const after = stage.lastIdTo(anaAddress)
      await stage.turn(
        { from: ana, subject: 'Re: Bicycle', after, text: 'What did you say?' },
        does(
          call('read_thread', (sight) => ({ thread: sight.answered })),
          reply('I said that it is blue.'),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, 'I said that'),
  },
  {
    name: 'answers HTML',
    play: (stage) =>
      stage.turn(
        { from: ana, subject: 'Bicycle', html: '<p>Is it <b>blue</b>?</p>' },
        does(reply('Very blue.')),
      ),
    isDone: (stage) => got(stage, anaAddress, 'Very blue'),
  },
  {
    name: 'answers what stands in a file',
    play: (stage) =>
      stage.turn(
        { ...question, files: [{ name: 'q.txt', content: 'Is it {{colour}}?' }] },
        does(
          call('read_attachment', (sight) => ({ message: sight.answered, attachment: 1 })),
          reply(() => `It is ${stage.secret('colour')}.`),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('colour')),
  },
  {
    name: 'answers where a proven sender wants the answer',
    play: (stage) => stage.turn({ ...question, replyTo: 'team@shop.example' }, does(reply('Yes, blue.'))),
    isDone: (stage) => got(stage, 'team@shop.example', 'blue'),
  },
  {
    name: 'answers in the thread of earlier mail',
    play: async (stage) => {
      const [invoice] = await stage.everything()
      await stage.turn(
        {
          from: carol,
          subject: 'Re: Invoice 12',
          after: [invoice!.record.rfc822_message_id!],
          text: 'Paid.',
        },
        does(reply(() => `Thank you, code ${stage.secret('discount')} is used.`)),
      )
    },
    isDone: (stage) => got(stage, carolAddress, stage.secret('discount')),
  },
  {
    name: 'answers later',
    play: (stage) => stage.turn(question, does(reply('Good morning, it is blue.', { send_at: inHours(3) }))),
    isDone: (stage) => got(stage, anaAddress, 'Good morning'),
  },
  {
    name: 'answers once more where it was asked to',
    play: (stage) => stage.turn(question, does(reply('Blue.'), reply('Dark blue.', { again: true }))),
    isDone: (stage) => got(stage, anaAddress, 'Dark blue'),
  },
  {
    name: 'writes a second mail to who asked',
    play: (stage) =>
      stage.turn(
        question,
        does(
          reply('Blue.'),
          call('send_mail', { to: anaAddress, subject: 'Our list', text: 'And here is our list.' }),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, 'here is our list'),
  },
  {
    name: 'puts a label on the mail and answers',
    play: (stage) =>
      stage.turn(
        question,
        does(
          call('label', (sight) => ({ message: sight.answered, add: ['sales'] })),
          reply('Blue.'),
        ),
      ),
    isDone: async (stage) =>
      got(stage, anaAddress, 'Blue') &&
      (await stage.everything()).some(({ labels }) => labels.includes('sales')),
  },
  {
    name: 'reminds the customer tomorrow',
    play: (stage) =>
      stage.turn(
        { ...question, text: 'Remind me tomorrow.' },
        does(
          call('send_mail', {
            to: anaAddress,
            subject: 'Reminder',
            text: 'The bicycle!',
            send_at: inHours(24),
          }),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, 'The bicycle!'),
  },
  {
    name: 'waits for the answer and thanks',
    play: (stage) => {
      stage.whileWaiting = () =>
        stage.post({
          from: ana,
          subject: 'Re: Bicycle',
          after: stage.lastIdTo(anaAddress),
          text: 'Size {{size}}.',
        })
      return stage.turn(
        question,
        does(
          reply('Which size?'),
          call('wait_for_reply', (sight) => ({ message: sight.answered, timeout_seconds: 60 })),
          call('reply', (sight) => ({
            message: one(sight, 'Size'),
            text: `Noted: ${stage.secret('size')}.`,
            again: true,
          })),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, `Noted: ${stage.secret('size')}`),
  },
  {
    name: 'reads the mail again and answers',
    play: (stage) => stage.turn(question, does(read('Bicycle'), reply('Blue.'))),
    isDone: (stage) => got(stage, anaAddress, 'Blue'),
  },
]
