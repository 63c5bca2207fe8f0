import type { ListedMessage } from '../../protocol/records/message'
import { hrefOf, setQuery } from '../core/location'
import { nameOf, senderOf, shownLine, subjectOf } from '../core/shown'
import { fullTime, shortTime } from '../core/times'
import { Button } from '../parts/button'
import { Icon } from '../parts/icon'

const wordsOf = ({ reply_text, body_text, preview }: ListedMessage) => reply_text || body_text || preview

/** Shows the delivery status of a message of the agent. */
function Outcome({ mail: { delivery_status, delivery_detail } }: { mail: ListedMessage }) {
  const isBad = ['bounced', 'rejected', 'complained'].includes(delivery_status)
  return (
    <span class={`tag ${isBad ? 'wrong' : ''}`} title={delivery_detail ?? ''}>
      {delivery_status === 'sent' ? 'captured' : delivery_status}
    </span>
  )
}

function Proof({ mail: { authentication } }: { mail: ListedMessage }) {
  if (authentication === null) return <span class="tag">not verified</span>
  return authentication.from_verified ? (
    <span class="tag good">verified</span>
  ) : (
    <span class="tag warn">not verified</span>
  )
}

interface PassedProps {
  accountId: string
  mail: ListedMessage
  /** True for the message that is being answered. */
  isAnswered: boolean
}

/** Shows a message that was received or sent. */
export function Passed({ accountId, mail, isAnswered }: PassedProps) {
  const { id, direction, to_addrs, created_at, sent_by } = mail
  const isFromAgent = direction === 'outbound'
  const writer = sent_by?.kind === 'operator' ? nameOf(sent_by) : 'Your agent'
  const answer = () => {
    setQuery({ answer: id })
    document.querySelector('.talk .left')?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <li class={`passed ${isFromAgent ? 'out' : 'in'} ${isAnswered ? 'chosen' : ''}`}>
      <header class="row">
        <strong class="cut">
          {isFromAgent ? shownLine(`${writer}, to ${to_addrs.join(', ')}`) : senderOf(mail)}
        </strong>
        {isFromAgent ? <Outcome mail={mail} /> : <Proof mail={mail} />}
        <time class="small faint nowrap" title={fullTime(created_at)}>
          {shortTime(created_at)}
        </time>
      </header>
      <p class="soft cut">{subjectOf(mail)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre class="letter" tabIndex={0}>
        {wordsOf(mail)}
      </pre>
      <div class="row">
        {isFromAgent && (
          <Button onPress={answer} label={`Reply to ${subjectOf(mail)}`}>
            <Icon name="reply" /> Reply
          </Button>
        )}
        <a class="small" href={hrefOf('/messages', { account: accountId, view: 'all', message: id })}>
          Open the message
        </a>
      </div>
    </li>
  )
}
