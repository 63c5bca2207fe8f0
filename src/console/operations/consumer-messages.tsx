import type { DeadLetter } from '../../protocol/records/consumer'
import type { MessageSummary } from '../../protocol/records/message'
import { call, readAll } from '../core/ask'
import { hrefOf, query, setQuery } from '../core/location'
import { tell } from '../core/notices'
import { senderOf, subjectOf } from '../core/shown'
import { shortTime } from '../core/times'
import { Button } from '../parts/button'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'

/** Message that a consumer gave up or skipped, and why. */
interface Lost {
  message: MessageSummary
  why: string
}

const reasons: Record<string, string> = {
  automatic: 'a program wrote it',
  mail_loop: 'mail loop: agents wrote the last twenty messages',
  own_address: 'a reply would come back here',
  no_sender: 'it has no sender to reply to',
  answered: 'it was already answered',
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

/** Maximum number of messages that the service accepts in one request. */
const maxAtOnce = 100

/** Numbers of messages that are delivered again, and of those left out because they were answered. */
interface Redriven {
  redriven: number
  left_out: number
}

async function redrive(account: string, name: string, lost: readonly Lost[], key: string): Promise<Redriven> {
  const sum = { redriven: 0, left_out: 0 }
  for (let at = 0; at < lost.length; at += maxAtOnce) {
    const message_ids = lost.slice(at, at + maxAtOnce).map(({ message }) => message.id)
    const { redriven, left_out } = await call<Redriven>(`/consumers/${name}/redrive`, {
      method: 'POST',
      body: { message_ids },
      account,
      key: `${key}-${at}`,
    })
    sum.redriven += redriven
    sum.left_out += left_out
  }
  return sum
}

interface ListProps {
  accountId: string
  name: string
  list: 'dead' | 'skipped'
  /** Called after messages were redriven, since the counts have changed. */
  onChanged: () => Promise<void>
}

/** Lists messages that a consumer gave up or skipped. Redrives one, or all that match the search. */
export function ConsumerMessages({ accountId, name, list, onChanged }: ListProps) {
  const { value, error, again } = useReading(`${accountId} ${name} ${list}`, () =>
    readLost(accountId, name, list),
  )
  if (error.value) return <Failed error={error.value} again={again} />
  if (!value.value) return <Loading />
  const words = query.value.get('find') ?? ''
  const found = value.value.filter((one) => matches(one, words))
  const send = async (lost: readonly Lost[], key: string) => {
    const { redriven, left_out } = await redrive(accountId, name, lost, key)
    await Promise.all([again(), onChanged()])
    const stays = left_out > 0 ? ` ${left_out} left out: a later message was sent in their conversation.` : ''
    tell(`${redriven === 1 ? 'One message' : `${redriven} messages`} redriven.${stays}`)
  }
  return (
    <>
      <div class="row">
        <input
          class="input find"
          type="search"
          aria-label="Filter by sender or subject"
          placeholder="Filter by sender or subject"
          value={words}
          onInput={(event) => setQuery({ find: event.currentTarget.value }, { replace: true })}
        />
        {found.length > 0 && (
          <Button onPress={(key) => send(found, key)}>
            Redrive {words === '' ? 'all' : 'matches'}: {found.length}
          </Button>
        )}
      </div>
      {found.length === 0 && (
        <p class="soft">{value.value.length === 0 ? 'No messages left.' : 'No messages match.'}</p>
      )}
      <ul class="lost">
        {found.map((one) => (
          <li key={one.message.id}>
            <span class="cut">
              <a href={hrefOf('/messages', { account: accountId, view: 'all', message: one.message.id })}>
                {subjectOf(one.message)}
              </a>
            </span>
            <span class="cut soft" title={one.message.from_addr}>
              {senderOf(one.message)}
            </span>
            <span class="small faint cut">{one.why}</span>
            <time class="small faint nowrap">{shortTime(one.message.created_at)}</time>
            <Button onPress={(key) => send([one], key)} label={`Redrive ${subjectOf(one.message)}`}>
              Redrive
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
