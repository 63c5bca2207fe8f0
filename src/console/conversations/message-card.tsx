import { useSignal } from '@preact/signals'
import type { Message } from '../../mailbox/records/message'
import { download } from '../core/ask'
import { hrefOf } from '../core/location'
import { doneBy, nameOf, senderOf, shownLine } from '../core/shown'
import { fullTime, save, sizeText } from '../core/times'
import { proofOf } from '../mail/proof'
import { HtmlSide, type HtmlViewer } from '../mail/sides'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'
import { LinkedText } from './linked-text'

function Files({ account, message }: { account: string; message: Message }) {
  const files = message.attachments.filter(({ record }) => !record.decorative)
  if (files.length === 0) return null
  return (
    <ul class="row" aria-label="Attachments">
      {files.slice(0, 30).map(({ id, filename, size }) => {
        const name = shownLine(filename ?? '') || 'unnamed'
        return (
          <li key={id}>
            <Button
              title="Download"
              onPress={async () => save(await download(`/attachments/${id}/content`, account), name)}
            >
              <Icon name="clip" /> <span class="cut">{name}</span> <span class="faint">{sizeText(size)}</span>
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

/** Returns a text without the quoted lines at its end. */
function unquoted(text: string): string {
  const lines = text.split('\n')
  const last = lines.findLastIndex((line) => line.trim() !== '' && !line.startsWith('>'))
  return last < 0 ? text : lines.slice(0, last + 1).join('\n')
}

interface CardProps {
  account: string
  viewer: HtmlViewer
  message: Message
  /** Whether its text is shown at first. */
  isOpen: boolean
  /** Undefined if the conversation has a button for it. */
  onReply: (() => void) | undefined
  onForward: () => void
}

/** Shows the new text of a message, its whole text or its HTML, and what can be done with it. */
function Opened({ account, viewer, message, onReply, onForward }: CardProps) {
  const whole = useSignal<string | null>(null)
  const isHtml = useSignal(false)
  const by = doneBy(message.record)
  const toggle = async () => {
    whole.value = whole.value === null ? (await message.body()).text : null
  }
  return (
    <>
      {isHtml.value ? (
        <HtmlSide account={account} viewer={viewer} message={message} />
      ) : (
        <LinkedText text={whole.value ?? unquoted(message.text)} />
      )}
      <Files account={account} message={message} />
      {by && <p class="small soft by">{by}</p>}
      <div class="row small">
        {onReply && (
          <Button kind="link" onPress={onReply}>
            Reply to this message
          </Button>
        )}
        <Button kind="link" onPress={onForward}>
          Forward
        </Button>
        {!isHtml.value && (
          <Button kind="link" onPress={toggle}>
            {whole.value === null ? 'Show whole text' : 'Hide quoted text'}
          </Button>
        )}
        <Button kind="link" onPress={() => (isHtml.value = !isHtml.value)}>
          {isHtml.value ? 'Show text' : 'Show HTML'}
        </Button>
        <a href={hrefOf('/messages', { account, view: 'all', message: message.id })}>Details and original</a>
      </div>
    </>
  )
}

/** Shows one message of a conversation, with its quoted text folded. */
export function MessageCard(props: CardProps) {
  const { message, isOpen } = props
  const { record } = message
  const open = useSignal(isOpen)
  const proof = proofOf(record)
  const name = record.sent_by ? nameOf(record.sent_by) : senderOf(record)
  return (
    <article class={`bubble ${record.direction}`} aria-label={`Message from ${name}`}>
      <button
        type="button"
        class="fold"
        aria-expanded={open.value}
        onClick={() => (open.value = !open.value)}
      >
        <strong class="cut">{name}</strong>
        <span class="cut faint small">{open.value ? '' : shownLine(message.text)}</span>
        <time class="small faint nowrap">{fullTime(record.received_at ?? record.created_at)}</time>
      </button>
      {open.value && (
        <>
          <p class="small faint">
            {record.from_addr} to {record.to_addrs.slice(0, 5).map(shownLine).join(', ')}{' '}
            {record.direction === 'inbound' && (
              <span class={`tag ${proof.kind}`} title={proof.long}>
                {proof.short}
              </span>
            )}
          </p>
          <Opened {...props} />
        </>
      )}
    </article>
  )
}
