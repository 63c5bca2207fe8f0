import { useSignal } from '@preact/signals'
import type { Webhook } from '../../protocol/records/webhook'
import { call } from '../core/ask'
import { tell } from '../core/notices'
import { fullTime } from '../core/times'
import { Button } from '../parts/button'
import { Deliveries } from './deliveries'
import { maskedUrl, switchedOff } from './overview'
import { RecoverDialog } from './recover-dialog'
import { Detail, None, OpenRow, Section } from './section'

function State({ webhook: { enabled, disabled_at, failing_since } }: { webhook: Webhook }) {
  if (!enabled)
    return (
      <span class="tag wrong" title={disabled_at ? fullTime(disabled_at) : ''}>
        {' '}
        disabled{' '}
      </span>
    )
  if (failing_since !== null)
    return (
      <span class="tag warn" title={`since ${fullTime(failing_since)}`}>
        failing
      </span>
    )
  return <span class="tag good">active</span>
}

interface RowProps {
  accountId: string
  webhook: Webhook
  onChanged: () => Promise<void>
}

function Opened({ accountId, webhook, onChanged }: RowProps) {
  const recovering = useSignal(false)
  // Changes when something new is sent, so that the list is read again.
  const sent = useSignal(0)
  const { id, url, enabled, disabled_reason } = webhook
  const path = `/webhooks/${id}`
  const test = async (key: string) => {
    await call(`${path}/test`, { method: 'POST', account: accountId, key })
    tell('Test event sent. Refresh in a moment to see the result.')
    sent.value++
  }
  const switchOn = async () => {
    await call(path, { method: 'PATCH', body: { enabled: true }, account: accountId })
    await onChanged()
    tell('Webhook enabled. It continues after the last event that it was sent.')
  }
  return (
    <Detail label={`The webhook to ${maskedUrl(url)}`}>
      {!enabled && (
        <p class="note warn">
          The webhook is disabled: {switchedOff[disabled_reason!] ?? disabled_reason}. It gets no events until
          you enable it.
        </p>
      )}
      <div class="row">
        {enabled ? (
          <>
            <Button onPress={test}>Send test event</Button>
            <Button onPress={() => (recovering.value = true)}>Retry failed deliveries…</Button>
          </>
        ) : (
          <Button kind="primary" onPress={switchOn}>
            Enable
          </Button>
        )}
      </div>
      <Deliveries key={sent.value} accountId={accountId} webhookId={id} isOn={enabled} />
      {recovering.value && (
        <RecoverDialog
          accountId={accountId}
          webhookId={id}
          onClose={() => (recovering.value = false)}
          onDone={() => sent.value++}
        />
      )}
    </Detail>
  )
}

function Row(props: RowProps) {
  const { id, url, events } = props.webhook
  return (
    <OpenRow
      parameter="webhook"
      id={id}
      line={
        <>
          <span class="cut">{maskedUrl(url)}</span>
          <span class="cut small faint wide">{events.includes('*') ? 'all events' : events.join(', ')}</span>
          <State webhook={props.webhook} />
        </>
      }
    >
      {() => <Opened {...props} />}
    </OpenRow>
  )
}

interface WebhooksProps {
  accountId: string
  webhooks: Webhook[]
  onChanged: () => Promise<void>
}

/** Lists the webhooks, with the result of each event. */
export function Webhooks({ accountId, webhooks, onChanged }: WebhooksProps) {
  return (
    <Section title="Webhooks" about="endpoints that receive events">
      {webhooks.length === 0 ? (
        <None>
          No webhooks yet. Add one with <code>restante webhooks add</code>.
        </None>
      ) : (
        <ul class="things">
          {webhooks.map((webhook) => (
            <Row key={webhook.id} accountId={accountId} webhook={webhook} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </Section>
  )
}
