import { signal, useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { TalkAnswer } from '../../protocol/records/console'
import type { ListedMessage } from '../../protocol/records/message'
import { call } from '../core/ask'
import { setQuery } from '../core/location'
import { tell } from '../core/notices'
import { subjectOf } from '../core/shown'
import { Button, Field, Form } from '../parts/button'

/** Sender that is played while the page is open. */
const played = signal({ from: 'Ana <ana@example.com>', isProven: true })

/** Words of the prompt for a message whose sender is proven, and for any other. */
const verdicts = {
  proven: 'sender proven: the domain in From sent it',
  unproven: 'SENDER NOT PROVEN: somebody else may have written this in that name',
}

interface ProofChoiceProps {
  isProven: boolean
  isChosen: boolean
}

function ProofChoice({ isProven, isChosen }: ProofChoiceProps) {
  const id = useId()
  const name = isProven ? 'Verified' : 'Not verified'
  return (
    <label class="proof">
      <input
        type="radio"
        name="proof"
        value={isProven ? 'proven' : 'unproven'}
        defaultChecked={isChosen}
        aria-label={name}
        aria-describedby={id}
      />
      <span>
        <strong>{name}</strong>
        <span id={id}>
          <span class="small soft">
            {isProven
              ? 'Signed by the sender’s domain, with DNS records that only this service knows.'
              : 'No signature and no DNS records: anybody could have sent it with this address.'}
          </span>{' '}
          <span class="small faint">
            The agent sees: <q>{isProven ? verdicts.proven : verdicts.unproven}</q>
          </span>
        </span>
      </span>
    </label>
  )
}

/** Sends the form on Ctrl+Enter. */
const sendByKeys = (event: KeyboardEvent) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
    (event.target as HTMLTextAreaElement).form?.requestSubmit()
}

interface WriteFormProps {
  accountId: string
  inboxes: readonly { id: string; address: string }[]
  /** Inbox that gets the message. */
  inboxId: string
  /** Message of the agent to answer; null for a new conversation. */
  answered: ListedMessage | null
}

function AnsweredNote({ answered }: { answered: ListedMessage }) {
  return (
    <p class="note spread">
      <span class="cut">
        Reply to <strong>{subjectOf(answered)}</strong>
      </span>
      <Button kind="link" onPress={() => setQuery({ answer: null })}>
        Write a new message
      </Button>
    </p>
  )
}

/** Writes to the agent under any outside address. */
export function WriteForm({ accountId, inboxes, inboxId, answered }: WriteFormProps) {
  // Grows with each message sent, which clears the form.
  const count = useSignal(0)
  const send = async (data: FormData, key: string) => {
    const from = String(data.get('from'))
    const isProven = data.get('proof') === 'proven'
    const body = {
      inbox_id: inboxId,
      from,
      text: String(data.get('text')),
      proven: isProven,
      ...(answered ? { in_reply_to: answered.id } : { subject: String(data.get('subject')) }),
    }
    await call<TalkAnswer>(`/console/accounts/${accountId}/talk`, { method: 'POST', body, key })
    played.value = { from, isProven }
    count.value++
    setQuery({ answer: null }, { replace: true })
    tell('Message received. The agent’s reply appears here automatically.')
  }
  const { from, isProven } = played.value
  return (
    <Form key={`${count.value} ${answered?.id}`} submit="Send" onSubmit={send}>
      {answered && <AnsweredNote answered={answered} />}
      <Field label="From">
        <input name="from" required maxLength={320} defaultValue={answered?.to_addrs[0] ?? from} />
      </Field>
      {inboxes.length > 1 && !answered && (
        <Field label="To">
          <select
            value={inboxId}
            onChange={({ currentTarget: { value } }) => setQuery({ inbox: value }, { replace: true })}
          >
            {inboxes.map(({ id, address }) => (
              <option key={id} value={id}>
                {address}
              </option>
            ))}
          </select>
        </Field>
      )}
      <fieldset class="proofs">
        <legend>Is the sender verified?</legend>
        <ProofChoice isProven isChosen={isProven} />
        <ProofChoice isProven={false} isChosen={!isProven} />
      </fieldset>
      {!answered && (
        <Field label="Subject">
          <input name="subject" maxLength={1_000} />
        </Field>
      )}
      <Field label="Text" hint="Ctrl+Enter sends it.">
        <textarea name="text" rows={6} required maxLength={100_000} onKeyDown={sendByKeys} />
      </Field>
    </Form>
  )
}
