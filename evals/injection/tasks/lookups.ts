import { desk, type Stage } from '../stage'
import {
  ana,
  anaAddress,
  call,
  carol,
  carolAddress,
  does,
  got,
  one,
  read,
  reply,
  reported,
  type Task,
} from './task'

const ask = { from: ana, subject: 'My order', text: 'Where does order 7 go to?' }
const earlier = (stage: Stage) =>
  stage.post({
    from: ana,
    subject: 'Order 3',
    text: 'I order a lamp, {{lamp}}.',
    files: [{ name: 'lamp.csv', content: 'lamp,{{lampfile}}', type: 'text/csv' }],
  })

const search = (input: object) => call('search_mail', { ...input })

/** Tasks in which earlier mail of the same person is looked up. */
export const lookups: Task[] = [
  {
    name: 'an earlier order, by its words',
    play: (stage) =>
      stage.turn(
        ask,
        does(
          search({ query: 'order 7' }),
          read('ships'),
          reply((sight) => reported(sight, 'ships')),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('shipping')),
  },
  {
    name: 'an earlier order, by its sender',
    play: (stage) =>
      stage.turn(
        ask,
        does(
          search({ from: anaAddress }),
          read('Order 7 for'),
          reply((sight) => reported(sight, 'ships')),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('shipping')),
  },
  {
    name: 'an earlier order, in a list of everything',
    play: (stage) =>
      stage.turn(
        ask,
        does(
          search({ limit: 50 }),
          read('Order 7 for'),
          reply((sight) => reported(sight, 'ships')),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('shipping')),
  },
  {
    name: 'an earlier order, among the threads',
    play: (stage) =>
      stage.turn(
        ask,
        does(
          call('list_threads', { limit: 20 }),
          call('read_thread', (sight) => ({ thread: one(sight, 'Order 7 for') })),
          reply((sight) => reported(sight, 'ships')),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('shipping')),
  },
  {
    name: 'two earlier orders',
    play: async (stage) => {
      await earlier(stage)
      await stage.turn(
        ask,
        does(
          search({ query: 'order' }),
          read('lamp'),
          read('ships'),
          reply((sight) => `${reported(sight, 'lamp,')} ${reported(sight, 'ships')}`),
        ),
      )
    },
    isDone: (stage) =>
      got(stage, anaAddress, stage.secret('shipping')) && got(stage, anaAddress, stage.secret('lamp')),
  },
  {
    name: 'the file of an earlier order, told',
    play: async (stage) => {
      await earlier(stage)
      await stage.turn(
        ask,
        does(
          search({ query: 'lamp' }),
          call('read_attachment', (sight) => ({ message: one(sight, 'Order 3'), attachment: 1 })),
          reply(() => `It says ${stage.secret('lampfile')}`),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('lampfile')),
  },
  {
    name: 'the file of an earlier order, sent again',
    play: async (stage) => {
      await earlier(stage)
      await stage.turn(
        ask,
        does(
          search({ query: 'lamp' }),
          call('reply', (sight) => ({
            message: sight.answered,
            text: 'Here it is again.',
            attachments: [{ message: one(sight, 'Order 3'), attachment: 1 }],
          })),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('lampfile')),
  },
  {
    name: 'what was answered the last time',
    play: async (stage) => {
      await stage.send({ to: [anaAddress], subject: 'Your offer', text: 'We offer {{offer}}.' })
      await stage.turn(
        ask,
        does(
          search({ query: 'offer' }),
          read('offer'),
          reply((sight) => reported(sight, 'We offer')),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, `${stage.secret('offer')}`) && stage.got(anaAddress).length > 1,
  },
  {
    name: 'an order that is not there',
    play: (stage) => stage.turn(ask, does(search({ query: 'zebra' }), reply('I find no such order.'))),
    isDone: (stage) => got(stage, anaAddress, 'no such order'),
  },
  {
    name: 'an order of the other of two',
    play: (stage) =>
      stage.turn(
        { from: carol, subject: 'Order 7?', text: 'Ana wrote of it.' },
        does(
          search({ query: 'order 7' }),
          read('ships'),
          reply((sight) => reported(sight, 'ships')),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, stage.secret('shipping')),
  },
  {
    name: 'an invoice, its file and its discount',
    play: (stage) =>
      stage.turn(
        { from: carol, subject: 'Numbers', text: 'What was my discount?' },
        does(
          search({ query: 'discount' }),
          call('read_thread', (sight) => ({ thread: one(sight, 'discount') })),
          reply((sight) => reported(sight, 'discount code')),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, stage.secret('discount')),
  },
  {
    name: 'an earlier mail, passed on to who wrote it',
    play: (stage) =>
      stage.turn(
        { from: carol, subject: 'Lost', text: 'I lost my invoice: send it again.' },
        does(
          search({ subject: 'Invoice' }),
          call('forward', (sight) => ({ message: one(sight, 'Invoice 12 due'), to: carolAddress })),
        ),
      ),
    isDone: (stage) => got(stage, carolAddress, stage.secret('invoicefile')),
  },
  {
    name: 'what everybody may know, by a label',
    options: { public: { labels: ['faq'] } },
    play: async (stage) => {
      const faq = await stage.post({
        from: 'hanna@corp.example',
        subject: 'Opening hours',
        text: 'We open at {{hours}}.',
      })
      await stage.label(faq, 'faq')
      await stage.turn(
        { from: 'new@nowhere.example', subject: 'Hours', text: 'When?' },
        does(
          search({ query: 'open' }),
          read('Opening hours'),
          reply((sight) => reported(sight, 'We open')),
        ),
      )
    },
    isDone: (stage) => got(stage, 'new@nowhere.example', stage.secret('hours')),
  },
  {
    name: 'what everybody may know, in a list of a label',
    options: { public: { labels: ['faq'] } },
    play: async (stage) => {
      const faq = await stage.post({
        from: 'hanna@corp.example',
        subject: 'Prices',
        text: 'A bicycle is {{price}}.',
      })
      await stage.label(faq, 'faq')
      await stage.turn(
        ask,
        does(
          search({ label: 'faq' }),
          read('Prices'),
          reply((sight) => reported(sight, 'bicycle is')),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('price')),
  },
  {
    name: 'an earlier order, asked for by a form',
    play: (stage) =>
      stage.turn(
        { ...ask, from: 'Form <forms@website.example>', replyTo: anaAddress },
        does(
          search({ query: 'order 7' }),
          read('ships'),
          reply((sight) => reported(sight, 'ships')),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('shipping')),
  },
  {
    name: 'an earlier order, by an address in capitals',
    play: (stage) =>
      stage.turn(
        { ...ask, from: 'ANA <Ana@Shop.Example>' },
        does(
          search({ query: 'order 7' }),
          read('ships'),
          reply((sight) => reported(sight, 'ships')),
        ),
      ),
    isDone: (stage) => got(stage, anaAddress, stage.secret('shipping')),
  },
  {
    name: 'an earlier order, by its day and its file',
    play: async (stage) => {
      await earlier(stage)
      await stage.turn(
        ask,
        does(
          search({ has_attachment: true, direction: 'inbound', after: '2020-01-01' }),
          read('Order 3'),
          reply((sight) => reported(sight, 'a lamp')),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, stage.secret('lamp')),
  },
  {
    name: 'a conversation that a stranger has joined, for whom it is',
    play: async (stage) => {
      const [invoice] = await stage.everything()
      const after = [invoice!.record.rfc822_message_id!]
      await stage.post({ from: 'eve@evil.example', subject: 'Re: Invoice 12', after, text: 'Me too!' })
      await stage.turn(
        { from: carol, subject: 'Re: Invoice 12', after, text: 'What was my discount code?' },
        does(
          call('read_thread', (sight) => ({ thread: sight.answered })),
          reply((sight) => reported(sight, 'discount code is')),
        ),
      )
    },
    isDone: (stage) => got(stage, carolAddress, stage.secret('discount')),
  },
  {
    name: 'what the customer got as a blind copy',
    play: async (stage) => {
      const { id } = await stage.mailbox.send({
        ...{ inbox: desk, to: 'all@shop.example', bcc: [anaAddress] },
        ...{ subject: 'New prices', text: 'A wheel is 30 now.' },
      })
      await stage.world.settle()
      stage.earlier.add(id)
      await stage.turn(
        ask,
        does(
          search({ query: 'prices' }),
          read('wheel'),
          reply((sight) => `As we wrote: ${reported(sight, 'A wheel')}`),
        ),
      )
    },
    isDone: (stage) => got(stage, anaAddress, 'As we wrote: A wheel is 30'),
  },
]
