// A worker that does what hostile mail would like the real one to do.
const parsed = { flaws: [], text: 'parsed', replyText: '', attachments: [] }

function header(text, flaw) {
  if (text.includes('unreadable')) for (;;);
  return JSON.stringify({
    subject: /Subject: (.*)/.exec(text)?.[1],
    text: '',
    replyText: '',
    attachments: [],
    flaws: [flaw],
  })
}

export default function run(task) {
  const text = task.mail?.subject ?? new TextDecoder().decode(task.bytes)
  if (task.kind === 'header') return header(text, task.flaw)
  if (text.includes('hang')) for (;;);
  if (task.kind === 'verify') return import('#mail-parser-worker').then((real) => real.default(task))
  if (text.includes('exit')) process.exit(1)
  if (text.includes('throw')) throw new Error('thrown')
  if (text.includes('memory')) for (const all = []; ; ) all.push(new Array(1000).fill(Math.random()))
  if (task.kind !== 'parse') return text
  return JSON.stringify(task.mails.map(() => parsed))
}
