import { openDialogue } from './smtp-dialogue.mjs'

const connections = 10
const vocabulary = 5_000

/** Numbers that are the same in every run. */
function seeded(seed) {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Few words are in many mails, many in few, as in any language. */
const word = (random) => `word${Math.floor(vocabulary * (random(1_000) / 1_000) ** 3)}`

function mail(i) {
  const random = seeded(i + 1)
  const line = () => Array.from({ length: 10 }, () => word(random)).join(' ')
  const body = Array.from({ length: 20 }, line).join('\r\n')
  const person = `person${random(500)}`
  return `From: ${person} <${person}@example.com>\r\nTo: agent\r\nSubject: ${line()}\r\nMessage-ID: <fill-${i}@example.com>\r\n\r\n${body}\r\n.\r\n`
}

/** Brings in mails that differ, 10 connections at a time. */
export async function fill({ smtp, address }, count) {
  let next = 0
  const work = async () => {
    const { socket, begin, reply } = await openDialogue(smtp)
    while (next < count) {
      const i = next++
      await begin(`person@example.com`, address)
      socket.write(mail(i))
      await reply()
    }
    socket.end()
  }
  await Promise.all(Array.from({ length: connections }, work))
}
