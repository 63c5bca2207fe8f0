import { useSignal } from '@preact/signals'
import type { Mailbox, Message } from '../../mailbox'
import { download, fullTime, query, setQuery, sizeText } from '../core'
import { Button, Failed, Icon, Loading, useReading } from '../parts'
import { type MailList, threadOf } from './mail-list'
import { move } from './move'
import { proofOf } from './proof'
import { ReplyBox } from './reply-box'
import { HtmlSide, ModelSide, type Side, SourceSide, sides, TextSide } from './sides'

/** Gives a file to the person, and shows nothing of it. */
async function save(account: string, id: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await download(`/attachments/${id}/content`, account))
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function Attachments({ account, message }: { account: string; message: Message }) {
  if (message.attachments.length === 0) return null
  return (
    <ul class="row" aria-label="Attachments">
      {message.attachments.map(({ id, filename, size }) => (
        <li key={id}>
          <Button onPress={() => save(account, id, filename ?? id)} title="Download">
            <Icon name="clip" />
            {filename ?? 'unnamed'} <span class="faint">{sizeText(size)}</span>
          </Button>
        </li>
      ))}
    </ul>
  )
}

function Head({ message: { record } }: { message: Message }) {
  const proof = proofOf(record)
  const people = (name: string, all: readonly string[]) =>
    all.length > 0 && (
      <p class="small">
        <span class="faint">{name} </span>
        {all.join(', ')}
      </p>
    )
  return (
    <header>
      <div class="spread">
        <p class="cut">
          <strong>{record.from_name ?? record.from_addr}</strong>{' '}
          <span class="faint">{record.from_name !== null && record.from_addr}</span>
        </p>
        <time class="small faint nowrap">{fullTime(record.received_at ?? record.created_at)}</time>
      </div>
      {people('to', record.to_addrs)}
      {people('cc', record.cc_addrs)}
      {people('answers go to', record.reply_to)}
      <p class="small proof">
        <span class={`tag ${proof.kind}`}>{proof.short}</span> <span class="soft">{proof.long}</span>
      </p>
      {record.direction === 'outbound' && (
        <p class="small soft">
          {record.delivery_status}
          {record.delivery_detail && `: ${record.delivery_detail}`}
        </p>
      )}
      {record.new_participant && (
        <p class="note warn small">Somebody writes here who had no part in this conversation before.</p>
      )}
    </header>
  )
}

function Sides({ account, message }: { account: string; message: Message }) {
  const side = (query.value.get('show') ?? 'text') as Side
  return (
    <>
      <div class="sides" role="tablist" aria-label="Ways to look at it">
        {Object.entries(sides).map(([name, title]) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === side}
            onClick={() => setQuery({ show: name === 'text' ? null : name }, { replace: true })}
          >
            {title}
          </button>
        ))}
      </div>
      {side === 'model' ? (
        <ModelSide key={message.id} message={message} />
      ) : side === 'source' ? (
        <SourceSide key={message.id} message={message} />
      ) : side === 'html' ? (
        <HtmlSide key={message.id} account={account} message={message} />
      ) : (
        <TextSide key={message.id} message={message} />
      )}
    </>
  )
}

/** The others of the conversation, each of which can be opened. */
function Others({ messages, open }: { messages: readonly Message[]; open: string }) {
  if (messages.length < 2) return null
  return (
    <nav class="others" aria-label="The conversation">
      <h3>The conversation: {messages.length} messages</h3>
      <ol>
        {messages.map(({ id, record, from, text }) => (
          <li key={id}>
            <button type="button" aria-current={id === open} onClick={() => setQuery({ message: id })}>
              <strong class="nowrap">
                {record.direction === 'outbound' ? 'The agent' : (from.name ?? from.address)}
              </strong>
              <span class="cut soft">{text}</span>
              <time class="small faint nowrap">{fullTime(record.created_at)}</time>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface ViewProps {
  account: string
  mailbox: Mailbox
  list: MailList
  id: string
  answering: boolean
  onAnswer: (on: boolean) => void
}

/** One message, whole, with its conversation. */
export function MessageView({ account, mailbox, list, id, answering, onAnswer }: ViewProps) {
  const { value, error, again } = useReading(id, (signal) => mailbox.messages.get(id, { signal }))
  const thread = useReading(`thread of ${id}`, async () =>
    threadOf(mailbox, (await mailbox.messages.get(id)).record),
  )
  const adding = useSignal(false)
  const message = value.value
  if (error.value) return <Failed error={error.value} again={again} />
  if (!message) return <Loading />
  // The list has heard of what was changed since.
  const record = list.rows.value.find((row) => row.record.id === id)?.record ?? message.record
  const has = (name: string) => record.labels.includes(name)
  const toggle = (name: string) => move({ mailbox, list }, [record], name, !has(name)).then(() => again())
  return (
    <article class="mail" aria-label={record.subject || '(no subject)'}>
      <div class="bar">
        <div class="back">
          <Button kind="quiet" label="To the list" onPress={() => setQuery({ message: null })}>
            <Icon name="back" />
          </Button>
        </div>
        {record.direction === 'inbound' && (
          <Button onPress={() => onAnswer(true)} title="Answer (r)">
            <Icon name="reply" /> Answer
          </Button>
        )}
        <Button
          kind="quiet"
          title="Archive (e)"
          label={has('archived') ? 'To the inbox' : 'Archive'}
          pressed={has('archived')}
          onPress={() => toggle('archived')}
        >
          <Icon name="archive" /> <span class="wide">{has('archived') ? 'To the inbox' : 'Archive'}</span>
        </Button>
        <Button
          kind="quiet"
          title="Trash (#)"
          label={has('trash') ? 'Out of the trash' : 'Trash'}
          pressed={has('trash')}
          onPress={() => toggle('trash')}
        >
          <Icon name="trash" /> <span class="wide">{has('trash') ? 'Out of the trash' : 'Trash'}</span>
        </Button>
        <Button
          kind="quiet"
          title="Unread (u)"
          label={has('unread') ? 'Read' : 'Unread'}
          pressed={has('unread')}
          onPress={() => toggle('unread')}
        >
          <Icon name="unread" /> <span class="wide">{has('unread') ? 'Read' : 'Unread'}</span>
        </Button>
        <Button
          kind="quiet"
          label={has('spam') ? 'Not spam' : 'Spam'}
          pressed={has('spam')}
          onPress={() => toggle('spam')}
        >
          <Icon name="warn" /> <span class="wide">{has('spam') ? 'Not spam' : 'Spam'}</span>
        </Button>
        <Button kind="quiet" onPress={() => (adding.value = !adding.value)}>
          Label
        </Button>
      </div>
      {adding.value && (
        <form
          class="row adding"
          onSubmit={(event) => {
            event.preventDefault()
            const name = String(new FormData(event.currentTarget).get('name')).trim()
            adding.value = false
            if (name) void toggle(name)
          }}
        >
          <input
            class="input"
            name="name"
            aria-label="Label to put on or take off"
            maxLength={100}
            list="labels"
          />
          <button type="submit" class="button">
            Put on, or take off
          </button>
        </form>
      )}
      <h2>{record.subject || '(no subject)'}</h2>
      <Head message={message} />
      <Attachments account={account} message={message} />
      <Sides account={account} message={message} />
      {answering && <ReplyBox message={message} onDone={() => onAnswer(false)} />}
      {thread.value.value && <Others messages={thread.value.value} open={id} />}
    </article>
  )
}
