import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Mailbox } from '../../mailbox/mailbox'
import type { Message } from '../../mailbox/records/message'
import { ignoredFields } from '../../protocol/proven-view'
import type { MessageSummary } from '../../protocol/records/message'
import { download } from '../core/ask'
import { hrefOf, query, setQuery } from '../core/location'
import { tellError } from '../core/notices'
import { nameOf, senderOf, shownLine, subjectOf } from '../core/shown'
import { fullTime, save, sizeText } from '../core/times'
import { Button } from '../parts/button'
import { useFocus } from '../parts/dialog'
import { Icon } from '../parts/icon'
import { useReading } from '../parts/reading'
import { Failed, Loading } from '../parts/states'
import type { MailList } from './mail-list'
import type { Mover } from './move'
import { proofOf } from './proof'
import { HtmlSide, type HtmlViewer, type Side, sides, TextSide } from './sides'

interface LateProps<Props> {
  /** Tells components apart in the same place. */
  name: string
  load: () => Promise<FunctionComponent<Props>>
  props: Props
}

/** Shows a component that is loaded on first use. */
function Late<Props extends object>({ name, load, props }: LateProps<Props>) {
  const { value, error, again } = useReading(name, load)
  if (error.value) return <Failed error={error.value} again={again} />
  const Component = value.value
  return Component ? <Component {...props} /> : <Loading />
}

const maxFiles = 30

function Attachments({ account, message }: { account: string; message: Message }) {
  const shownAll = useSignal(false)
  const all = message.attachments.filter(({ record }) => !record.decorative)
  if (all.length === 0) return null
  const some = shownAll.value ? all : all.slice(0, maxFiles)
  return (
    <ul class="row" aria-label="Attachments">
      {some.map(({ id, filename, size }) => (
        <li key={id}>
          <Button
            onPress={async () =>
              save(await download(`/attachments/${id}/content`, account), shownLine(filename ?? '') || id)
            }
            title="Download"
          >
            <Icon name="clip" />
            <span class="cut">{shownLine(filename ?? '') || 'unnamed'}</span>{' '}
            <span class="faint">{sizeText(size)}</span>
          </Button>
        </li>
      ))}
      {some.length < all.length && (
        <li>
          <Button kind="link" onPress={() => (shownAll.value = true)}>
            Show {all.length - some.length} more files
          </Button>
        </li>
      )}
    </ul>
  )
}

const maxPeople = 20

function Head({ message: { record } }: { message: Message }) {
  const proof = proofOf(record)
  const ignored = ignoredFields(record)
  const mark = (field: string) =>
    ignored.includes(field) && (
      <span class="tag warn" title="The sender did not sign this field: anyone may have added it.">
        ignored: not signed
      </span>
    )
  const people = (name: string, field: string, all: readonly string[]) =>
    all.length > 0 && (
      <p class="small">
        <span class="faint">{name} </span>
        {all.slice(0, maxPeople).map(shownLine).join(', ')} {mark(field)}
        {all.length > maxPeople && <span class="faint"> and {all.length - maxPeople} more</span>}
      </p>
    )
  return (
    <header>
      <div class="spread">
        <p class="cut">
          <strong>{senderOf(record)}</strong>{' '}
          <span class="faint">{record.from_name !== null && record.from_addr}</span>
        </p>
        <time class="small faint nowrap">{fullTime(record.received_at ?? record.created_at)}</time>
      </div>
      {people('to', 'to', record.to_addrs)}
      {people('cc', 'cc', record.cc_addrs)}
      {people('reply to', 'reply-to', record.reply_to)}
      {people('list', 'list-post', [record.list?.post ?? []].flat())}
      {people('written by', 'x-original-from', [record.list?.author_addr ?? []].flat())}
      {ignored.includes('subject') && <p class="small">subject {mark('subject')}</p>}
      {ignored.some((field) => field === 'in-reply-to' || field === 'references') && (
        <p class="small">position in the conversation {mark('in-reply-to') || mark('references')}</p>
      )}
      {record.authentication?.replayed && (
        <p class="note warn small">
          This is a copy of an earlier message, or of one to somebody else. Its sender may not have sent it to
          you.
        </p>
      )}
      <p class="small proof">
        <span class={`tag ${proof.kind}`}>{proof.short}</span> <span class="soft">{proof.long}</span>
      </p>
      {record.direction === 'outbound' && (
        <p class="small soft">
          {record.delivery_status}
          {record.delivery_detail && `: ${record.delivery_detail}`}
        </p>
      )}
      {record.new_participant && <p class="note warn small">The sender is new in this conversation.</p>}
    </header>
  )
}

interface SidesProps {
  account: string
  viewer: HtmlViewer
  /** Undefined while it is read. */
  message: Message | undefined
}

const loadModelSide = async () => (await import('./source-sides')).ModelSide
const loadSourceSide = async () => (await import('./source-sides')).SourceSide

function Sides({ account, viewer, message }: SidesProps) {
  const side = (query.value.get('show') ?? 'text') as Side
  return (
    <>
      <div class="sides" role="tablist" aria-label="Views">
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
      {side === 'html' ? (
        <HtmlSide account={account} viewer={viewer} message={message} />
      ) : !message ? (
        <Loading />
      ) : side === 'model' ? (
        <Late key={message.id} name="model" load={loadModelSide} props={{ message }} />
      ) : side === 'source' ? (
        <Late key={`source of ${message.id}`} name="source" load={loadSourceSide} props={{ message }} />
      ) : (
        <TextSide key={message.id} message={message} />
      )}
    </>
  )
}

const maxOthers = 50

/** Lists the other messages of the conversation, which can be opened. */
function Others({ messages, open }: { messages: readonly Message[]; open: string }) {
  const shownAll = useSignal(false)
  if (messages.length < 2) return null
  const some = shownAll.value ? messages : messages.slice(-maxOthers)
  return (
    <nav class="others" aria-label="Conversation">
      <h3>Conversation: {messages.length} messages</h3>
      {some.length < messages.length && (
        <Button kind="link" onPress={() => (shownAll.value = true)}>
          Show {messages.length - some.length} earlier messages
        </Button>
      )}
      <ol>
        {some.map(({ id, record, text }) => (
          <li key={id}>
            <button type="button" aria-current={id === open} onClick={() => setQuery({ message: id })}>
              <strong class="nowrap">{record.sent_by ? nameOf(record.sent_by) : senderOf(record)}</strong>
              <span class="cut soft">{shownLine(text)}</span>
              <time class="small faint nowrap">{fullTime(record.created_at)}</time>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface ActionsProps {
  account: string
  record: MessageSummary
  /** Adds or removes a label. */
  onToggle: (name: string) => Promise<unknown>
}

/** Returns the address of the conversation of a message, where people reply to it. */
export const conversationOf = (account: string, { id, thread_id, direction }: MessageSummary): string =>
  hrefOf('/conversations', {
    ...{ account, filter: 'all', thread: thread_id },
    reply: direction === 'inbound' ? id : null,
  })

/** Labels with a button, and its text while the message has the label (`on`) or does not (`off`). */
const moves = [
  { name: 'archived', icon: 'archive', key: 'e', on: 'Move to inbox', off: 'Archive' },
  { name: 'trash', icon: 'trash', key: '#', on: 'Restore', off: 'Trash' },
  { name: 'unread', icon: 'unread', key: 'u', on: 'Mark read', off: 'Mark unread' },
  { name: 'spam', icon: 'warn', key: '!', on: 'Not spam', off: 'Spam' },
] as const

function LabelForm({ onToggle, onDone }: Pick<ActionsProps, 'onToggle'> & { onDone: () => void }) {
  return (
    <form
      class="row adding"
      ref={useFocus<HTMLFormElement>()}
      onSubmit={(event) => {
        event.preventDefault()
        const name = String(new FormData(event.currentTarget).get('name')).trim()
        onDone()
        if (name) void onToggle(name)
      }}
    >
      <input
        class="input"
        name="name"
        aria-label="Label to add or remove"
        placeholder="Label name"
        maxLength={100}
        list="labels"
      />
      <button type="submit" class="button">
        Add or remove
      </button>
    </form>
  )
}

/** Shows the actions for a message. */
function Actions({ account, record, onToggle }: ActionsProps) {
  const adding = useSignal(false)
  return (
    <>
      <div class="bar">
        <div class="back">
          <Button kind="quiet" label="Back to the list" onPress={() => setQuery({ message: null })}>
            <Icon name="back" />
          </Button>
        </div>
        <a class="button" href={conversationOf(account, record)} title="Reply in the conversation (r)">
          <Icon name="reply" /> {record.direction === 'inbound' ? 'Reply' : 'Conversation'}
        </a>
        {moves.map(({ name, icon, key, on, off }) => {
          const isOn = record.labels.includes(name)
          const says = isOn ? on : off
          return (
            <Button
              key={name}
              kind="quiet"
              title={`${off} (${key})`}
              label={says}
              pressed={isOn}
              onPress={() => onToggle(name)}
            >
              <Icon name={icon} /> <span class="wide">{says}</span>
            </Button>
          )
        })}
        <Button kind="quiet" label="Label" onPress={() => (adding.value = !adding.value)}>
          <Icon name="label" /> <span class="wide">Label</span>
        </Button>
      </div>
      {adding.value && <LabelForm onToggle={onToggle} onDone={() => (adding.value = false)} />}
    </>
  )
}

interface ViewProps {
  account: string
  mailbox: Mailbox
  mover: Mover
  viewer: HtmlViewer
  list: MailList
  id: string
}

/** Shows one message in full, with its conversation. */
export function MessageView({ account, mailbox, mover, viewer, list, id }: ViewProps) {
  const { value, error, again } = useReading(id, (signal) => mailbox.messages.get(id, { signal }))
  const thread = useReading(`thread of ${id}`, async () =>
    mailbox.threads.get((await mailbox.messages.get(id)).threadId),
  )
  const message = value.value
  const threadId = message?.record.thread_id
  useEffect(
    () =>
      mailbox.on('event', ({ type, data }) => {
        if (data.thread_id === threadId && /^message\.(received|queued|deleted)$/.test(type))
          void thread.again()
      }),
    [threadId],
  )
  useEffect(() => {
    if (message?.labels.includes('unread'))
      mover.set(list, [message.record], 'unread', false).catch(tellError)
  }, [message !== undefined])
  if (error.value) return <Failed error={error.value} again={again} />
  // The record of the list has later changes.
  const record = message && (list.find(id)?.record ?? message.record)
  const subject = subjectOf(record ?? { subject: '' })
  const toggle = async (name: string) => {
    if (!record) return
    await mover.move(list, [record], name, !record.labels.includes(name))
    await again()
  }
  return (
    <article class="mail" aria-label={record ? subject : 'Loading message'} aria-busy={!record}>
      {record && <Actions account={account} record={record} onToggle={toggle} />}
      {record && <h2>{subject}</h2>}
      {message && <Head message={message} />}
      {message && <Attachments account={account} message={message} />}
      <Sides account={account} viewer={viewer} message={message} />
      {thread.value.value && <Others messages={thread.value.value.messages} open={id} />}
    </article>
  )
}
