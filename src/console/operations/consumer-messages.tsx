import type { DeadLetter, MessageSummary } from '../../protocol/records'
import { call, hrefOf, query, readAll, senderOf, setQuery, shortTime, subjectOf, tell } from '../core'
import { Button, Failed, Loading, useReading } from '../parts'

/** A message that a consumer does not have, and why. */
interface Lost {
  message: MessageSummary
  why: string
}

const reasons: Record<string, string> = {
  automatic: 'a program wrote it',
  mail_loop: 'twenty mails in a row were written by agents',
  own_address: 'an answer would come back here',
  no_sender: 'it has no sender that can be written to',
  answered: 'it was answered',
}

async function readLost(account: string, name: string, list: 'dead' | 'skipped'): Promise<Lost[]> {
  if (list === 'dead') {
    const letters = await readAll<DeadLetter>(`/consumers/${name}/dead-letters`, 'dead_letters', account)
    return letters.map(({ message, attempts, dead_at }) => ({
      message,
      why: `${attempts} attempts, the last ${shortTime(dead_at)}`,
    }))
  }
  const messages = await readAll<MessageSummary>(`/consumers/${name}/skipped`, 'messages', account)
  return messages.map((message) => ({
    message,
    why: reasons[message.unanswerable ?? ''] ?? String(message.unanswerable),
  }))
}

const matches = ({ message: { from_addr, from_name, subject } }: Lost, words: string): boolean =>
  `${from_name ?? ''} ${from_addr} ${subject}`.toLowerCase().includes(words.trim().toLowerCase())

/** The most that the service takes in one request. */
const maxAtOnce = 100

async function redrive(account: string, name: string, lost: readonly Lost[]): Promise<number> {
  let sum = 0
  for (let at = 0; at < lost.length; at += maxAtOnce) {
    const message_ids = lost.slice(at, at + maxAtOnce).map(({ message }) => message.id)
    const { redriven } = await call<{ redriven: number }>(`/consumers/${name}/redrive`, {
      method: 'POST',
      body: { message_ids },
      account,
    })
    sum += redriven
  }
  return sum
}

interface ListProps {
  accountId: string
  name: string
  list: 'dead' | 'skipped'
  /** Messages were sent round: the numbers are others now. */
  onChanged: () => Promise<void>
}

/** What a consumer gave up or left out: looked through, and sent round again, one or all that match. */
export function ConsumerMessages({ accountId, name, list, onChanged }: ListProps) {
  const { value, error, again } = useReading(`${accountId} ${name} ${list}`, () =>
    readLost(accountId, name, list),
  )
  if (error.value) return <Failed error={error.value} again={again} />
  if (!value.value) return <Loading />
  const words = query.value.get('find') ?? ''
  const found = value.value.filter((one) => matches(one, words))
  const send = async (lost: readonly Lost[]) => {
    const sum = await redrive(accountId, name, lost)
    await Promise.all([again(), onChanged()])
    tell(`${sum === 1 ? 'One message goes' : `${sum} messages go`} round again.`)
  }
  return (
    <>
      <div class="row">
        <input
          class="input find"
          type="search"
          aria-label="Only those with these words in sender or subject"
          placeholder="Find by sender or subject"
          value={words}
          onInput={(event) => setQuery({ find: event.currentTarget.value }, { replace: true })}
        />
        {found.length > 0 && (
          <Button onPress={() => send(found)}>
            Send round {words === '' ? 'all' : 'what matches'}: {found.length}
          </Button>
        )}
      </div>
      {found.length === 0 && (
        <p class="soft">{value.value.length === 0 ? 'Nothing is here any more.' : 'Nothing matches.'}</p>
      )}
      <ul class="lost">
        {found.map((one) => (
          <li key={one.message.id}>
            <span class="cut">
              <a href={hrefOf('/mail', { account: accountId, view: 'all', message: one.message.id })}>
                {subjectOf(one.message)}
              </a>
            </span>
            <span class="cut soft" title={one.message.from_addr}>
              {senderOf(one.message)}
            </span>
            <span class="small faint cut">{one.why}</span>
            <time class="small faint nowrap">{shortTime(one.message.created_at)}</time>
            <Button onPress={() => send([one])} label={`Send round ${subjectOf(one.message)}`}>
              Send round
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
