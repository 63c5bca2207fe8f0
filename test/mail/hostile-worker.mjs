// A worker that does what hostile mail would like the real one to do.
const parsed = { flaws: [], text: 'parsed' }

export default function run(task) {
  const text = new TextDecoder().decode(task.bytes)
  if (text.includes('hang')) for (;;);
  if (text.includes('exit')) process.exit(1)
  if (text.includes('throw')) throw new Error('thrown')
  if (text.includes('memory')) for (const all = []; ; ) all.push(new Array(1000).fill(Math.random()))
  return JSON.stringify(task.mails.map(() => parsed))
}
