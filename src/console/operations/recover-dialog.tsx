import { call } from '../core/ask'
import { tell } from '../core/notices'
import { Field, Form } from '../parts/button'
import { Dialog } from '../parts/dialog'

interface RecoverProps {
  accountId: string
  webhookId: string
  onClose: () => void
  onDone: () => void
}

/** Formats a time for a field of type `datetime-local`. */
const localTime = (ms: number) => {
  const date = new Date(ms)
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Asks for the time since when dead events are sent again. */
export function RecoverDialog({ accountId, webhookId, onClose, onDone }: RecoverProps) {
  const send = async (data: FormData, key: string) => {
    const since = new Date(String(data.get('since'))).toISOString()
    const { recovered } = await call<{ recovered: number }>(`/webhooks/${webhookId}/recover`, {
      method: 'POST',
      body: { since },
      account: accountId,
      key,
    })
    onClose()
    onDone()
    tell(
      recovered === 0
        ? 'No deliveries have failed since then.'
        : `${recovered === 1 ? 'One event is' : `${recovered} events are`} being delivered again.`,
    )
  }
  return (
    <Dialog title="Retry failed deliveries" onClose={onClose}>
      <Form submit="Retry" onSubmit={send} onCancel={onClose}>
        <Field label="Since" hint="Retries every failed delivery of an event from this time or later.">
          <input
            name="since"
            type="datetime-local"
            defaultValue={localTime(Date.now() - 24 * 3_600_000)}
            required
          />
        </Field>
      </Form>
    </Dialog>
  )
}
