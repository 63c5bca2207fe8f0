import { type Message, untrustedField, untrustedText } from 'restante'
import { defineTool } from './define'
import { type FoundMail, findMessages } from './finding'
import { toolInput, words } from './input'
import { limit, mailOutput } from './schemas'

const mostPeople = 20
/** Number of messages found each way. Each is named, so that a transcript shows what was read. */
const perPerson = 10

/** Person in the messages of this mailbox. */
interface Contact {
  address: string
  name: string | null
  received: Message[]
  sent: Message[]
}

const dayOf = (messages: readonly Message[]): string => {
  const times = messages.map(({ receivedAt }) => receivedAt.getTime())
  return new Date(Math.max(...times)).toISOString().slice(0, 10)
}

const rowOfContact = ({ address, name, received, sent }: Contact): string => {
  const proven = received.filter(({ verified, list }) => verified && !list?.from_list).length
  const wrote =
    received.length > 0
      ? `wrote ${received.length}, the last ${dayOf(received)}, ${proven} of them proven`
      : 'wrote nothing that was found'
  const got =
    sent.length > 0 ? `; got ${sent.length}, the last ${dayOf(sent)}` : '; got nothing that was found'
  const called = name === null ? '' : ` (calls itself ${untrustedField(name, 80)})`
  const handles = [...received, ...sent].map(({ handle }) => handle).join(' ')
  return `${untrustedField(address, 100)}${called}; ${wrote}${got}; mails ${handles}`
}

/** Groups messages by person, in the order of the received ones. */
function contactsOf(received: readonly FoundMail[], sent: readonly FoundMail[], who: string): Contact[] {
  const contacts = new Map<string, Contact>()
  const contact = (address: string) => {
    const key = address.toLowerCase()
    const known = contacts.get(key) ?? { address, name: null, received: [], sent: [] }
    contacts.set(key, known)
    return known
  }
  for (const { message } of received) {
    const known = contact(message.from.address)
    known.name ??= message.from.name
    known.received.push(message)
  }
  for (const { message } of sent)
    for (const address of [...message.to, ...message.cc])
      if (contacts.has(address.toLowerCase()) || address.toLowerCase().includes(who.toLowerCase()))
        contact(address).sent.push(message)
  return [...contacts.values()]
}

/** Messages that may not be shown while one is answered are not counted either: only found messages count. */
const findContact = defineTool({
  name: 'find_contact',
  description:
    'Tells who somebody is by the mail there is: addresses, when you wrote to each other, what is proven.',
  risk: 'read',
  input: toolInput({ who: words(300, 1).describe('Address, domain or name') }),
  output: mailOutput,
  run: async (mailbox, { who }, { session, signal }) => {
    const { guard, maxTokens } = session
    const [received, sent] = await Promise.all([
      findMessages(mailbox, guard, { from: who, direction: 'inbound' }, perPerson, signal),
      findMessages(mailbox, guard, { to: who, direction: 'outbound' }, perPerson, signal),
    ])
    const contacts = contactsOf(received.items, sent.items, who).slice(0, mostPeople)
    guard.show([...received.items, ...sent.items].map(({ message }) => message))
    if (contacts.length === 0) return { status: 'ok' as const, mail: 'No mail with such a person found.' }
    const isCut = [received, sent].some((one) => one.isCut || one.nextCursor !== null)
    const introduction = `${contacts.length} people${isCut ? `, by the newest ${perPerson} mails each way` : ''}, one on a line.`
    const list = untrustedText(contacts.map(rowOfContact), { introduction, maxTokens })
    return { status: 'ok' as const, mail: list.text }
  },
})

const rowOfWaiting = ({ message }: FoundMail): string => {
  const { handle, receivedAt, from, subject } = message
  return `${handle}; since ${receivedAt.toISOString()}; from ${untrustedField(from.address, 80)}; subject ${untrustedField(subject, 150)}`
}

const whatWaits = defineTool({
  name: 'what_waits',
  description: 'Lists mail of people that nobody has answered. What waits to go out is in list_drafts.',
  risk: 'read',
  input: toolInput({ limit }),
  output: mailOutput,
  run: async (mailbox, { limit = 10 }, { session, signal }) => {
    const { guard, maxTokens } = session
    const where = { query: 'is:unanswered', direction: 'inbound' as const }
    const found = await findMessages(mailbox, guard, where, limit, signal)
    const waiting = found.items.filter(({ message }) => !message.automatic)
    const hidden = found.hidden > 0 ? ` ${found.hidden} more ${guard.outside}.` : ''
    if (waiting.length === 0) return { status: 'ok' as const, mail: `Nobody waits for an answer.${hidden}` }
    const list = untrustedText(waiting.map(rowOfWaiting), {
      introduction: `${waiting.length} mails without an answer, one on a line.`,
      maxTokens,
    })
    guard.show(waiting.slice(0, list.shown).map(({ message }) => message))
    const more = found.isCut || found.nextCursor !== null ? ' There are more: give a higher limit.' : ''
    return { status: 'ok' as const, mail: `${list.text}${more}${hidden}` }
  },
})

export const overviewTools = { find_contact: findContact, what_waits: whatWaits }
