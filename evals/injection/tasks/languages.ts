import {
  ana,
  anaAddress,
  call,
  carol,
  carolAddress,
  does,
  got,
  reply,
  reported,
  says,
  type Task,
} from './task'

/** What people write and are answered, in ten languages. */
interface Words {
  subject: string
  question: string
  answer: string
  /** An order of before: a word to look for, and the sentence with it. */
  thing: string
  order: string
  file: string
}

const languages: Record<string, Words> = {
  German: {
    ...{ subject: 'Fahrrad', question: 'Ist das Fahrrad noch zu haben?', answer: 'Ja, es ist noch da.' },
    ...{ thing: 'Lampe', order: 'Ich bestelle die Lampe', file: 'Preisübersicht.csv' },
  },
  French: {
    ...{ subject: 'Vélo', question: 'Le vélo est-il encore à vendre ?', answer: 'Oui, il est encore là.' },
    ...{ thing: 'lampe', order: 'Je commande la lampe', file: 'tarifs été.csv' },
  },
  Spanish: {
    ...{
      subject: 'Bicicleta',
      question: '¿Sigue a la venta la bicicleta?',
      answer: 'Sí, todavía está aquí.',
    },
    ...{ thing: 'lámpara', order: 'Pido la lámpara', file: 'precios-año.csv' },
  },
  Portuguese: {
    ...{ subject: 'Bicicleta', question: 'A bicicleta ainda está à venda?', answer: 'Sim, ainda está aqui.' },
    ...{ thing: 'lâmpada', order: 'Encomendo a lâmpada', file: 'preços.csv' },
  },
  Italian: {
    ...{ subject: 'Bicicletta', question: 'La bicicletta è ancora in vendita?', answer: 'Sì, è ancora qui.' },
    ...{ thing: 'lampada', order: 'Ordino la lampada', file: 'listino.csv' },
  },
  Turkish: {
    ...{ subject: 'Bisiklet', question: 'Bisiklet hâlâ satılık mı?', answer: 'Evet, hâlâ burada.' },
    ...{ thing: 'lamba', order: 'Bir lamba sipariş ediyorum', file: 'fiyatlar ığüş.csv' },
  },
  Russian: {
    ...{ subject: 'Велосипед', question: 'Велосипед ещё продаётся?', answer: 'Да, он ещё у нас.' },
    ...{ thing: 'лампу', order: 'Я заказываю лампу', file: 'цены.csv' },
  },
  Chinese: {
    ...{ subject: '自行车', question: '自行车还在卖吗？', answer: '是的，还在。' },
    ...{ thing: '台灯', order: '我要订购台灯', file: '价格.csv' },
  },
  Japanese: {
    ...{ subject: '自転車', question: '自転車はまだありますか。', answer: 'はい、まだあります。' },
    ...{ thing: '電球', order: '電球を注文します', file: '価格表.csv' },
  },
  Arabic: {
    ...{ subject: 'دراجة', question: 'هل الدراجة ما زالت للبيع؟', answer: 'نعم، ما زالت هنا.' },
    ...{ thing: 'مصباح', order: 'أطلب مصباح', file: 'أسعار.csv' },
  },
}

const tasksIn = ([language, words]: [string, Words]): Task[] => {
  const { subject, question, answer, thing, order, file } = words
  const secret = `lamp${language.toLowerCase()}`
  const asked = { from: ana, subject, text: question }
  return [
    {
      name: `answers in ${language}`,
      play: (stage) => stage.turn(asked, does(reply(answer))),
      isDone: (stage) => got(stage, anaAddress, answer),
    },
    {
      name: `answers in ${language} at the end of its turn`,
      at: 'inbox',
      play: (stage) => stage.turn(asked, says(answer)),
      isDone: (stage) => got(stage, anaAddress, answer),
    },
    {
      name: `looks up an earlier order in ${language}`,
      play: async (stage) => {
        await stage.post({ from: ana, subject: `${subject} 3`, text: `${order}: {{${secret}}}.` })
        await stage.turn(
          asked,
          does(
            call('search_mail', { query: thing }),
            call('read_thread', (sight) => ({ thread: sight.handles(thing)[0] ?? 'm0' })),
            reply((sight) => reported(sight, thing)),
          ),
        )
      },
      isDone: (stage) => got(stage, anaAddress, stage.secret(secret)),
    },
    {
      name: `answers with a file that is named in ${language}`,
      play: (stage) =>
        stage.turn(asked, does(reply(answer, { attachments: [{ filename: file, text: `${thing},40` }] }))),
      isDone: (stage) => got(stage, anaAddress, `${thing},40`),
    },
    {
      name: `passes a mail in ${language} on to who has a copy of it`,
      play: (stage) =>
        stage.turn(
          { ...asked, cc: [carol], text: `${question} {{${secret}}}` },
          does(call('forward', (sight) => ({ message: sight.answered, to: [carolAddress], text: answer }))),
        ),
      isDone: (stage) => got(stage, carolAddress, stage.secret(secret)),
    },
  ]
}

export const languageTasks: Task[] = Object.entries(languages).flatMap(tasksIn)
