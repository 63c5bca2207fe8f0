import { hrefOf, query, setQuery } from '../core/location'
import { waitingCount } from '../core/waiting'
import type { PageProps } from '../parts/reading'
import { Empty, Failed, Loading } from '../parts/states'
import { type Correspondence, useCorrespondence } from './correspondence'
import { Passed } from './passed'
import { WriteForm } from './write-form'

interface MailsProps {
  accountId: string
  found: Correspondence
}

/** Lists all messages, or those that the agent sent, newest first. */
function Mails({ accountId, found: { mails, error, again } }: MailsProps) {
  const isOutbox = query.value.get('show') === 'sent'
  const shown = mails.value?.filter(({ direction }) => !isOutbox || direction === 'outbound')
  if (error.value) return <Failed error={error.value} again={again} />
  if (!shown) return <Loading />
  if (shown.length === 0)
    return (
      <Empty title={isOutbox ? 'No sent messages yet' : 'No messages yet'}>
        <p>
          Write a first message. If no agent is running, start one with{' '}
          <code>restante dev --agent agent.ts</code>.
        </p>
      </Empty>
    )
  return (
    <ul aria-label="Messages" aria-live="polite">
      {shown.map((mail) => (
        <Passed
          key={mail.id}
          accountId={accountId}
          mail={mail}
          isAnswered={mail.id === query.value.get('answer')}
        />
      ))}
    </ul>
  )
}

function Talk({ account, inbox }: PageProps & { inbox: { id: string; address: string } }) {
  const id = account.tenant_id
  const found = useCorrespondence(id, inbox.id)
  const answered = found.mails.value?.find((mail) => mail.id === query.value.get('answer')) ?? null
  return (
    <div class="talk">
      <section class="left" aria-label="Write">
        <header>
          <h1>Talk with your agent</h1>
          <p class="soft">
            Write to <strong>{inbox.address}</strong> from any address. Your message arrives over SMTP like
            any other. The service captures the agent’s messages: they never leave this machine.
          </p>
        </header>
        <WriteForm accountId={id} inboxes={account.inboxes} inboxId={inbox.id} answered={answered} />
      </section>
      <section class="right" aria-label="Mail">
        <header class="spread">
          <select
            class="pick"
            aria-label="Filter messages"
            value={query.value.get('show') ?? 'all'}
            onChange={({ currentTarget: { value } }) => setQuery({ show: value === 'all' ? null : value })}
          >
            <option value="all">All messages</option>
            <option value="sent">Sent by the agent</option>
          </select>
          {waitingCount.value > 0 && (
            <a href={hrefOf('/approvals', { account: id })}>
              {waitingCount.value === 1 ? 'One message waits' : `${waitingCount.value} messages wait`} for
              approval
            </a>
          )}
        </header>
        <Mails accountId={id} found={found} />
      </section>
    </div>
  )
}

/** Lets a person write to an agent under any address, and shows its answers. */
export function Page({ account }: PageProps) {
  const { inboxes } = account
  const inbox = inboxes.find(({ id }) => id === query.value.get('inbox')) ?? inboxes[0]
  if (inbox) return <Talk account={account} inbox={inbox} />
  return (
    <Empty title="No inbox">
      <p>This account has no inbox. Create one with the API, then write to it here.</p>
    </Empty>
  )
}
