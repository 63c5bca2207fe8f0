import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { WaitingDraftWithContent } from '../../protocol/records'
import { call, download, fullTime, save, shownLine, shownWhole, sizeText } from '../core'
import { Button, Failed, Field, Form, Icon, Letter, Loading, useFocus, useReading } from '../parts'
import { Answered } from './answered'
import { approve, type Changes, sendChanged } from './decide'
import { ReadBefore } from './read-before'
import { RejectDialog } from './reject-dialog'

/** One a line: no name can pass for two. */
function Lines({ name, texts }: { name: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {texts.map((text) => (
          <div key={text}>{shownWhole(text)}</div>
        ))}
      </dd>
    </>
  )
}

/** The files that go with it, each of which can be saved and looked at before anything is decided. */
function Files({ draft: { id, tenant_id, attachments } }: { draft: WaitingDraftWithContent }) {
  if (attachments.length === 0) return null
  const read = (position: number) =>
    download(`/console/accounts/${tenant_id}/drafts/${id}/file?position=${position}`, tenant_id)
  return (
    <>
      <dt>Files</dt>
      <dd>
        <ul class="row">
          {attachments.map(({ filename, content_type, size }, position) => {
            const name = shownLine(filename ?? '') || 'unnamed'
            return (
              <li key={position}>
                <Button onPress={async () => save(await read(position), name)} title="Download">
                  <Icon name="clip" />
                  <span>{name}</span>{' '}
                  <span class="faint">
                    {content_type}, {sizeText(size)}
                  </span>
                </Button>
              </li>
            )
          })}
        </ul>
      </dd>
    </>
  )
}

/** All that a mail says beside its text, for it is decided on as it is shown. */
function Facts({ draft }: { draft: WaitingDraftWithContent }) {
  return (
    <dl class="facts">
      <Lines name="From" texts={[draft.from_addr]} />
      <Lines name="To" texts={draft.to} />
      <Lines name="Cc" texts={draft.cc} />
      <Lines name="Bcc" texts={draft.bcc} />
      <Lines name="Answers go to" texts={draft.reply_to} />
      <Lines name="Goes out" texts={draft.scheduled_at === null ? [] : [fullTime(draft.scheduled_at)]} />
      <Files draft={draft} />
      <Lines
        name="Header"
        texts={Object.entries(draft.headers).map(([name, value]) => `${name}: ${value}`)}
      />
    </dl>
  )
}

const addresses = (data: FormData, name: string) =>
  String(data.get(name) ?? '')
    .split(/[,\n]/)
    .map((one) => one.trim())
    .filter(Boolean)

interface EditProps {
  draft: WaitingDraftWithContent
  onSend: (changes: Changes) => Promise<void>
  onCancel: () => void
}

function Edit({ draft, onSend, onCancel }: EditProps) {
  const send = (data: FormData) =>
    onSend({
      to: addresses(data, 'to'),
      cc: addresses(data, 'cc'),
      bcc: addresses(data, 'bcc'),
      subject: String(data.get('subject')),
      text: String(data.get('text')),
    })
  return (
    <div ref={useFocus<HTMLDivElement>()}>
      <Form
        submit="Send as changed"
        onSubmit={send}
        more={
          <Button kind="quiet" onPress={onCancel}>
            Leave it as it was
          </Button>
        }
      >
        {(['to', 'cc', 'bcc'] as const).map((name) => (
          <Field key={name} label={{ to: 'To', cc: 'Cc', bcc: 'Bcc' }[name]}>
            <input name={name} defaultValue={draft[name].join(', ')} />
          </Field>
        ))}
        <Field label="Subject">
          <input name="subject" defaultValue={draft.subject} />
        </Field>
        <Field label="Text">
          <textarea name="text" rows={14} defaultValue={draft.text ?? ''} />
        </Field>
        {draft.html !== null && (
          <p class="note warn">It goes out as text only: its HTML says what stood there before.</p>
        )}
      </Form>
    </div>
  )
}

interface DraftViewProps {
  accountId: string
  draftId: string
  /** It was decided on, or changed meanwhile. */
  onDone: (news: string) => Promise<void>
}

/** Says what became of a mail that waits no longer, by its status. */
const outcomes: Record<string, string> = {
  draft: 'The agent took it back to change it: it waits no longer, until the agent asks again.',
  rejected: 'It was rejected',
  scheduled: 'It is approved, and goes out at its time.',
  sending: 'It is approved, and on its way.',
  sent: 'It was sent.',
}

function Outcome({ draft: { status, error } }: { draft: WaitingDraftWithContent }) {
  const said = outcomes[status] ?? 'It waits no longer.'
  return (
    <p class="note">
      {status === 'rejected' ? `${said}${error ? `: ${shownWhole(error.message)}` : '.'}` : said}
    </p>
  )
}

/** A mail that waits, whole, beside what it answers. */
export function DraftView({ accountId, draftId, onDone }: DraftViewProps) {
  const path = `/console/accounts/${accountId}/drafts/${draftId}`
  const { value, error, again } = useReading(path, () => call<WaitingDraftWithContent>(path))
  const editing = useSignal(false)
  const rejecting = useSignal(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const draft = value.value
  if (error.value) return <Failed error={error.value} again={again} />
  if (!draft) return <Loading />
  const isWaiting = draft.status === 'pending_approval'
  const send = async () => {
    try {
      await approve(accountId, draft)
    } catch (failure) {
      // What is shown is what is decided on.
      await again()
      throw failure
    }
    await onDone(
      draft.scheduled_at === null ? 'Approved: it goes out.' : 'Approved: it goes out at its time.',
    )
  }
  return (
    <article class="draft">
      <header class="stack">
        <h2 ref={heading} tabIndex={-1}>
          {shownWhole(draft.subject) || '(no subject)'}
        </h2>
        {draft.approval_reason !== null && (
          <p class="note warn">The agent asks you, since {shownWhole(draft.approval_reason)}.</p>
        )}
        {isWaiting ? (
          <p class="note">
            It waits because the key of the agent may write, and not send. Approving sends it exactly as it
            stands here; if the agent changes it meanwhile, your approval does not count.
          </p>
        ) : (
          <Outcome draft={draft} />
        )}
      </header>
      {editing.value ? (
        <Edit
          draft={draft}
          onCancel={() => {
            editing.value = false
            // What was pressed to change it went when the form came.
            heading.current?.focus()
          }}
          onSend={async (changes) => {
            await sendChanged(accountId, draft, changes)
            await onDone('It goes out, as you changed it.')
          }}
        />
      ) : (
        <>
          <Facts draft={draft} />
          {draft.text !== null && <Letter text={shownWhole(draft.text)} />}
          {draft.html !== null && (
            <details open={draft.text === null}>
              <summary>As HTML, its source</summary>
              <Letter class="mono small" text={shownWhole(draft.html)} />
            </details>
          )}
          {isWaiting && (
            <div class="row decide">
              <Button kind="primary" onPress={send}>
                Approve and send
              </Button>
              <Button onPress={() => (editing.value = true)}>Change it</Button>
              <Button kind="danger" onPress={() => (rejecting.value = true)}>
                Reject
              </Button>
            </div>
          )}
        </>
      )}
      {draft.reply_to_message_id !== null && (
        <Answered accountId={accountId} messageId={draft.reply_to_message_id} />
      )}
      <ReadBefore accountId={accountId} messageIds={draft.read_message_ids} />
      {rejecting.value && (
        <RejectDialog
          accountId={accountId}
          drafts={[draft]}
          onClose={() => (rejecting.value = false)}
          onDone={onDone}
        />
      )}
    </article>
  )
}
